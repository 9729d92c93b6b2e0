"""A small study: does a wider view help a player of Othello on 6x6 squares? A tournament for the overview, then a sequential test for the one question.

    PYTHONPATH=../python python3 small_study.py [FIGURE.svg]
"""
# %% The overview: a round robin with ratings and their errors
import sys

import knack

GAME = "othello(size=6)"
with knack.open() as k:
    players = [f"alphabeta(depth={depth})" for depth in (1, 2, 3, 4)] + ["uct(playouts=200)", "random"]
    overview = k.tournament(GAME, players, games=60, random_plies=4, seed=1, store=False)
    for row in overview.rows():
        print(f"{row['player']:20} {row['elo']:+7.1f} +- {row['elo_95']:.1f}  {row['points']:g} of {row['games']:g}")

    # %% One question, fixed before: is depth 4 at least 20 Elo better than depth 3? The test stops as soon as the games decide, on a fresh seed
    test = k.match(GAME, "alphabeta(depth=4)", "alphabeta(depth=3)", games=4000, random_plies=4, seed=2026, sprt=[0, 20], store=False)
    print(test)
    print(f"{test['sprt']['verdict']} after {test['result']['games']} games (LLR {test['sprt']['llr']:.2f})")

# %% The figure
if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "knack"  # the same picture, the same bytes
    axes = overview.plot()
    axes.set_title(f"{GAME}, 60 games a pairing, 95 %")
    axes.figure.tight_layout()
    axes.figure.savefig(sys.argv[1], metadata={"Date": None})
