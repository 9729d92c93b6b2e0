"""What a researcher does with the Python package: environments, own learners, reviews, rows, pictures, and arguments that make no sense."""
import os
import random
import sys
import tempfile

import numpy

import knack
from knack.environments import Environment

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"not so: {what}")


def raises(kinds, call, what):
    try:
        call()
    except kinds as problem:
        check(str(problem), f"{what}: an empty message")
        return
    except Exception as problem:
        sys.exit(f"{what}: {type(problem).__name__}: {problem}")
    sys.exit(f"{what}: nothing was raised")


def play_environments(k):
    rng = numpy.random.default_rng(1)
    for game in ("tictactoe", "othello(size=6)", "checkers", "morris(men=4)", "go(size=5)", "fives(width=7, height=7)"):
        env = k.environment(game)
        observation, steps = env.reset(), 0
        while not env.over and steps < 60:
            legal = env.legal_actions()
            check(env.mask().sum() == len(set(legal)) == len(env.legal_moves()), f"{game}: the mask shows the legal actions")
            observation, rewards, over, info = env.step(int(rng.choice(legal)))
            check(observation.dtype == numpy.float32 and set(numpy.unique(observation)) <= {0.0, 1.0}, f"{game}: planes of zeros and ones")
            check(over or not rewards.any(), f"{game}: no reward before the end")
            steps += 1
        check("<svg" in env._repr_html_(), f"{game}: a picture")
        raises(knack.Error, lambda: env.step(10 ** 6), f"{game}: an action that is none")
        env.close()
    one, two = Environment(k, "checkers"), Environment(k, "checkers")
    check(one.legal_actions() == two.legal_actions(), "environments agree about the numbers of actions")
    raises(knack.Error, lambda: k.environment("dilemma"), "simultaneous moves")


