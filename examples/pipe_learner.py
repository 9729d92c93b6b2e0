"""A learner over the pipe protocol (docs/pipe.md) that knows no rules: it is told the legal moves and the outcome.

    knack match tictactoe 'pipe("python3 pipe_learner.py values.json")' random --games 400 --jobs 1

For each position (the moves so far) and move it keeps how often it was played and what it brought on average: Monte Carlo control with an epsilon-greedy policy. The
table is a file of JSON that the next match goes on with.
"""
import json
import os
import random
import re
import sys

FILE = sys.argv[1] if len(sys.argv) > 1 else "values.json"
EPSILON = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
values = json.load(open(FILE)) if os.path.exists(FILE) else {}  # "moves so far" -> move -> [games, average payoff]
rng = random.Random(1)
moves, legal, decisions = "", [], []


def choose(role):
    known = values.get(moves, {})
    untried = [move for move in legal if move not in known]
    if rng.random() < EPSILON or (untried and not known):
        move = rng.choice(legal)
    else:
        move = max(legal, key=lambda m: known.get(m, [0, 0.0])[1])
    decisions.append((role, moves, move))
    return move


def learn(payoffs):
    for role, position, move in decisions:
        row = values.setdefault(position, {}).setdefault(move, [0, 0.0])
        row[0] += 1
        row[1] += (payoffs[role] - row[1]) / row[0]


for line in sys.stdin:
    word, _, rest = line.rstrip("\r\n").partition(" ")
    if word == "pipe":
        print("id pipe_learner\npipeok legal outcome", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "newgame":
        moves, decisions = "", []
    elif word == "position":
        moves = "" if rest == "start" else rest
    elif word == "moves":
        moves += " " + rest
    elif word == "legal":
        legal = re.findall(r"\((?:[^()]|\([^()]*\))*\)|\S+", rest)  # (take 2) is one move
    elif word == "go":
        words = rest.split()
        role = int(words[words.index("role") + 1]) if "role" in words else 0
        print("bestmove", choose(role), flush=True)
    elif word == "outcome":
        learn([float(p) for p in rest.split()])
    elif word == "quit":
        break
with open(FILE + ".new", "w") as out:
    json.dump(values, out)
os.replace(FILE + ".new", FILE)
