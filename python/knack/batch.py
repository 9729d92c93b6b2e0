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
import ctypes
import json
import operator

import numpy

from . import _library, _Open, _word

__all__ = ["Batch"]


class Batch(_Open):
    """Arrays that every step brings up to date, a row a game:

    movers   the role to move, -1 when the game is over        (games,)        int32
    counts   the number of legal moves                          (games,)        int32
    cells    what is on each cell, an index into `symbols`      (games, cells)  uint8
    payoffs  one number for each role; 0 before the end         (games, roles)  float64

    The arrays stay the same objects; copy what you want to keep."""

    def __init__(self, knack, game, games):
        self._knack = knack
        self._handle = _library.kn_capi_batch(knack._alive(), _word(game), operator.index(games))
        if not self._handle:
            raise knack._failed()
        knack._boards.add(self)
        about = json.loads(knack._text(_library.kn_capi_batch_about(self._handle)))
        self.game, self.symbols, self.roles, self.max_moves = about["game"], about["symbols"], about["roles"], about["max_moves"]
        self.places = numpy.array(about["places"], dtype=float).reshape(-1, 2)
        self.payoff_range = tuple(about["payoffs"])
        self.movers = numpy.empty(games, dtype=numpy.int32)
        self.counts = numpy.empty(games, dtype=numpy.int32)
        self.cells = numpy.empty((games, about["cells"]), dtype=numpy.uint8)
        self.payoffs = numpy.empty((games, len(self.roles)), dtype=numpy.float64)
        self._read()

    def close(self):
        if self._handle:
            _library.kn_capi_batch_close(self._handle)
            self._handle = None
            self._knack._boards.discard(self)

    def __len__(self):
        return len(self.movers)

    @property
    def over(self):
        """Which games have ended."""
        return self.movers < 0

    def _read(self):
        _library.kn_capi_batch_read(self._alive(), *(array.ctypes.data_as(ctypes.c_void_p) for array in (self.movers, self.counts, self.cells, self.payoffs)))

    def reset(self, which=None):
        """Begins all games again, or those where `which` is true. Returns the batch."""
        if which is not None:
            which = numpy.ascontiguousarray(which, dtype=bool).astype(numpy.uint8)
            if which.shape != self.movers.shape:
                raise ValueError(f"which has the shape {which.shape}, the batch {self.movers.shape}")
        _library.kn_capi_batch_reset(self._alive(), None if which is None else which.ctypes.data_as(ctypes.c_void_p))
        self._read()
        return self

    def step(self, actions):
        """Plays one action in each game. Nothing is played if one of them is out of range. Returns the batch."""
        actions = numpy.ascontiguousarray(actions, dtype=numpy.int32)
        if actions.shape != self.movers.shape:
            raise ValueError(f"actions have the shape {actions.shape}, the batch {self.movers.shape}")
        if _library.kn_capi_batch_step(self._alive(), actions.ctypes.data_as(ctypes.c_void_p)):
            raise self._knack._failed()
        self._read()
        return self

    def moves(self, index):
        """The legal moves of one game in its notation, in the order of their actions."""
        return json.loads(self._knack._text(_library.kn_capi_batch_moves(self._alive(), int(index))))

    def planes(self):
        """The boards as planes, a plane for each symbol but the first: (games, planes, cells), float32."""
        symbols = numpy.arange(1, len(self.symbols), dtype=numpy.uint8)
        return (self.cells[:, None, :] == symbols[None, :, None]).astype(numpy.float32)


def measure(game="othello", games=1024, rounds=10):
    """Moves a second of random play, by the clock and by the processor time of this process: the best of some rounds, since others use the machine too."""
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
    by_clock, by_processor = measure(*sys.argv[1:2], *(int(word) for word in sys.argv[2:3]))
    print(f"{by_clock / 1e6:.2f} million moves a second by the clock, {by_processor / 1e6:.2f} million a second of processor time")
