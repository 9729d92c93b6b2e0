# A notebook in plain Python: run it as a whole (python3 notebook.py), or cell by cell in an editor that knows "# %%".
# The package is python/knack; installed, it is in PREFIX/share/knack/python:
#
#     PYTHONPATH=/usr/local/share/knack/python python3 notebook.py

# %% Open the library. The data folder holds results and solved tables; here it is a new one, so that nothing of yours is touched.
import os
import shutil
import tempfile

import knack

folder = tempfile.mkdtemp(prefix="knack-notebook-")
k = knack.open(data=folder)
print("knack", knack.version(), "knows", len(k.games()), "games and", len(k.players()), "players")

# %% A position, its moves, and what a search thinks of them.
board = k.board("othello(size=6)")
print(board)
print(board.mover, "may play", board.moves())
answer = board.ask("alphabeta(depth=6)")
print(answer["text"])

# %% Play on: two players, to the end.
players = {"black": "alphabeta(depth=4)", "white": "uct(playouts=200)"}
while not board.over:
    board.play(board.ask(players[board.mover], seed=len(board.played))["move"])
print(board)
print("payoffs", dict(zip(board.state()["roles"], board.payoffs)), "after", len(board.played), "moves")

# %% A match, with its error.
result = k.match("othello(size=6)", "alphabeta(depth=3)", "alphabeta(depth=1)", games=40, random_plies=4, seed=7)
print(f"depth 3 against depth 1: {result.score:.3f}, 95% from {result.interval[0]:.3f} to {result.interval[1]:.3f}")

# %% Training: the weights of an evaluation by temporal differences, then a match against the same search that knows nothing.
learned = k.train("othello(size=6)", "td(games=40, depth=1, alpha=0.1)", out=os.path.join(folder, "weights.json"), seed=3).player
print("learned:", learned)
gain = k.match("othello(size=6)", learned, "alphabeta(depth=1, eval=features(weights=zero))", games=60, random_plies=4, seed=9)
print(f"with the learned weights: {gain.score:.3f}, 95% from {gain.interval[0]:.3f} to {gain.interval[1]:.3f}")

# %% Everything was stored. Results are documents: no screen has to be read.
for run in k.runs():
    print(run["name"], run["games"], "games,", run["summary"]["result"]["score"])
games = k.run(result["run"])["games"]
lengths = [game["plies"] for game in games]
print("mean length", sum(lengths) / len(lengths), "plies")

# %% Mistakes are exceptions with the library's own words.
try:
    k.board("otello")
except knack.Error as error:
    print("as expected:", error)

# %% Done: the folder of this notebook goes.
k.close()
shutil.rmtree(folder)
