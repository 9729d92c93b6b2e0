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
        games = k.batch("othello", 1024)                                               # 1,024 games in numpy arrays (knack.batch)

No build step: the module calls libknack (<knack/capi.h>) through ctypes. It looks for the library in $KNACK_LIBRARY, beside this file, in lib and build folders
above it, then where the system keeps libraries. A call that fails raises knack.Error with the library's message. A long call runs in a thread of its own,
so that Ctrl-C stops it. One Knack serves one thread at a time.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import json
import operator
import os
import shutil
import tempfile
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from .study import Curve, cell_rows, learn, run_rows
from .view import Answer, Explanation, Review, board_svg, rows_html

__all__ = ["AEC", "Answer", "Batch", "Board", "Curve", "Environment", "Error", "Explanation", "Knack", "MatchResult", "Review", "State", "Tournament", "Trained", "aec",
           "load_game", "open", "version"]

Player = Union[str, Callable[[Dict[str, Any]], Any], Any]

_INTERFACE = 1
_open = open  # the module has an open() of its own

# Callbacks of players (<knack/capi.h>): ctypes takes Python's lock around them.
CHOOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
END = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_int)


class Error(Exception):
    """The library's message. `status`: 1 the answer is no, 2 usage, 3 bad input, 4 the system failed, 5 stopped, 6 a player broke the rules."""

    def __init__(self, message, status=3):
        super().__init__(message)
        self.status = status


def _candidates():
    if os.environ.get("KNACK_LIBRARY"):
        return [os.environ["KNACK_LIBRARY"]]
    here = os.path.dirname(os.path.abspath(__file__))
    near = [here] + [os.path.join(here, up, folder) for up in ("..", "../..", "../../..") for folder in ("lib", "lib64", "build", "lib/x86_64-linux-gnu")]
    return [path for folder in near for path in [os.path.join(folder, "libknack.so.0"), os.path.join(folder, "libknack.so")]
            if os.path.exists(path)] or [ctypes.util.find_library("knack") or "libknack.so.0"]


def _load():
    path = _candidates()[0]
    try:
        library = ctypes.CDLL(path)
        interface = library.kn_capi_interface()
    except (OSError, AttributeError) as problem:
        raise ImportError(f"libknack cannot be used ({problem}); build it with make, or set $KNACK_LIBRARY to its path") from None
    if interface != _INTERFACE:
        raise ImportError(f"{path} has version {interface} of the C API, and this module needs version {_INTERFACE}")
    text, handle, number = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int
    answer = ctypes.c_void_p  # a text that must be given back: ctypes would lose the pointer of a c_char_p
    for name, result, *arguments in [
            ("kn_version", text), ("kn_capi_open", handle, text, text, ctypes.c_size_t), ("kn_capi_close", None, handle), ("kn_capi_free", None, answer),
            ("kn_capi_error", text, handle), ("kn_capi_status", number, handle), ("kn_capi_cancel", None, handle), ("kn_capi_plugin", number, handle, text),
            ("kn_capi_list", answer, handle, text), ("kn_capi_game", handle, handle, text, text), ("kn_capi_game_close", None, handle),
            ("kn_capi_state", answer, handle), ("kn_capi_play", number, handle, text), ("kn_capi_undo", number, handle),
            ("kn_capi_ask", answer, handle, text, text), ("kn_capi_layout", answer, handle), ("kn_capi_review", answer, handle, text),
            ("kn_capi_lab", answer, handle, text), ("kn_capi_match", answer, handle, text), ("kn_capi_tournament", answer, handle, text),
            ("kn_capi_train", answer, handle, text), ("kn_capi_runs", answer, handle), ("kn_capi_run", answer, handle, text, text),
            ("kn_capi_player", number, handle, text, CHOOSE, END, handle),
            ("kn_capi_batch", handle, handle, text, number), ("kn_capi_batch_close", None, handle), ("kn_capi_batch_about", answer, handle),
            ("kn_capi_batch_reset", None, handle, handle), ("kn_capi_batch_step", number, handle, handle),
            ("kn_capi_batch_read", None, handle, handle, handle, handle, handle), ("kn_capi_batch_moves", answer, handle, number)]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def version() -> str:
    """The version of the library."""
    return _library.kn_version().decode()


