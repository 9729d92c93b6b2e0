"""Nonsense for every public function of the Python package: an exception with a message, never a crash, never silence about it.

    python_fuzz.py [CALLS [SEED]]

A call may succeed. What it may raise is listed below; an empty message, any other exception and the death of the process are failures. Long
calls are interrupted, as by Ctrl-C."""
import inspect
import os
import random
import signal
import sys
import tempfile
import warnings

import numpy

import knack
from knack import environments, study, view

ALLOWED = (knack.Error, TypeError, ValueError, OverflowError, LookupError, OSError, AttributeError, ZeroDivisionError)
SECONDS = 0.3  # for one call


class Odd:
    """An object that answers every question wrongly."""

    def __str__(self):
        raise ValueError("no text")

    __index__ = __len__ = __iter__ = __fspath__ = __str__

    def choose(self, request):
        return request


def interrupt(*_):
    raise KeyboardInterrupt


def values(rng, made):
    numbers = [None, True, -1, 0, 1, 2, 7, 2 ** 31, 2 ** 63, -2 ** 63, 2 ** 200, float("nan"), float("inf"), -0.5, 1e308, 1j]
    texts = ["", "x", "tictactoe", "othello(size=4)", "othello(size=", "dilemma(turns=2)", "random", "alphabeta(depth=1)", "alphabeta(depth=", "td(games=2, depth=1)", "b2",
             "start", ".../.../... x", "x.o/.x./..o x", "\0", "\ud800", "\u00e9" * 9, "A" * 5000, "(" * 500, "%n%s%d", "../../x", "json", "csv", "play-1", "gauntlet", b"tictactoe",
             b"\xff\0", bytearray(9)]
    things = [[], [1], ["random"], ["random", "random"], [None] * 3, {}, {"a": 1}, {"moves": []}, (), set(), object, Odd(), lambda: 0, lambda *_: 0, lambda *_: "b2", lambda *_: None,
              lambda *_: 1 / 0, numpy.zeros(3), numpy.zeros((4, 4), dtype=complex), numpy.full(4, 2 ** 40), numpy.array("text"), numpy.float64("nan"), numpy.int8(-1)]
    return rng.choice([numbers, texts, things, made or numbers])


SENSIBLE = {"knack": None, "game": ["tictactoe", "othello(size=4)", "checkers", "dilemma(turns=3)", "gdl:tictactoe"], "first": ["random"], "second": ["random", "alphabeta(depth=1)"],
            "player": ["random", "alphabeta(depth=1)"], "judge": ["alphabeta(depth=1)"], "players": [["random", "alphabeta(depth=1)"]], "games": [1, 2], "learner": ["td(games=2, depth=1)"],
            "action": [0, 1, 4], "agent": ["x", "o"], "format": ["json", "csv", "pdn"], "index": [0, 3], "moves": ["b2", "a1"], "name": ["1", "nobody"]}


def value(rng, name, made):
    """Two times in three something that fits the parameter, so that nonsense meets the library behind the first check."""
    fits = made[:1] if name == "knack" else SENSIBLE.get(name)
    return rng.choice(fits) if fits and rng.random() < 0.67 else rng.choice(values(rng, made))


def subjects(k):
    """Everything that has public functions."""
    board = k.board("tictactoe")
    made = [knack, environments, study, view, k, board, k.batch("tictactoe", 4), k.environment("tictactoe"), k.aec("tictactoe"), k.load_game("tictactoe"),
            k.load_game("tictactoe").new_initial_state(), board.ask("random"), board.ask("random").explanation, board.review(judge="alphabeta(depth=1)"), study.Curve([[1, 0.5, 0.4, 0.6]]),
            k.match("tictactoe", "random", "random", games=2, store=False), k.tournament("tictactoe", ["random", "alphabeta(depth=1)"], games=2, store=False)]
    return made


def functions(subject):
    for name in dir(subject):
        if name.startswith("_") or name == "plot":  # it takes objects of matplotlib
            continue
        if name not in getattr(subject, "__all__", [name]):  # a module's own
            continue
        try:
            member = getattr(subject, name)
        except ALLOWED:
            continue
        own = getattr(member, "__module__", "") or ""
        if callable(member) and (own.startswith("knack") or inspect.ismethod(member)):
            yield name, member


def arguments(rng, function, made):
    """Nonsense for each parameter, sometimes one too few or too many, and options by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    places += ["one too many"] * rng.choice([0, 0, 0, 0, 1])
    places = places[:len(places) - rng.choice([0, 0, 0, 0, 1])]
    named = {}
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        for name in rng.sample(["games", "seed", "jobs", "depth", "nodes", "seconds", "plies", "tc", "resign", "draw", "openings", "sprt", "points", "explain", "role", "nonsense",
                                "actions", "position", "system", "rounds", "held_out"], rng.randint(0, 3)):
            named[name] = rng.choice(values(rng, made))
        named.setdefault("games", 2)
    return [value(rng, name, made) for name in places], named


def call(function, given, named):
    """What the call raised, if that is allowed, else None."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)  # again and again, until it is caught outside of the library
    try:
        found = function(*given, **named)
        if inspect.isgenerator(found):
            next(found, None)
    except KeyboardInterrupt:
        pass
    except ALLOWED as problem:
        return problem
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def main(calls, seed):
    rng = random.Random(seed)
    signal.signal(signal.SIGALRM, interrupt)
    os.chdir(tempfile.mkdtemp(prefix="knack-fuzz-"))
    warnings.simplefilter("ignore")  # numpy has its own about comparing nonsense
    raised = {}
    k = knack.open("data")
    made = subjects(k)
    for number in range(calls):
        if k._handle is None or rng.random() < 0.002:
            k.close()
            k = knack.open("data")
            made = subjects(k)
        subject = made[rng.choice([0, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10])] if rng.random() < 0.8 else rng.choice(made)
        name, function = rng.choice(list(functions(subject)) or [("open", knack.open)])
        if name in ("close", "Knack", "open") and rng.random() < 0.95:
            continue
        given, named = arguments(rng, function, made[4:])
        print(f"{number}: {type(subject).__name__}.{name}", file=log, flush=True)  # the last line tells which call killed the process
        try:
            problem = call(function, given, named)
        except KeyboardInterrupt:  # a late one, while the timer was switched off
            problem = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        if problem is not None:
            kind = type(problem).__name__
            raised[kind] = raised.get(kind, 0) + 1
            if not str(problem):
                sys.exit(f"seed {seed}, call {number}: {name}{tuple(given)} {named}: {kind} without a message")
    k.close()
    print(f"{calls} calls with seed {seed}:", ", ".join(f"{count} {kind}" for kind, count in sorted(raised.items())))
    if raised.get("Error", 0) < calls / 50:
        sys.exit("hardly a call reached the library: this tests nothing")


log = open(os.environ.get("KNACK_FUZZ_LOG", os.devnull), "w", encoding="utf-8")
main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
