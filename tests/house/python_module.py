# What python.sh runs: the Python module against the library, fact by fact.
import os
import signal
import sys
import threading
import time

import knack

failed = 0


def check(name, fact):
    global failed
    if not fact:
        failed += 1
        print("failed:", name)


def raises(kind, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind:
        return True
    return False


def fails(words, status, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except knack.Error as error:
        check(f"{words!r} in {error!s}", words in str(error) and error.status == status)
    else:
        check(f"{words!r} was raised", False)


with knack.open(data="data") as k:
    check("games", {"checkers", "othello", "go"} <= {game["name"] for game in k.games()})
    check("options", any(o["name"] == "depth" for p in k.players() if p["name"] == "alphabeta" for o in p["options"]))
    check("learners", {"td", "experience", "allocation"} <= {row["name"] for row in k.learners()})
    check("evaluations", k.evaluations())

    board = k.board("tictactoe")
    check("nine moves", len(board.moves()) == 9 and board.mover == "x" and not board.over and board.payoffs is None)
    start = board.position
    board.play("a1", "b2").play("c3")
    check("played", board.played == ["a1", "b2", "c3"] and board.mover == "o" and len(board.moves()) == 6)
    fails("no legal move", 3, board.play, "a3", "b2")
    check("all or none", len(board.played) == 3)
    check("undo", board.undo(3).position == start)
    fails("take back", 1, board.undo)
    check("from a position", k.board("tictactoe", "xx./oo./... x").ask("perfect")["move"] in k.board("tictactoe", "xx./oo./... x").moves())
    fails("unknown game \"tictacto\"", 3, k.board, "tictacto")
    fails("", 3, k.board, "tictactoe", "nonsense")

    won = k.board("tictactoe", "xx./oo./... x")
    answer = won.ask("alphabeta(depth=9)")
    check("finds the win", answer["score_text"] == "wins in 1" and len(answer["values"]) == 5 and "wins in 1" in answer["text"])
    check("a reason is a tree", answer["reason"]["kind"] and answer["reason"]["children"])
    won.play(answer["move"])
    check("over", won.over and won.payoffs == [1.0, -1.0] and won.moves() == [] and won.mover is None)
    fails("the game is over", 1, won.ask, "random")
    fails("unknown player", 3, board.ask, "alfabeta")
    fails("how", 3, board.ask, "random", dept=3)
    fails("person", 3, board.ask, "human")
    check("seeds", all(board.ask("random", seed=5)["move"] == board.ask("random", seed=5)["move"] for _ in range(3)))
    check("seeds differ", len({board.ask("random", seed=s)["move"] for s in range(20)}) > 3)
    check("budget", board.ask("alphabeta(depth=9)", depth=2)["depth"] == 2)

    dilemma = k.board("dilemma(turns=3)")
    state = dilemma.state()
    check("simultaneous", len(state["movers"]) == 2 and all(state["moves"].values()))
    dilemma.play("C|D", "D|D", "C|C")
    check("joint moves", dilemma.over and dilemma.played == ["C|D", "D|D", "C|C"] and len(dilemma.payoffs) == 2)

    result = k.match("tictactoe", "perfect", "random", games=10, seed=4, jobs=1, name="first")
    check("match", result.wins + result.draws + result.losses == 10 and result.losses == 0 and result.interval[0] <= result.score <= result.interval[1])
    again = k.match("tictactoe", "perfect", "random", games=10, seed=4, jobs=2, store=False)
    check("same seed, same games", again["result"]["digest"] == result["result"]["digest"])
    fails("plan", 3, k.match, "tictactoe", "perfect", "random", gamess=10)
    table = k.tournament("tictactoe", ["perfect", "random", "alphabeta(depth=2)"], games=4, store=False)
    check("tournament", len(table["players"]) == 3 if "players" in table else table)
    check("runs", [run["name"] for run in k.runs()] == ["first"])
    run = k.run("first")
    check("a run's games", len(run["games"]) == 10)
    check("csv", len(k.run("first", "csv").splitlines()) == 11)

    td = k.train("tictactoe", "td(games=20, depth=1, alpha=0.1)", out="td.json", seed=2)
    check("td", os.path.getsize("td.json") > 0 and k.match("tictactoe", td.player, "random", games=4, store=False)["result"]["games"] == 4)
    experience = k.train("tictactoe", "experience(games=20, depth=1, opponent=2)", into="base")
    check("experience", k.board("tictactoe").ask(experience.player)["move"] and experience.point[0] == 20)
    allocation = k.train("tictactoe", "allocation(examples=100, enrich=100, relief=0, shallow=1, extra=1)", out="tree.json", explain=True)
    check("allocation", k.board("tictactoe").ask(allocation.player)["move"] and allocation["learned"]["children"])
    hoyle = k.train("tictactoe", "hoyle(watch=2)", out="hoyle.json")
    check("hoyle", "Advisor" in k.board("tictactoe").ask(hoyle.player)["text"] or k.board("tictactoe").ask(hoyle.player)["move"])
    sequences = k.train("tictactoe", "sequences(method=context, watch=2)", out="sequences.json")
    check("sequences", sequences.player == 'seqlearner(knowledge="sequences.json")')
    fails("unknown learner", 3, k.train, "tictactoe", "magic", "x.json")
    fails("cannot learn", 3, k.train, "dilemma", "td", "x.json")

    # Players of one's own: functions, and objects that learn from the end of a game.
    class Learner:
        def __init__(self):
            self.ends = []

        def choose(self, request):
            return request["moves"][-1]

        def end(self, payoffs, role):
            self.ends.append((role, tuple(payoffs)))

    learner = Learner()
    result = k.match("tictactoe", learner, lambda request: 0, games=10, seed=1)
    check("own players play", result["result"]["games"] == 10 and len(learner.ends) == 10 and {role for role, _ in learner.ends} == {0, 1})
    check("their payoffs", all(sum(payoffs) == 0 for _, payoffs in learner.ends))
    check("they are not stored", [run["name"] for run in k.runs()] == ["first"])
    fails("not stored", 2, k.match, "tictactoe", learner, "random", name="mine")
    large = k.match("tictactoe", "random", "random", games=2, seed=2 ** 64 - 1, store=False)
    check("seeds of 64 bits", large != k.match("tictactoe", "random", "random", games=2, seed=1, store=False)
          and k.board("tictactoe").ask("random", seed=2 ** 63)["move"] in k.board("tictactoe").moves())
    forfeited = k.match("tictactoe", lambda request: 99, "random", games=2)
    check("an index beyond the moves", "chose move 99 of 9" in forfeited["first_fault"])
    check("they answer", k.board("tictactoe").ask(learner)["move"] == k.board("tictactoe").moves()[-1])
    check("in tournaments", len(k.tournament("tictactoe", [learner, "random", lambda request: 0], games=2)["players"]) == 3)

    def broken(request):
        raise RuntimeError("I give up")
    try:
        k.match("tictactoe", broken, "random", games=2)
        check("an exception comes through", False)
    except RuntimeError as problem:
        check("an exception comes through", str(problem) == "I give up")
    check("an unknown move is an error", raises(ValueError, k.match, "tictactoe", lambda request: "z9", "random", games=1))
    check("a move out of range is forfeited", k.match("tictactoe", lambda request: 99, "random", games=2, jobs=1).score == 0)
    fails("a function", 2, k.match, "tictactoe", 3, "random")

    try:
        import numpy
    except ImportError:
        numpy = None
        print("skipped: batches need numpy")
    if numpy:
        rng = numpy.random.default_rng(1)
        games = k.batch("othello(size=4)", 64)
        check("arrays", games.cells.shape == (64, 16) and games.payoffs.shape == (64, 2) and (games.counts == 4).all() and (games.movers == 0).all())
        check("moves have names", games.moves(0) == k.board("othello(size=4)").moves())
        single = k.board("othello(size=4)")
        while not games.over.all():
            actions = (rng.random(len(games)) * games.counts).astype(int)
            if not single.over:
                check("single game", games.moves(5) == single.moves())
                single.play(single.moves()[actions[5]])
            games.step(numpy.where(games.over, -1, actions))
        check("a batch plays as single games do", single.over and tuple(games.payoffs[5]) == tuple(single.payoffs))
        check("payoffs", (games.payoffs.sum(axis=1) == 0).all() and games.planes().shape == (64, len(games.symbols) - 1, 16))
        fails("0 legal moves", 3, games.step, numpy.zeros(64))
        games.reset(numpy.arange(64) < 10)
        check("some begin again", (~games.over).sum() == 10)
        fails("legal moves", 3, games.step, numpy.where(games.over, -1, 4))
        check("nothing was played", (games.counts[:10] == 4).all())
        check("shapes are checked", raises(ValueError, games.step, numpy.zeros(3)) and raises(ValueError, games.reset, numpy.zeros(3)))
        rules = k.batch("gdl:connectfour", 4)
        check("rules that take turns", (rules.counts == 7).all() and not rules.step(numpy.zeros(4)).over.any() and (rules.movers == 1).all())
        fails("1 to", 3, k.batch, "othello", 0)
        fails("at the same time", 3, k.batch, "dilemma", 4)
        fails("look back", 3, k.batch, "go(size=9)", 4)
        fails("1 GiB", 3, k.batch, "fives(19, 19, 5)", 1 << 20)
        fails("unknown game", 3, k.batch, "chess", 4)

    # Ctrl-C reaches Python while the library works, and stops it.
    threading.Thread(target=lambda: (time.sleep(0.3), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
    try:
        k.match("checkers", "alphabeta(depth=12)", "alphabeta(depth=12)", games=100000, store=False)
        check("interrupted", False)
    except KeyboardInterrupt:
        pass
    check("usable after it", k.match("tictactoe", "random", "random", games=2, store=False)["result"]["games"] == 2)

    if len(sys.argv) > 1:
        k.plugin(sys.argv[1])
        check("plug-in", k.match("drop", "alphabeta(depth=4)", "random", games=4, store=False).score > 0.5)
        fails("already", 3, k.plugin, sys.argv[1])
        fails("No such file", 4, k.plugin, "nowhere.so")
fails("closed", 2, k.games)
print("python:", "all facts hold" if not failed else f"{failed} failed")
sys.exit(failed > 0)