def open(data: Optional[os.PathLike] = None, plugins: Iterable[os.PathLike] = ()) -> "Knack":
    """Opens the library. `data` is the data folder (default: the user's); `plugins` are shared objects with games, players and evaluations."""
    return Knack(data, plugins)


def _bytes(value):
    """Text for the library. What is no text, or holds a NUL that would cut it, is an error and never reaches C."""
    if value is None:
        return None
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"expected text, not {type(value).__name__}")
    found = os.fspath(value)
    found = found if isinstance(found, bytes) else found.encode("utf-8", "surrogateescape")
    if b"\0" in found:
        raise ValueError("text for the library cannot hold a NUL character")
    return found


def _word(value):
    """Text that must be there."""
    if value is None:
        raise TypeError("expected text, not None")
    return _bytes(value)


def _plan(plan):
    """A plan as JSON. NaN and infinities are no JSON."""
    try:
        return json.dumps(plan, allow_nan=False).encode()
    except (TypeError, ValueError) as problem:
        raise Error(f"this plan cannot be written down: {problem}", 2) from None


class Trained(dict):
    """What training led to: the file, the spec of the player that uses it, the last point of the learning curve if one was measured."""

    @property
    def file(self):
        return self["file"]

    @property
    def player(self):
        return self["player"]

    @property
    def point(self):
        """[x, y, low, high], or None."""
        return self.get("point")

    @property
    def curve(self) -> Curve:
        """The learning curve, if points were measured; it is kept where the training has a folder (`into`, or neither `out` nor `into`)."""
        found = {}
        path = os.path.join(self.get("folder") or "", "curve.json")
        if self.get("folder") and os.path.exists(path):
            with _open(path) as file:
                found = json.load(file)
        return Curve(found.get("points") or ([self.point] if self.point else []), name=str(self.get("learner", "")))

    @property
    def knowledge(self) -> Dict[str, Any]:
        """What was learned, as a dict: the file itself where it is JSON, else the explanation of it (train with explain=True)."""
        try:
            with _open(self["file"]) as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {"values": found}
        except (OSError, UnicodeDecodeError, ValueError):
            return self.get("learned") or {}

    @property
    def explanation(self) -> Explanation:
        return Explanation(self.get("learned") or {"text": "train with explain=True for an explanation"})

    def _repr_html_(self) -> str:
        return self.explanation._repr_html_() + (self.curve._repr_html_() if len(self.curve) else "")


class MatchResult(dict):
    """The document of `knack match --json`; the usual figures are attributes, seen by the first player."""

    @property
    def wins(self):
        return self["result"]["wins"]

    @property
    def draws(self):
        return self["result"]["draws"]

    @property
    def losses(self):
        return self["result"]["losses"]

    @property
    def score(self):
        return self["result"]["score"]

    @property
    def interval(self):
        """The 95% interval of the score."""
        return tuple(self["result"]["score_95"])

    @property
    def elo(self) -> float:
        return self["result"]["elo"]["value"]

    @property
    def los(self) -> float:
        """The likelihood that the first player is the better one."""
        return self["result"]["los"]

    def __str__(self) -> str:
        first, second = self["settings"]["players"]
        return (f"{first} against {second}: +{self.wins} ={self.draws} -{self.losses}, score {self.score:.3f} [{self.interval[0]:.3f}, {self.interval[1]:.3f}], "
                f"Elo {self.elo:+.0f}, LOS {100 * self.los:.1f} %")

    def _repr_html_(self) -> str:
        first, second = self["settings"]["players"]
        return rows_html([{"player": first, "opponent": second, "wins": self.wins, "draws": self.draws, "losses": self.losses, "score": f"{self.score:.3f}",
                           "95 %": f"[{self.interval[0]:.3f}, {self.interval[1]:.3f}]", "Elo": f"{self.elo:+.0f}", "LOS": f"{100 * self.los:.1f} %"}])


