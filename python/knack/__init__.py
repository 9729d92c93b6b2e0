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
import ctypes
import ctypes.util
import json
import os
import threading

__all__ = ["Batch", "Board", "Error", "Knack", "MatchResult", "Trained", "open", "version"]

_INTERFACE = 1

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
            ("kn_capi_ask", answer, handle, text, text), ("kn_capi_match", answer, handle, text), ("kn_capi_tournament", answer, handle, text),
            ("kn_capi_train", answer, handle, text), ("kn_capi_runs", answer, handle), ("kn_capi_run", answer, handle, text, text),
            ("kn_capi_player", number, handle, text, CHOOSE, END, handle),
            ("kn_capi_batch", handle, handle, text, number), ("kn_capi_batch_close", None, handle), ("kn_capi_batch_about", answer, handle),
            ("kn_capi_batch_reset", None, handle, handle), ("kn_capi_batch_step", number, handle, handle),
            ("kn_capi_batch_read", None, handle, handle, handle, handle, handle), ("kn_capi_batch_moves", answer, handle, number)]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def version():
    return _library.kn_version().decode()


def open(data=None, plugins=()):
    """Opens the library. `data` is the data folder (default: the user's); `plugins` are shared objects with games, players and evaluations."""
    return Knack(data, plugins)


def _bytes(value):
    return None if value is None else os.fspath(value).encode()


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
        if _library.kn_capi_plugin(self._alive(), _bytes(path)):
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
        """Plays a match. Options: games, seed, jobs, random_plies, plies, openings, tables,
        sprt, alpha, beta, sprt_model, name, store, resume.

        A player is a spec, or a program of your own: a function that gets a request (game, position, role, number, moves) and returns one of
        request["moves"] or its index; or an object with such a method `choose` and, if it learns, a method `end(payoffs, role)`. Matches with a program of
        your own are not stored, because nobody can tell whether it changed. Several threads may ask it at the same time; jobs=1 asks one by one."""
        return MatchResult(self._contest(_library.kn_capi_match, game, [first, second], plan))

    def tournament(self, game, players, **plan):
        """A round robin; players as in match()."""
        return self._contest(_library.kn_capi_tournament, game, list(players), plan)

    def _contest(self, function, game, players, plan):
        specs = [self._seats.spec(player) for player in players]
        if specs != players:
            if plan.get("store") or plan.get("name"):
                raise Error("a match with a program of your own is not stored: leave out store and name", 2)
            plan["store"] = False
        plan.update(game=game, players=specs)
        return self._seats.guard(lambda: json.loads(self._long(function, self._alive(), json.dumps(plan).encode())))

    def train(self, game, learner, out=None, into=None, **plan):
        """Trains a learner ("td(games=200)", "sequences(method=context)", ...; learners() lists them with their options) and writes what it learned to
        the file `out`, or keeps the whole training run in the folder `into`. Further arguments: seed, jobs, points of the learning curve, explain.
        Returns a Trained. An interrupted training continues with the same call."""
        plan.update(game=game, learner=learner)
        if out is not None:
            plan["out"] = os.fspath(out)
        if into is not None:
            plan["into"] = os.fspath(into)
        return Trained(json.loads(self._long(_library.kn_capi_train, self._alive(), json.dumps(plan).encode())))

    # -- results --

    def runs(self):
        """The runs in the results store, newest first."""
        return json.loads(self._text(_library.kn_capi_runs(self._alive())))

    def run(self, name, format="json"):
        """One run with all its games, by name or number: a document, or for csv, latex, pdn, sgf and ggf the text."""
        text = self._text(_library.kn_capi_run(self._alive(), str(name).encode(), format.encode()))
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
                return answer if isinstance(answer, int) else request["moves"].index(answer)
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
        self._handle = _library.kn_capi_game(knack._alive(), game.encode(), _bytes(position))
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
        if _library.kn_capi_play(self._alive(), " ".join(moves).encode()):
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
        return seats.guard(lambda: json.loads(self._knack._long(_library.kn_capi_ask, self._alive(), spec.encode(), json.dumps(how).encode())))


def __getattr__(name):
    if name == "Batch":  # needs numpy, which the rest does without
        from .batch import Batch
        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
