"""The Python package under threads, signals and callbacks: what one call uses no other changes, Ctrl-C stops what runs, and
nothing crashes."""
import ast
import gc
import os
import random
import signal
import sys
import tempfile
import threading
import time

import numpy

import knack

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"not so: {what}")


def refused(words, call):
    try:
        call()
    except knack.Error as error:
        check(words in str(error), f"{words!r} in {error!s}")
        return
    sys.exit(f"nothing refused: {words}")


def interrupt(call, after, times=1):
    """Runs a call and sends SIGINT; returns the seconds from the last signal to KeyboardInterrupt."""
    sent = []

    def send():
        for _ in range(times):
            time.sleep(after)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        call()
    except KeyboardInterrupt:
        return time.monotonic() - sent[-1]
    finally:
        thread.join()
    sys.exit("not interrupted")


def interrupted_callbacks(k):
    """A player that uses the library while it is asked must not lose a cancellation; nothing is cancelled afterwards."""
    def busy(request):
        board = k.board(request["game"], request["position"])
        found = board.moves()
        board.close()
        return found[0]

    check(interrupt(lambda: k.match("othello", busy, "random", games=10 ** 6), 0.2) < 5, "Ctrl-C stops a match with callbacks")
    check(k.match("tictactoe", busy, "random", games=2)["result"]["games"] == 2, "the next call is not cancelled")
    check(interrupt(lambda: k.board("othello").ask("alphabeta(depth=40)"), 0.2) < 5, "Ctrl-C stops a search")
    check(interrupt(lambda: k.train("othello", "td(games=100000, depth=2)"), 0.2) < 5, "Ctrl-C stops a training")
    check(interrupt(lambda: k.board("othello").play("d3").review("alphabeta(depth=40)"), 0.2) < 5, "Ctrl-C stops a review")
    check(interrupt(lambda: k.lab("gina.fig1"), 0.2) < 5, "Ctrl-C stops the lab")
    check(len(k.board("tictactoe").play("b2").review("perfect").moves) == 1, "a review after that")


def second_interrupt():
    """A callback that does not come back: the second Ctrl-C leaves without it, and closing waits for its end."""
    wait = threading.Event()

    def sleeper(request):
        wait.wait(1)
        return 0

    with tempfile.TemporaryDirectory() as folder:
        with knack.open(folder) as k:
            board = k.board("tictactoe")
            check(interrupt(lambda: board.ask(sleeper), 0.2, times=2) < 0.5, "the second Ctrl-C leaves at once")
            refused("in use", lambda: board.play("b2"))
            refused("in use", lambda: board.ask("random"))
            wait.set()
    refused("closed", lambda: board.play("b2"))


def while_in_use(k):
    """A player that would change the board on which it is asked is refused."""
    board = k.board("tictactoe")
    said = []

    def meddler(request):
        for call in (lambda: board.play("b2"), board.undo, board.close, lambda: board.ask("random")):
            try:
                call()
                said.append("no error")
            except knack.Error as error:
                said.append(str(error))
        return 0

    board.ask(meddler)
    check(len(said) == 4 and all("in use" in words for words in said), f"a board in use: {said}")
    check(board.play("b2").played == ["b2"], "the board is free again")


def nested_players(k):
    """Own players that ask own players, in several threads; the exception of one comes out as itself."""
    def inner(request):
        return request["moves"][-1]

    def outer(request):
        with k.board(request["game"], request["position"]) as board:
            return board.ask(inner).move

    check(k.match("tictactoe", outer, outer, games=8, jobs=2)["result"]["games"] == 8, "players that ask players")
    for jobs in (1, 2):
        try:
            k.match("tictactoe", lambda request: 1 / 0, outer, games=8, jobs=jobs)
            check(False, "an exception was lost")
        except ZeroDivisionError:
            check(True, "")


def many_threads(k):
    """Threads that share a library, a board and a batch."""
    board, batch, raised = k.board("tictactoe"), k.batch("tictactoe", 8), []

    def work(seed):
        rng = random.Random(seed)
        calls = [lambda: board.play(rng.choice(board.moves() or ["a1"])), board.undo, lambda: board.ask("random"), board.state, board.svg,
                 lambda: batch.step(numpy.zeros(8, dtype=int)), batch.reset, lambda: batch.moves(0),
                 lambda: k.match("tictactoe", lambda request: 0, "random", games=2), lambda: k.board("othello(size=4)").moves(), k.players]
        for _ in range(40):
            try:
                rng.choice(calls)()
            except knack.Error as error:
                check(str(error), "an error has a message")
            except Exception as problem:
                raised.append(problem)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not raised, f"threads: {raised[:1]}")


def own_players_are_not_stored(_):
    """The same name is another program in the next session: its games must not come from the store, inside other specs either."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for index in (0, -1):
            with knack.open(folder) as k:
                own = k.name(lambda request, index=index: request["moves"][index])
                found.append(k.match("tictactoe", f"noisy({own}, 0)", "legal", games=10)["result"]["digest"])
                check(not k.runs(), "a match with an own player inside a spec is not stored")
                refused("not stored", lambda: k.match("tictactoe", f"noisy({own}, 0)", "legal", games=10, store=True))
        check(found[0] != found[1], "another program played another match")


def boards_are_given_back(k):
    before = len(k._open)
    for _ in range(50):
        k.board("tictactoe")
    gc.collect()
    check(len(k._open) <= before + 1, "boards that nobody holds are closed")


def says_what_it_is(_):
    """Everything public has a docstring and types."""
    folder = os.path.dirname(knack.__file__)
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        check(ast.get_docstring(tree), f"{name} has a docstring")
        rooms = [tree] + [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for room in rooms:
            for node in room.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                    check(ast.get_docstring(node), f"{name}:{node.lineno} {node.name} has a docstring")
                if isinstance(node, ast.FunctionDef) and node.name != "__init__":
                    check(node.returns is not None, f"{name}:{node.lineno} {node.name} says what it returns")


with tempfile.TemporaryDirectory() as data:
    with knack.open(data) as library:
        for part in (interrupted_callbacks, while_in_use, nested_players, many_threads, own_players_are_not_stored, boards_are_given_back,
                     says_what_it_is):
            part(library)
second_interrupt()
print(f"{checks} checks")