class Tournament(dict):
    """The document of `knack tournament --json`: players by rating, matches in the order played."""

    @property
    def ratings(self) -> Dict[str, float]:
        return {row["player"]: row["elo"] for row in self["players"]}

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each player, for pandas."""
        return [{key: row[key] for key in ("player", "elo", "elo_95", "points", "games")} for row in self["players"]]

    def _repr_html_(self) -> str:
        return rows_html(self.rows())

    def plot(self, axes: Any = None) -> Any:
        """The ratings with their errors; needs matplotlib."""
        from .view import new_axes
        axes = axes or new_axes()
        rows = self.rows()[::-1]
        axes.errorbar([r["elo"] for r in rows], range(len(rows)), xerr=[r["elo_95"] for r in rows], fmt="o")
        axes.set_yticks(range(len(rows)), [r["player"] for r in rows])
        axes.set_xlabel("Elo")
        return axes


class _Open:
    """An object that is open until close() or the end of a `with`. `_handle` is None afterwards."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _alive(self):
        if not self._handle:
            raise Error(f"this {type(self).__name__} is closed", 2)
        return self._handle


class Knack(_Open):
    def __init__(self, data=None, plugins=()):
        message = ctypes.create_string_buffer(1024)
        self._handle = _library.kn_capi_open(_bytes(data), message, len(message))
        if not self._handle:
            raise Error(message.value.decode(errors="replace"))
        self._boards = set()
        self._folders = []
        self._seats = _Seats(self)
        try:
            for path in plugins:
                self.plugin(path)
        except Error:
            self.close()
            raise

    def close(self):
        if self._handle:
            for board in list(self._boards):
                board.close()
            _library.kn_capi_close(self._handle)
            self._handle = None
            for folder in self._folders:
                shutil.rmtree(folder, ignore_errors=True)

    # -- helpers --

    def _failed(self):
        return Error(_library.kn_capi_error(self._handle).decode(errors="replace"), _library.kn_capi_status(self._handle))

    def _text(self, pointer):
        if not pointer:
            raise self._failed()
        try:
            return ctypes.string_at(pointer).decode()
        finally:
            _library.kn_capi_free(pointer)

    def _long(self, function, *arguments):
        """Runs a long call in a thread of its own, so that Ctrl-C reaches Python and stops it."""
        found, done = [], threading.Event()

        def work():
            try:
                found.append(function(*arguments))
            finally:
                done.set()

        threading.Thread(target=work, daemon=True).start()
        try:
            while not done.wait(0.1):
                pass
        except KeyboardInterrupt:
            _library.kn_capi_cancel(self._handle)
            done.wait()
            _library.kn_capi_free(found[0] if found else None)
            raise
        return self._text(found[0])

    # -- listings --

    def plugin(self, path):
        """Loads games, players and evaluations from a shared object."""
        if _library.kn_capi_plugin(self._alive(), _word(path)):
            raise self._failed()

    def _list(self, kind):
        return json.loads(self._text(_library.kn_capi_list(self._alive(), kind)))

    def games(self):
        return self._list(b"game")

    def players(self):
        return self._list(b"player")

    def evaluations(self):
        return self._list(b"evaluation")

    def learners(self):
        return self._list(b"learner")

    # -- playing --

    def board(self, game, position=None):
        """A game in progress, at the start or at a position in the game's notation."""
        return Board(self, game, position)

    def batch(self, game, games):
        """Many games stepped together, as numpy arrays (knack.batch)."""
        from .batch import Batch
        return Batch(self, game, games)

    def match(self, game, first, second, **plan):
        """Plays a match. Options: games, seed, jobs, random_plies, plies, judge, openings, opening_plies, shuffle_openings, tables, depth, nodes, seconds (for each move),
        tc ("60+0.6"), resign [moves, percent], draw [ply, moves, percent], engine_jobs, sprt, alpha, beta, sprt_model, name, store, resume.

        A player is a spec, or a program of your own: a function that gets a request (game, position, role, number, moves) and returns one of
        request["moves"] or its index; or an object with such a method `choose` and, if it learns, a method `end(payoffs, role)`. Matches with a program of
        your own are not stored, because nobody can tell whether it changed. Several threads may ask it at the same time; jobs=1 asks one by one."""
        return MatchResult(self._contest(_library.kn_capi_match, game, [first, second], plan))

    def tournament(self, game, players, **plan):
        """A round robin, or system="gauntlet" (challengers=1) or "swiss" (rounds=...); players as in match()."""
        return Tournament(self._contest(_library.kn_capi_tournament, game, list(players), plan))

    def _contest(self, function, game, players, plan):
        specs = [self._seats.spec(player) for player in players]
        if not all(isinstance(player, str) for player in players):
            if plan.get("store") or plan.get("name"):
                raise Error("a match with a program of your own is not stored: leave out store and name", 2)
            plan["store"] = False
        plan.update(game=game, players=specs)
        return self._seats.guard(lambda: json.loads(self._long(function, self._alive(), _plan(plan))))

    def train(self, game, learner, out=None, into=None, **plan):
        """Trains a learner ("td(games=200)", "sequences(method=context)", ...; learners() lists them with their options) and writes what it learned to
        the file `out`, or keeps the whole training run in the folder `into`. Further arguments: seed, jobs, points of the learning curve, explain.
        Returns a Trained. An interrupted training continues with the same call."""
        plan.update(game=game, learner=learner)
        if out is None and into is None:
            self._folders.append(tempfile.mkdtemp(prefix="knack-"))
            into = os.path.join(self._folders[-1], "training")
        if out is not None:
            plan["out"] = os.fspath(out)
        if into is not None:
            plan["into"] = os.fspath(into)
        trained = Trained(self._seats.guard(lambda: json.loads(self._long(_library.kn_capi_train, self._alive(), _plan(plan)))))
        if into is not None:
            trained["folder"] = os.path.dirname(trained["file"]) or os.fspath(into)
        return trained

    def name(self, player: Player) -> str:
        """The spec of a player of your own, to be named inside other specs: f"td(games=200, against={k.name(me)})", f"noisy({k.name(me)}, 0.1)"."""
        return self._seats.spec(player)

    def learn(self, game: str, learner: Any, games: int = 1000, **how: Any) -> Curve:
        """Trains a learner of your own and measures its curve: knack.study.learn."""
        return learn(self, game, learner, games, **how)

    # -- the lab --

    def lab(self, experiments: Optional[str] = None, **plan: Any) -> List[Dict[str, Any]]:
        """Measures experiments ("temporal.*"; scale="quick", seed, jobs), or gives what has been measured so far."""
        if experiments is not None:
            plan["experiments"] = experiments
        return json.loads(self._long(_library.kn_capi_lab, self._alive(), _plan(plan)))

    def lab_rows(self, experiments: Optional[str] = None, **plan: Any) -> List[Dict[str, Any]]:
        """The cells of lab() as rows for pandas."""
        return cell_rows(self.lab(experiments, **plan))

    def run_rows(self) -> List[Dict[str, Any]]:
        """runs() as flat rows for pandas."""
        return run_rows(self.runs())

    # -- environments --

    def environment(self, game: str, **how: Any) -> Any:
        """One game with reset, step, legal_actions and observation (knack.environments)."""
        from .environments import Environment
        return Environment(self, game, **how)

    def aec(self, game: str, **how: Any) -> Any:
        """A PettingZoo-like AEC environment."""
        from .environments import aec
        return aec(self, game, **how)

    def load_game(self, game: str, **how: Any) -> Any:
        """An OpenSpiel-like game with states."""
        from .environments import load_game
        return load_game(self, game, **how)

    # -- results --

    def runs(self):
        """The runs in the results store, newest first."""
        return json.loads(self._text(_library.kn_capi_runs(self._alive())))

    def run(self, name, format="json"):
        """One run with all its games, by name or number: a document, or for csv, latex, pdn, sgf and ggf the text."""
        text = self._text(_library.kn_capi_run(self._alive(), _word(str(name)), _word(format)))
        return json.loads(text) if format == "json" else text


