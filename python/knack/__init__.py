"""Knack from Python: play, search, match, train and read results, through the shared library.

    import knack

    with knack.open() as k:
        board = k.board("othello(size=6)")
        answer = board.ask("alphabeta(depth=6)")
        print(answer["move"], answer["text"])
        board.play(answer["move"])
        result = k.match("checkers", "alphabeta(depth=4)", "alphabeta(depth=2)", games=20)
        print(result.score, result.interval)
        k.match("othello", lambda request: request["moves"][0], "random", games=20)   # your own player
        games = k.batch("othello", 1024)                            # 1,024 games in numpy arrays (knack.batch)

The module calls libknack (<knack/capi.h>) through ctypes. It looks for the library in $KNACK_LIBRARY, beside this file, in lib
and build folders above it, then where the system keeps libraries. A call that fails raises knack.Error with the library's message.
A long call runs in a thread of its own and lets other threads of Python run; Ctrl-C stops it. Threads may share a Knack; a board
that one call uses is refused to another that would change it.
"""
from __future__ import annotations

import ctypes
import fnmatch
import json
import os
import tempfile
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Union

from . import native as _native
from . import study as _study
from .board import Board
from .native import Error, version
from .native import library as _library
from .players import Player
from .players import Seats as _Seats
from .results import MatchResult, Tournament, Trained
from .study import Curve
from .view import Answer, Explanation, Review

if TYPE_CHECKING:
    from .batch import Batch
    from .environments import AEC, Environment, Game, State, aec, load_game

__all__ = ["AEC", "Answer", "Batch", "Board", "Curve", "Environment", "Error", "Explanation", "Game", "Knack", "MatchResult",
           "Player", "Review", "State", "Tournament", "Trained", "aec", "load_game", "open", "version"]

Path = Union[str, "os.PathLike[str]"]


def open(data: Optional[Path] = None, plugins: Iterable[Path] = ()) -> "Knack":
    """Opens the library. `data` is the data folder (default: the user's); `plugins` are shared objects with games, players
    and evaluations."""
    return Knack(data, plugins)


