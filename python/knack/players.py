"""Players of your own: Python functions and objects that the library calls for their moves."""
from __future__ import annotations

import json
import operator
import re
import threading
from typing import Any, Callable, Dict, List, Optional, TypeVar, Union

from .native import CHOOSE, END, Error, library

__all__ = ["Player", "Seats"]

Player = Union[str, Callable[[Dict[str, Any]], Any], Any]
"""A spec; a function that gets a request and returns a move; or an object with `choose` and perhaps `end`."""

Found = TypeVar("Found")


class Seats:
    """Players of your own, known to the library by a name. What one of them raises comes out of the call that asked it."""

    def __init__(self, knack: Any):
        self._knack = knack
        self._names: Dict[int, str] = {}
        self._kept: List[Any] = []  # C holds no references
        self._raised: Optional[BaseException] = None
        self._depth, self._lock = 0, threading.Lock()
        self._registering = threading.Lock()  # players that ask new players do so from several threads

    def spec(self, player: Player) -> str:
        """The spec of a player, which is registered if it is not one already."""
        if isinstance(player, str):
            return player
        choose = getattr(player, "choose", player)
        if not callable(choose):
            raise Error(f"a player is a spec, a function, or an object with a method choose, not {player!r}", 2)
        with self._registering:
            if id(player) not in self._names:
                self._names[id(player)] = self._register(player, choose, getattr(player, "end", None))
            return self._names[id(player)]

    def is_own(self, spec: str) -> bool:
        """Whether a spec names a player of your own, itself or inside."""
        words = set(re.findall(r"\w+", spec))
        with self._registering:
            return any(name in words for name in self._names.values())

    def _register(self, player: Any, choose: Callable[[Dict[str, Any]], Any], end: Any) -> str:
        name = f"python{len(self._names) + 1}"

        def on_choose(_: Any, text: bytes) -> int:
            try:
                request = json.loads(text)
                answer = choose(request)
                if isinstance(answer, str):
                    if answer not in request["moves"]:
                        raise ValueError(f"{answer!r} is no legal move; legal: {' '.join(request['moves'][:40])}")
                    return int(request["moves"].index(answer))
                answer = operator.index(answer)
                if answer < 0:
                    raise IndexError(f"{answer} is no index of the {len(request['moves'])} moves")
                return min(answer, 2 ** 31 - 1)  # one too large is an illegal move, however large it is
            except BaseException as problem:  # it must not pass through C
                self._raised = self._raised or problem
                return -1

        def on_end(_: Any, role: int, payoffs: Any, roles: int) -> None:
            try:
                end(payoffs[:roles], role)
            except BaseException as problem:
                self._raised = self._raised or problem

        calls = CHOOSE(on_choose), END(on_end) if callable(end) else END(0)
        self._knack._check(library.kn_capi_player, self._knack._alive(), name.encode(), *calls, None)
        self._kept.append((player, *calls))
        return name

    def guard(self, call: Callable[[], Found]) -> Found:
        """Runs a call; what a player raised meanwhile is raised here. A player may make such a call itself."""
        with self._lock:
            self._depth += 1
            outermost = self._depth == 1
            if outermost:
                self._raised = None
        try:
            result = call()
            if outermost and self._raised:
                raise self._raised
            return result
        except Error:
            if self._raised:
                raise self._raised from None
            raise
        finally:
            with self._lock:
                self._depth -= 1