class _Seats:
    """Players of your own, known to the library by a name; an exception in one of them comes out of the call that asked it."""

    def __init__(self, knack):
        self._knack, self._names, self._kept, self._raised = knack, {}, [], None

    def spec(self, player):
        if isinstance(player, str):
            return player
        choose = getattr(player, "choose", player)
        if not callable(choose):
            raise Error(f"a player is a spec, a function, or an object with a method choose, not {player!r}", 2)
        if id(player) not in self._names:
            self._names[id(player)] = self._register(player, choose, getattr(player, "end", None))
        return self._names[id(player)]

    def _register(self, player, choose, end):
        name = f"python{len(self._names) + 1}"

        def on_choose(_, text):
            try:
                request = json.loads(text)
                answer = choose(request)
                if not isinstance(answer, str):
                    answer = operator.index(answer)
                    if answer < 0:
                        raise IndexError(f"{answer} is no index of the {len(request['moves'])} moves")
                    return min(answer, len(request["moves"]))  # one too large is an illegal move, however large it is
                return request["moves"].index(answer)
            except BaseException as problem:  # it must not pass through C
                self._raised = self._raised or problem
                return -1

        def on_end(_, role, payoffs, roles):
            try:
                end(payoffs[:roles], role)
            except BaseException as problem:
                self._raised = self._raised or problem

        calls = CHOOSE(on_choose), END(on_end) if end else END()
        if _library.kn_capi_player(self._knack._alive(), name.encode(), *calls, None):
            raise self._knack._failed()
        self._kept.append((player, *calls))  # C holds no references
        return name

    def guard(self, call):
        """Runs a call; what a player raised meanwhile is raised here."""
        self._raised = None
        try:
            result = call()
        except Error:
            if self._raised:
                raise self._raised from None
            raise
        if self._raised:
            raise self._raised
        return result


