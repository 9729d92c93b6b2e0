"""An n-tuple network learns a game of your own: the plug-in drop.c, made larger, of which the learner knows the rules and nothing else.

    sed 's/WIDTH = 5, HEIGHT = 4/WIDTH = 7, HEIGHT = 6/; s/LINE = 3/LINE = 4/' plugins/drop.c >mine.c
    cc -shared -fPIC mine.c $(pkg-config --cflags knack) -o drop.so
    PYTHONPATH=../python python3 ntuple_own_game.py ./drop.so [FIGURE.svg]
"""
# %% The game, and two trainings in self-play, measured against a sampling player
import sys

import knack

with knack.open(plugins=[sys.argv[1]]) as k:
    print(k.board("drop"))
    curves = []
    for seed in (1, 2):
        trained = k.train("drop", "ntuple(games=600, against-games=60, against=uct(playouts=30))", points=4, seed=seed)
        curve = trained.curve
        curve.name = f"seed {seed}"
        curves.append(curve)
        print(curve)

    # %% What it is worth: a match on a seed that the training did not use
    result = k.match("drop", trained.player, "uct(playouts=30)", games=100, random_plies=2, seed=2026, store=False)
    print(result)

# %% The figure
if len(sys.argv) > 2:
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "knack"  # the same picture, the same bytes
    axes = None
    for curve in curves:
        axes = curve.plot(axes)
    axes.set_ylabel("score in matches of 60 games, 95 %")
    axes.legend()
    axes.figure.savefig(sys.argv[2], metadata={"Date": None})