class Knack(_native.Handle):
    """The library, opened: games, players, matches, trainings, the lab and the results store."""

    def __init__(self, data: Optional[Path] = None, plugins: Iterable[Path] = ()):
        self._lock = threading.RLock()  # of short calls, with the error that they leave
        message = ctypes.create_string_buffer(1024)
        self._handle = _library.kn_capi_open(_native.as_bytes(data), message, len(message))
        if not self._handle:
            raise Error(message.value.decode(errors="replace"))
        self._open: "weakref.WeakSet[_native.Handle]" = weakref.WeakSet()
        self._folders: List[Any] = []
        self._seats = _Seats(self)
        try:
            for path in plugins:
                self.plugin(path)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes all boards and batches too, stops calls in progress, and removes the folders of trainings for which you
        named none."""
        until = time.monotonic() + 5
        while self._users and time.monotonic() < until:
            _library.kn_capi_cancel(self._handle)
            time.sleep(0.01)
        with self._lock:
            if not self._handle:
                return
            self._free()
            for thing in list(self._open):
                thing.close()
            _library.kn_capi_close(self._handle)
            self._handle = None
        for folder in self._folders:
            folder.cleanup()

    # -- calls --

    def _failed(self) -> Error:
        message = _library.kn_capi_error(self._handle).decode(errors="replace")
        return Error(message, _library.kn_capi_status(self._handle))

    def _check(self, function: Callable[..., int], *arguments: Any) -> None:
        """A short call that gives a status."""
        with self._lock:
            if function(*arguments):
                raise self._failed()

    def _opened(self, function: Callable[..., int], *arguments: Any) -> int:
        """A short call that gives a handle."""
        with self._lock:
            handle = function(*arguments)
            if not handle:
                raise self._failed()
            return handle

    def _answer(self, function: Callable[..., int], user: _native.Handle, *arguments: Any) -> str:
        """A short call about something that gives a text."""
        with self._lock:
            pointer = function(user._alive(), *arguments)
            if not pointer:
                raise self._failed()
        return _take(pointer)

    def _long(self, function: Callable[..., int], user: _native.Handle, *arguments: Any) -> str:
        """A long call that gives a text: it runs in a thread of its own, so that Ctrl-C reaches Python and stops it."""
        found: List[Union[str, BaseException]] = []

        def work() -> None:
            with self._lock:
                try:
                    self._alive()
                    handle = user._alive() if user is self else user._free()
                except Error as problem:
                    found.append(problem)
                    return
                for one in {self, user}:
                    one._users += 1
            try:
                pointer = function(handle, *arguments)
                with self._lock:
                    found.append(_take(pointer) if pointer else self._failed())
            except BaseException as problem:
                found.append(problem)
            finally:
                with self._lock:
                    for one in {self, user}:
                        one._users -= 1

        def stop() -> None:
            if self._handle:
                _library.kn_capi_cancel(self._handle)

        problem = _native.run_apart(work, stop)
        if problem is not None:
            with self._lock:
                if not self._users and self._handle:  # the cancellation must not meet the next call
                    _library.kn_capi_lab(self._handle, b"{")
            raise problem
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0]

    # -- listings --

    def plugin(self, path: Path) -> None:
        """Loads games, players and evaluations from a shared object."""
        with self._lock:
            self._check(_library.kn_capi_plugin, self._free(), _native.as_word(path))

    def _list(self, kind: bytes) -> List[Dict[str, Any]]:
        found: List[Dict[str, Any]] = json.loads(self._answer(_library.kn_capi_list, self, kind))
        return found

    def games(self) -> List[Dict[str, Any]]:
        """The games, each with name, summary and options."""
        return self._list(b"game")

    def players(self) -> List[Dict[str, Any]]:
        """The players, each with name, summary and options."""
        return self._list(b"player")

    def evaluations(self) -> List[Dict[str, Any]]:
        """The evaluations, each with name, summary and options."""
        return self._list(b"evaluation")

    def learners(self) -> List[Dict[str, Any]]:
        """The learners, each with name, summary and options."""
        return self._list(b"learner")

    def experiments(self) -> List[Dict[str, Any]]:
        """The lab's experiments, each with name and summary."""
        return self._list(b"experiment")

    # -- playing --

    def board(self, game: str, position: Optional[str] = None) -> Board:
        """A game in progress, at the start or at a position in the game's notation."""
        return Board(self, game, position)

    def batch(self, game: str, games: int) -> Batch:
        """Many games stepped together, as numpy arrays (knack.batch)."""
        from .batch import Batch as batch
        return batch(self, game, games)

    def match(self, game: str, first: Player, second: Player, **plan: Any) -> MatchResult:
        """Plays a match.

        Options: games, seed, jobs, random_plies, plies, judge, openings, opening_plies, shuffle_openings, tables, depth, nodes,
        seconds (for each move), tc ("60+0.6"), resign [moves, percent], draw [ply, moves, percent], engine_jobs, sprt [E0, E1],
        alpha, beta, sprt_model, name, store, resume.

        A player is a spec, or a program of your own: a function that gets a request (game, position, role, number, moves) and
        returns one of request["moves"] or its index; or an object with such a method `choose` and, if it learns, a method
        `end(payoffs, role)`. Matches with a program of your own are not stored, because nobody can tell whether it changed.
        Several threads may ask it at the same time; jobs=1 asks one by one."""
        return MatchResult(self._contest(_library.kn_capi_match, game, [first, second], plan))

    def tournament(self, game: str, players: Iterable[Player], **plan: Any) -> Tournament:
        """A round robin, or system="gauntlet" (challengers=1) or "swiss" (rounds=...); players and options as in match()."""
        return Tournament(self._contest(_library.kn_capi_tournament, game, list(players), plan))

    def _contest(self, function: Callable[..., int], game: str, players: List[Player], plan: Dict[str, Any]) -> Dict[str, Any]:
        specs = [self._seats.spec(player) for player in players]
        if any(self._seats.is_own(spec) for spec in specs):
            if plan.get("store") or plan.get("name"):
                raise Error("a match with a program of your own is not stored: leave out store and name", 2)
            plan["store"] = False
        plan.update(game=game, players=specs)
        found: Dict[str, Any] = json.loads(self._seats.guard(lambda: self._long(function, self, _native.as_plan(plan))))
        return found

    def train(self, game: str, learner: Any, out: Optional[Path] = None, into: Optional[Path] = None, **plan: Any) -> Trained:
        """Trains a learner: "td(games=200)", "sequences(method=context)", ...; learners() lists them with their options.

        What it learned goes to the file `out`, or the whole training run into the folder `into`; without either the run is kept
        until the Knack is closed. Further arguments: seed, jobs, points of the learning curve, explain. An interrupted training
        continues with the same call. A learner of your own is trained by learn(), and takes its arguments."""
        if not isinstance(learner, str):
            if out is not None or into is not None:
                raise Error("a learner of your own keeps what it learned: leave out `out` and `into`", 2)
            curve = self.learn(game, learner, **plan)
            trained = Trained(learner=curve.name, game=game, player=self.name(learner), file=None, points=curve.points)
            trained.learner_object = learner
            return trained
        plan.update(game=game, learner=learner)
        if out is None and into is None:
            self._folders.append(tempfile.TemporaryDirectory(prefix="knack-"))
            into = os.path.join(self._folders[-1].name, "training")
        if out is not None:
            plan["out"] = os.fspath(out)
        if into is not None:
            plan["into"] = os.fspath(into)
        text = self._seats.guard(lambda: self._long(_library.kn_capi_train, self, _native.as_plan(plan)))
        trained = Trained(json.loads(text))
        if into is not None:
            trained["folder"] = os.path.dirname(trained["file"]) or os.fspath(into)
        return trained

    def name(self, player: Player) -> str:
        """The spec of a player of your own, to be named inside other specs: f"td(games=200, against={k.name(me)})",
        f"noisy({k.name(me)}, 0.1)"."""
        return self._seats.spec(player)

    def learn(self, game: str, learner: Any, games: int = 1000, **how: Any) -> Curve:
        """Trains a learner of your own and measures its curve: knack.study.learn."""
        return _study.learn(self, game, learner, games, **how)

    # -- the lab --

    def lab(self, experiments: Optional[str] = None, **plan: Any) -> List[Dict[str, Any]]:
        """Measures experiments of the lab ("temporal.table6", "temporal.*"). Options: scale="quick", seed, jobs.

        Without experiments: what has been measured so far; with shipped=True also the results that travel with the library."""
        if experiments is not None:
            plan["experiments"] = experiments
        found: List[Dict[str, Any]] = json.loads(self._long(_library.kn_capi_lab, self, _native.as_plan(plan)))
        return found

    def lab_rows(self, experiments: Optional[str] = None, **plan: Any) -> List[Dict[str, Any]]:
        """The cells of lab() as rows for pandas: measured beside published, with intervals and verdicts."""
        return _study.cell_rows(self.lab(experiments, **plan))

    def shipped_rows(self, experiments: str = "*") -> List[Dict[str, Any]]:
        """Rows of the results that travel with the library or were measured here, by a pattern of their experiments."""
        if not isinstance(experiments, str):
            raise TypeError(f"expected a pattern of experiments, not {type(experiments).__name__}")
        return [row for row in _study.cell_rows(self.lab(shipped=True)) if fnmatch.fnmatchcase(row["experiment"], experiments)]

    def against_rows(self, game: str, players: Iterable[Player], opponents: Iterable[Player], **plan: Any) -> List[Dict[str, Any]]:
        """Players of any kind, your own too, against a set of opponents, as rows like those of the lab: knack.study.against_rows."""
        return _study.against_rows(self, game, players, opponents, **plan)

    # -- environments --

    def environment(self, game: str, **how: Any) -> Environment:
        """One game with reset, step, legal_actions and observation (knack.environments)."""
        from .environments import Environment as environment
        return environment(self, game, **how)

    def aec(self, game: str, **how: Any) -> AEC:
        """A PettingZoo-like AEC environment."""
        from .environments import aec as make
        return make(self, game, **how)

    def load_game(self, game: str, **how: Any) -> Game:
        """An OpenSpiel-like game with states."""
        from .environments import load_game as load
        return load(self, game, **how)

    # -- results --

    def runs(self) -> List[Dict[str, Any]]:
        """The runs in the results store, newest first."""
        found: List[Dict[str, Any]] = json.loads(self._answer(_library.kn_capi_runs, self))
        return found

    def run_rows(self) -> List[Dict[str, Any]]:
        """runs() as flat rows for pandas."""
        return _study.run_rows(self.runs())

    def run(self, name: Union[str, int], format: str = "json") -> Any:
        """One run with all its games, by name or number: a document, or for csv, latex, pdn, sgf and ggf the text."""
        text = self._answer(_library.kn_capi_run, self, _native.as_word(str(name)), _native.as_word(format))
        return json.loads(text) if format == "json" else text


def _take(pointer: int) -> str:
    """A text of the library, which is given back."""
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        _library.kn_capi_free(pointer)


def __getattr__(name: str) -> Any:
    if name == "Batch":  # needs numpy, which the rest does without
        from .batch import Batch as batch
        return batch
    if name in ("AEC", "Environment", "Game", "State", "aec", "load_game"):
        from . import environments
        return getattr(environments, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