class Board(_Open):
    """A game in progress. str() draws it."""

    def __init__(self, knack, game, position=None):
        self._knack = knack
        self._handle = _library.kn_capi_game(knack._alive(), _word(game), _bytes(position))
        if not self._handle:
            raise knack._failed()
        knack._boards.add(self)

    def close(self):
        if self._handle:
            _library.kn_capi_game_close(self._handle)
            self._handle = None
            self._knack._boards.discard(self)

    def state(self):
        """All of it: game, position, drawing, roles, movers, moves by role, played, over, payoffs."""
        return json.loads(self._knack._text(_library.kn_capi_state(self._alive())))

    def __str__(self):
        return self.state()["drawing"]

    @property
    def position(self):
        return self.state()["position"]

    @property
    def played(self):
        return self.state()["played"]

    @property
    def over(self):
        return self.state()["over"]

    @property
    def payoffs(self):
        """A number for each role when the game is over, else None."""
        return self.state()["payoffs"]

    @property
    def mover(self):
        """The name of the role to move; the first one where several move at the same time; None when the game is over."""
        movers = self.state()["movers"]
        return movers[0] if movers else None

    def moves(self, role=None):
        """Legal moves of a role (default: the mover)."""
        state = self.state()
        role = role or (state["movers"] or [None])[0]
        return state["moves"].get(role, [])

    def play(self, *moves):
        """Plays moves in the game's notation, joint moves as a|b: all of them or none."""
        if _library.kn_capi_play(self._alive(), _word(" ".join(moves))):
            raise self._knack._failed()
        return self

    def undo(self, plies=1):
        for _ in range(plies):
            if _library.kn_capi_undo(self._alive()):
                raise self._knack._failed()
        return self

    def ask(self, player, **how):
        """Asks a player for a move, which is not played: move, score, values, depth, nodes, text, reason. Options: seed, role, depth, nodes, seconds."""
        seats = self._knack._seats
        spec = seats.spec(player)
        return seats.guard(lambda: Answer(json.loads(self._knack._long(_library.kn_capi_ask, self._alive(), _word(spec), _plan(how)))))

    def layout(self) -> Dict[str, Any]:
        """The board as cells: cells (indices into symbols), symbols, places, names, payoffs."""
        return json.loads(self._knack._text(_library.kn_capi_layout(self._alive())))

    def review(self, judge: Optional[Player] = None, **how: Any) -> Review:
        """The game so far judged move by move, by a player that fits the game unless you name one. Options: role (0 or 1), seed, depth, nodes, seconds."""
        if judge is not None:
            how["judge"] = self._knack._seats.spec(judge)
        return Review(json.loads(self._knack._long(_library.kn_capi_review, self._alive(), _plan(how))))

    def svg(self) -> str:
        """The board as a picture."""
        layout = self.layout()
        return board_svg(layout["cells"], layout["symbols"], layout["places"], self.position)

    def _repr_html_(self) -> str:
        layout = self.layout()
        return self.svg() if layout["cells"] else f"<pre>{self}</pre>"


def __getattr__(name):
    if name == "Batch":  # needs numpy, which the rest does without
        from .batch import Batch
        return Batch
    if name in ("AEC", "Environment", "State", "aec", "load_game"):
        from . import environments
        return getattr(environments, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
