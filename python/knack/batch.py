"""Many games of one kind, stepped together, as numpy arrays.

    with knack.open() as k:
        games = k.batch("othello", 1024)
        while not games.over.all():
            actions = (rng.random(len(games)) * games.counts).astype(int)     # any legal move
            games.step(numpy.where(games.over, -1, actions))
        print(games.payoffs.mean(axis=0))

An action is the index of a legal move: 0 to counts[i] - 1; -1 leaves a game alone.

`python3 -m knack.batch [GAME [GAMES]]` measures how many moves a second random play in such a loop makes.
"""
from __future__ import annotations

import ctypes
import json
import operator
import threading
from typing import Any, List, Optional, Tuple

import numpy

from .grid import Array, Grid
from .native import Handle, as_word, library

__all__ = ["Batch", "measure"]


def _at(array: Array) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


class Batch(Handle):
    """Arrays that every step brings up to date, a row a game:

    movers   the role to move, -1 when the game is over        (games,)        int32
    counts   the number of legal moves                          (games,)        int32
    cells    what is on each cell, an index into `symbols`      (games, cells)  uint8
    payoffs  one number for each role; 0 before the end         (games, roles)  float64

    The arrays stay the same objects; copy what you want to keep."""

    def __init__(self, knack: Any, game: str, games: int):
        games = max(-1, min(operator.index(games), 2 ** 31 - 1))  # the library says what is wrong with them
        self._knack, self._own_lock = knack, threading.RLock()
        self._handle = knack._opened(library.kn_capi_batch, knack._alive(), as_word(game), games)
        knack._open.add(self)
        about = json.loads(knack._answer(library.kn_capi_batch_about, self))
        self.game: str = about["game"]
        self.symbols: str = about["symbols"]
        self.roles: List[str] = about["roles"]
        self.max_moves: int = about["max_moves"]
        self.places = numpy.array(about["places"], dtype=float).reshape(-1, 2)
        self.grid: Optional[Grid] = Grid.of(self.places)
        self.payoff_range: Tuple[float, ...] = tuple(about["payoffs"])
        self.movers = numpy.empty(games, dtype=numpy.int32)
        self.counts = numpy.empty(games, dtype=numpy.int32)
        self.cells = numpy.empty((games, about["cells"]), dtype=numpy.uint8)
        self.payoffs = numpy.empty((games, len(self.roles)), dtype=numpy.float64)
        self._read()

    def close(self) -> None:
        """Ends the games; the arrays stay as they are."""
        with self._own_lock:
            if self._handle:
                library.kn_capi_batch_close(self._handle)
                self._handle = None
                self._knack._open.discard(self)

    def __len__(self) -> int:
        return len(self.movers)

    @property
    def over(self) -> Array:
        """Which games have ended."""
        return self.movers < 0

    def _read(self) -> None:
        arrays: List[Array] = [self.movers, self.counts, self.cells, self.payoffs]
        library.kn_capi_batch_read(self._alive(), *map(_at, arrays))

    def reset(self, which: Any = None) -> "Batch":
        """Begins all games again, or those where `which` is true. Returns the batch."""
        if which is not None:
            which = numpy.ascontiguousarray(which, dtype=bool).astype(numpy.uint8)
            if which.shape != self.movers.shape:
                raise ValueError(f"which has the shape {which.shape}, the batch {self.movers.shape}")
        with self._own_lock:
            library.kn_capi_batch_reset(self._alive(), None if which is None else _at(which))
            self._read()
        return self

    def step(self, actions: Any) -> "Batch":
        """Plays one action in each game. Nothing is played if one of them is out of range. Returns the batch."""
        given = numpy.asarray(actions)
        if given.shape != self.movers.shape:
            raise ValueError(f"actions have the shape {given.shape}, the batch {self.movers.shape}")
        if given.dtype.kind not in "iu" and not (given.dtype.kind == "f" and (given == numpy.rint(given)).all()):
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        within = given if given.dtype == numpy.int32 else numpy.clip(given, -2, 2 ** 31 - 1)
        wanted = numpy.ascontiguousarray(within, numpy.int32)
        with self._own_lock:
            if library.kn_capi_batch_step(self._alive(), _at(wanted)):  # nothing was played: again, for its message
                self._knack._check(library.kn_capi_batch_step, self._alive(), _at(wanted))
            self._read()
        return self

    def moves(self, index: int) -> List[str]:
        """The legal moves of one game in its notation, in the order of their actions."""
        index = operator.index(index)
        if not 0 <= index < len(self):
            raise IndexError(f"there is no game {index}; the batch has {len(self)}, from 0")
        with self._own_lock:
            found: List[str] = json.loads(self._knack._answer(library.kn_capi_batch_moves, self, index))
            return found

    legal_moves = moves

    def planes(self, grid: bool = False) -> Array:
        """The boards as planes, a plane for each symbol but the first: (games, planes, cells), float32; with grid=True as
        pictures, (games, planes, height, width), where the cells stand in rows and columns."""
        symbols = numpy.arange(1, len(self.symbols), dtype=numpy.uint8)
        planes = (self.cells[:, None, :] == symbols[None, :, None]).astype(numpy.float32)
        return Grid.fill(self.grid, planes) if grid else planes


def measure(game: str = "othello", games: int = 1024, rounds: int = 10) -> Tuple[float, float]:
    """Moves a second of random play, by the clock and by the processor time of this process: the best of some rounds, since
    others use the machine too."""
    import time
    from . import open as open_library
    rng, best = numpy.random.default_rng(1), (0.0, 0.0)
    with open_library() as k:
        batch = k.batch(game, games)
        for _ in range(rounds):
            batch.reset()
            moves, clock, processor = 0, time.perf_counter(), time.process_time()
            while not batch.over.all():
                moves += int((~batch.over).sum())
                batch.step(numpy.where(batch.over, -1, (rng.random(games) * batch.counts).astype(numpy.int32)))
            found = moves / (time.perf_counter() - clock), moves / (time.process_time() - processor)
            best = max(best[0], found[0]), max(best[1], found[1])
    return best


if __name__ == "__main__":
    import sys
    by_clock, by_processor = measure(sys.argv[1] if len(sys.argv) > 1 else "othello", int(sys.argv[2]) if len(sys.argv) > 2 else 1024)
    print(f"{by_clock / 1e6:.2f} million moves a second by the clock, {by_processor / 1e6:.2f} million a second of processor time")
