"""Your own learner beside a published one, in one figure: cells of a notebook (# %%), as a program it prints and draws.

    PYTHONPATH=../python python3 compare.py [FIGURE.svg]
"""
# %% A learner of your own: Monte Carlo control, a table of values
import random
import sys

import knack


class MyLearner:
    def __init__(self):
        self.values, self.decisions, self.learning, self.rng = {}, [], True, random.Random(1)

    def choose(self, request):
        known = self.values.setdefault(request["position"], {})
        explores = self.learning and self.rng.random() < 0.2
        move = self.rng.choice(request["moves"]) if explores else max(request["moves"], key=lambda m: known.get(m, (0, 0.3))[1])
        self.decisions.append((known, move))
        return move

    def end(self, payoffs, role):
        for known, move in self.decisions if self.learning else []:
            count, mean = known.get(move, (0, 0.0))
            known[move] = count + 1, mean + (payoffs[role] - mean) / (count + 1)
        self.decisions = []


# %% Its curve, and that of the experience base of De Jong and Schultz (1988), against an opponent that neither learns from
with knack.open() as k:
    mine = k.learn("tictactoe", MyLearner(), games=2000, points=4, against="random", held_out="reasonable(0.5)", test_games=200)
    print(mine)
    published = []
    for games in (100, 500, 1000, 2000):
        player = k.train("tictactoe", f"experience(games={games}, inner=random, against=random)").player
        result = k.match("tictactoe", player, "reasonable(0.5)", games=200, seed=1_000_001, store=False)
        published.append((games, result.score, *result.interval))
    published = knack.Curve(published, name="experience (De Jong and Schultz 1988)")
    print(published)

# %% The figure, where matplotlib is there
if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "knack"  # the same picture, the same bytes
    axes = published.plot(mine.plot())
    axes.set_ylabel("score against reasonable(0.5), 200 games, 95 %")
    axes.legend()
    axes.figure.savefig(sys.argv[1], metadata={"Date": None})
