#!/usr/bin/env python3
"""Calibrate the levels of data/embed/levels.json: a tournament of the five levels and random play in each game.

    tools/levels.py build/knack              # every game that has levels of its own
    tools/levels.py build/knack checkers go  # only these

Each pairing plays GAMES games from random openings, which both sides get. Elo is that of `knack tournament`, moved
so that random play has 0. The command and the interval are written beside it. The file is replaced once a game is done,
so an interrupted run loses one game at most."""
import json
import os
import shlex
import subprocess
import sys

PLACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "embed", "levels.json")
SEED = 2026
GAMES = int(os.environ.get("GAMES", "40"))
JOBS = os.environ.get("JOBS", "1")
# Random moves before a game, and the length at which it is a draw.
OPENINGS = {
    "checkers": ["--random-plies", "4", "--plies", "200"],
    "othello": ["--random-plies", "6"],
    "morris": ["--random-plies", "2", "--plies", "200"],
    "fives": ["--random-plies", "2"],
    "go": ["--random-plies", "2", "--plies", "400"],
    "phutball": ["--random-plies", "2", "--plies", "200"],
}
# Whose levels are measured by payoff, not by results.
UNRATED = {"dilemma", "*"}


def words(game, specs):
    name = game.split("(")[0]
    return ["tournament", game, *specs, "--games", str(GAMES), "--seed", str(SEED), *OPENINGS.get(name, [])]


def calibrate(binary, game, levels):
    specs = [level["spec"] for level in levels]
    players = specs if "random" in specs else ["random", *specs]
    command = words(game, players)
    done = subprocess.run([binary, *command, "--jobs", JOBS, "--no-store", "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{game}: {done.stderr.strip()}")
    rated = {row["player"]: row for row in json.loads(done.stdout)["players"]}
    canonical = {spec: next((key for key in rated if key.replace(" ", "") == spec.replace(" ", "")), spec) for spec in players}
    floor = rated[canonical["random"]]["elo"]
    shown = "knack " + " ".join(shlex.quote(word) for word in command)
    for level in levels:
        row = rated[canonical[level["spec"]]]
        level["elo"] = round(row["elo"] - floor)
        level["elo_95"] = round(row["elo_95"])
        level["measured"] = f"Elo {level['elo']} \u00b1 {level['elo_95']}, where random play has 0; {int(row['games'])} games ({shown})"
    print(game, [(level["id"], level["elo"], level["elo_95"]) for level in levels], flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(PLACE, encoding="utf-8") as file:
        games = json.load(file)
    chosen = sys.argv[2:] or [game for game in games if game not in UNRATED]
    for game in chosen:
        if game not in games:
            sys.exit(f"{game} has no levels of its own in {PLACE}")
        calibrate(sys.argv[1], game, games[game])
        with open(PLACE + ".new", "w", encoding="utf-8") as file:
            json.dump(games, file, indent=1, ensure_ascii=False)
            file.write("\n")
        os.replace(PLACE + ".new", PLACE)


if __name__ == "__main__":
    main()