def play_aec(k):
    env = k.aec("tictactoe")
    for seed in range(5):
        env.reset(seed=seed)
        total, turns = {agent: 0.0 for agent in env.possible_agents}, 0
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            total[agent] += reward
            env.step(None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"]))
            turns += 1
        check(sum(total.values()) == 0 and 7 <= turns <= 11 and not env.agents, "a game by the AEC interface")
    keep_books(k.aec("othello(size=4)"))
    try:  # the real package, where it is installed: Debian has none
        from pettingzoo.test import api_test
    except ImportError:
        return
    for game in ("tictactoe", "othello(size=6)", "checkers"):
        api_test(k.aec(game), num_cycles=100)


def keep_books(env):
    """What PettingZoo's own test of an environment asks: what last() gives is what rewards added up to, and who has left is in no table any more."""
    rng = random.Random(3)
    env.reset(seed=1)
    check(env.max_num_agents == env.num_agents == 2 and env.unwrapped is env and env.state().ndim == 2, "an AEC environment tells its size")
    added, left = {agent: 0.0 for agent in env.agents}, []
    for agent in env.agent_iter(200):
        observation, reward, terminated, truncated, _ = env.last()
        check(env.last(observe=False)[0] is None, "last() without an observation")
        check(reward == added[agent], "last() gives what rewards added up to")
        check(env.observation_space(agent).contains(observation) and not env.observation_space(agent).contains(0), "an observation is in its space")
        done = terminated or truncated
        env.step(None if done else rng.choice(numpy.flatnonzero(observation["action_mask"])))
        added[agent] = 0.0
        for other, more in env.rewards.items():
            added[other] += more
        left += [agent] if done else []
        for table in (env.rewards, env.terminations, env.truncations, env.infos):
            check(set(table) == set(env.agents) == set(env.possible_agents) - set(left), "who has left is in no table")
    check(left == env.possible_agents, "everybody leaves once")


def search_states(k):
    """A search over nothing but the interface of OpenSpiel's states: tic-tac-toe is a draw, and a threefold threat wins."""
    def value(state):
        if state.is_terminal():
            return state.player_return(0)
        found = [value(state.child(action)) for action in state.legal_actions()]
        return max(found) if state.current_player() == 0 else min(found)

    state = k.load_game("tictactoe").new_initial_state()
    for move in "a1 b1 b2 c3".split():
        state.apply_action(state.string_to_action(move))
    check(value(state) == 1 and not state.is_chance_node(), "a search over states")


def measure_batches(_):
    from knack.batch import measure
    by_clock, by_processor = measure("othello(size=4)", 16, 2)
    check(by_clock > 0 and by_processor > 0, "the speed of a batch")


def play_states(k):
    game = k.load_game("othello(size=4)")
    rng = random.Random(2)
    state = game.new_initial_state()
    while not state.is_terminal():
        before, action = str(state), rng.choice(state.legal_actions())
        child = state.child(action)
        check(str(state) == before, "a child leaves its parent alone")
        check(state.string_to_action(state.action_to_string(state.current_player(), action)) == action, "actions and strings")
        state.apply_action(action)
        check(str(child) == str(state) and len(state.observation_tensor()) == numpy.prod(game.observation_tensor_shape()), "the child is the next state")
    check(state.current_player() == -4 and sum(state.returns()) == 0 and len(state.history()) > 3, "the end of a state")
    search_states(k)
    check(game.min_utility() <= min(state.returns()) and max(state.returns()) <= game.max_utility(), "utilities")


class Table:
    """Monte Carlo control with a table; `position` tells where it is."""

    def __init__(self):
        self.values, self.decisions, self.learning, self.rng = {}, [], True, random.Random(1)

    def choose(self, request):
        known = self.values.setdefault(request["position"], {})
        if self.learning and self.rng.random() < 0.2:
            move = self.rng.choice(request["moves"])
        else:
            move = max(request["moves"], key=lambda m: known.get(m, (0, 0.5 * self.rng.random()))[1])
        self.decisions.append((known, move))
        return move

    def end(self, payoffs, role):
        for known, move in self.decisions if self.learning else ():
            count, mean = known.get(move, (0, 0.0))
            known[move] = count + 1, mean + (payoffs[role] - mean) / (count + 1)
        self.decisions = []


def learn_and_train(k):
    learner = Table()
    curve = k.learn("tictactoe", learner, games=1500, points=3, test_games=200, against="random")
    check(len(curve) == 4 and curve.x.tolist() == [0, 500, 1000, 1500], "the points of a curve")
    check(curve.y[-1] > curve.y[0] + 0.1 and curve.low[-1] > curve.high[0], f"a learner learns: {curve}")
    check(numpy.asarray(curve).shape == (4, 4) and len(curve.rows()) == 4 and "<table" in curve._repr_html_(), "a curve as array, rows and table")
    check(learner.learning, "learning is switched on again")
    trained = k.train("othello(size=4)", f"td(games=20, depth=1)", points=2, explain=True)
    check(len(trained.curve) >= 2 and trained.knowledge and os.path.exists(trained.file), f"one call: {trained}")
    check(k.match("othello(size=4)", trained.player, "random", games=4, store=False).wins >= 0, "the trained player plays")
    noisy = f"noisy({k.name(learner)}, 0.5)"
    check(k.match("tictactoe", noisy, "random", games=4, jobs=1, store=False)["result"]["games"] == 4, "own players inside specs")
    raises(ValueError, lambda: k.learn("tictactoe", Table(), games=0), "no games to learn from")
    own = k.train("tictactoe", Table(), games=40, points=2, test_games=10)
    check(own.file is None and own.curve.x.tolist() == [0, 20, 40] and own.knowledge == {}, "a learner of one's own, trained as the others are")
    check(k.match("tictactoe", own.player, "random", games=2, jobs=1)["result"]["games"] == 2, "it plays under its name")
    raises(knack.Error, lambda: k.train("tictactoe", Table(), out="file"), "a file for a learner of one's own")
    raises(TypeError, lambda: k.train("tictactoe", 7), "a learner that is none")


def rows_of_the_lab(k):
    rows = k.against_rows("tictactoe", [("mine", Table()), "legal"], ["random", "perfect"], games=4, jobs=1)
    check([(row["row"], row["column"]) for row in rows] == [("mine", "random"), ("mine", "perfect"), ("legal", "random"), ("legal", "perfect")], "players by opponents")
    shipped = k.shipped_rows("temporal.table6")
    check(shipped and {"row", "column", "measured", "low", "high", "n", "published", "verdict"} <= set(shipped[0]) and set(rows[0]) <= set(shipped[0]), "rows of one kind")
    try:
        import pandas
    except ImportError:
        return
    check(len(pandas.DataFrame(rows + shipped)) == len(rows) + len(shipped), "a table of pandas")


def boards_as_pictures(k):
    env = k.environment("checkers")
    check(env.cells().shape == (32,) and env.observation(grid=True).shape == (env.observation().shape[0], 8, 8), "draughts in 8 x 8")
    batch = k.batch("othello(size=6)", 3)
    check(batch.planes(grid=True).shape == (3, 2, 6, 6) and batch.planes(grid=True).sum() == batch.planes().sum() == 12, "planes of a batch")
    picture = numpy.zeros((6, 6))
    for (x, y), cell in zip(batch.places - batch.places.min(axis=0), batch.cells[0]):
        picture[int(y), int(x)] = cell == 1
    check((picture == batch.planes(grid=True)[0, 0]).all(), "every cell at its place")
    raises(TypeError, lambda: batch.step([0.5, 0, 0]), "half an action")
    answer = k.board("othello").ask("alphabeta(depth=2, eval=ntuple)")
    shown = answer._repr_html_()
    check(shown.count("<svg") > 3 and "<pre>" not in shown, "the boards and patterns of an explanation are pictures")
    import copy
    import pickle
    check(pickle.loads(pickle.dumps(answer)) == answer == copy.deepcopy(answer), "answers can be copied")
    state = k.load_game("tictactoe").new_initial_state()
    raises(knack.Error, lambda: state.string_to_action("nonsense"), "a move that is none")


def review_and_show(k):
    board = k.board("tictactoe").play("a1", "b1", "b2", "c3", "a3")
    review = board.review("perfect")
    check([move["move"] for move in review.turning_points] == ["b1"], f"the turning point: {review.turning_points}")
    check(len(review.chances()) == 5 and "b1" in review._repr_html_(), "chances and table")
    raises(knack.Error, lambda: board.review("random"), "a judge without scores")
    check(board.svg().startswith("<svg") and board.svg().count("<rect") == 9 and board.svg().count("<circle") == 5, "a board as SVG")
    answer = board.ask("alphabeta(depth=4)")
    check(answer.move in board.moves() and str(answer) and "<ul>" in answer._repr_html_(), "an answer shows its reasons")
    result = k.match("tictactoe", "perfect", "random", games=10, resign=[2, 5], store=False)
    check(0.5 < result.los <= 1 and "LOS" in str(result) and "<table" in result._repr_html_(), "a result in words")
    swiss = k.tournament("tictactoe", ["perfect", "random", "reasonable(0.5)", "legal"], games=4, system="swiss", store=False)
    check(len(swiss["matches"]) == 4 and set(swiss.ratings) == {"perfect", "random", "reasonable(0.5)", "legal"}, "a Swiss tournament")
    k.match("tictactoe", "random", "legal", games=4, name="rows")
    check(any(row["name"] == "rows" and row["player1"] == "random" for row in k.run_rows()), "runs as rows")
    check(k.lab_rows() == [], "the lab has measured nothing so far")
    try:
        import matplotlib
        matplotlib.use("Agg")
    except ImportError:
        raises(ImportError, review.plot, "no matplotlib")
        return
    check(review.plot() and swiss.plot(), "plots")


def nonsense(k):
    """No argument may crash the process: texts, numbers and objects of all kinds to every call."""
    rng = random.Random(3)
    board = k.board("tictactoe")
    batch = k.batch("tictactoe", 2)
    values = [None, "", "\0", "a\0b", "x" * 10000, "((((", "\ud800", "tictactoe(", -1, 0, 2 ** 70, 1.5, float("nan"), float("inf"), [], {}, object(), b"\xff", True, "é" * 50,
              {"game": 1}, ["random"], "alphabeta(depth=99999999)", "pipe(\"\")", numpy.zeros(3)]
    calls = [lambda a, b: k.board(a, b), lambda a, b: k.match(a, b, b, games=1, store=False), lambda a, b: k.match("tictactoe", "random", a, games=b, store=False),
             lambda a, b: k.match("tictactoe", "random", "legal", games=1, store=False, tc=a, resign=b), lambda a, b: k.tournament(a, [b, "random"], games=1, store=False),
             lambda a, b: k.tournament("tictactoe", ["legal", "random"], games=1, store=False, system=a, rounds=b), lambda a, b: board.play(a), lambda a, b: board.ask(a, seed=b),
             lambda a, b: board.review(a, depth=b), lambda a, b: board.moves(a), lambda a, b: k.batch(a, b), lambda a, b: batch.step(a), lambda a, b: batch.moves(a),
             lambda a, b: batch.reset(a), lambda a, b: k.train(a, b), lambda a, b: k.train("tictactoe", a, seed=b), lambda a, b: k.run(a, b), lambda a, b: k.plugin(a),
             lambda a, b: k.environment(a, actions=b), lambda a, b: k.load_game(a), lambda a, b: k.aec(a), lambda a, b: k.lab(a, scale=b), lambda a, b: k.name(a)]
    for _ in range(600):
        call, a, b = rng.choice(calls), rng.choice(values), rng.choice(values)
        try:
            call(a, b)
        except Exception as problem:
            check(isinstance(problem, (knack.Error, TypeError, ValueError, IndexError, OverflowError, AttributeError, MemoryError)), f"{type(problem)}: {problem} for {a!r}, {b!r}")
    check(str(k.board("tictactoe").play("b2")), "the library still works")
    check(k.match("tictactoe", lambda request: 2 ** 40, "random", games=2, jobs=1).score == 0, "an index that no int holds is an illegal move")
    check(k.match("tictactoe", lambda request: numpy.int64(0), "random", games=1, jobs=1)["result"]["games"] == 1, "an index from numpy")


with tempfile.TemporaryDirectory() as folder:
    with knack.open(folder) as k:
        for part in (play_environments, play_aec, play_states, measure_batches, learn_and_train, rows_of_the_lab, boards_as_pictures, review_and_show, nonsense):
            part(k)
print(f"{checks} checks")
