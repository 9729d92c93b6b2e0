"""Learning curves, your own learners, and the lab's results as rows.

    curve = k.learn("tictactoe", MyLearner(), games=2000, points=5, against="random")
    curve.plot()                                       # where matplotlib is there
    pandas.DataFrame(k.lab_rows("temporal.*"))         # cells: measured beside published
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

from .view import new_axes, rows_html

__all__ = ["Curve", "against_rows", "cell_rows", "learn", "run_rows"]


Point = Tuple[float, float, float, float]


def _point(values: Sequence[float]) -> Point:
    x, y, low, high = (float(value) for value in values[:4])
    return x, y, low, high


class Curve:
    """A learning curve: `points` are (x, y, low, high), x in games or examples, low and high the 95 % interval.

    x, y, low and high are its columns as numpy arrays, and numpy.asarray(curve) has them all."""

    def __init__(self, points: Sequence[Sequence[float]], name: str = "", x: str = "games", y: str = "score"):
        self.points: List[Point] = [_point(point) for point in points]
        self.name, self.labels = name, (x, y)

    @property
    def x(self) -> Any:
        """Games or examples that were learned from."""
        return self.__array__()[:, 0]

    @property
    def y(self) -> Any:
        """What was measured there."""
        return self.__array__()[:, 1]

    @property
    def low(self) -> Any:
        """The lower ends of the 95 % intervals."""
        return self.__array__()[:, 2]

    @property
    def high(self) -> Any:
        """The upper ends of the 95 % intervals."""
        return self.__array__()[:, 3]

    def __len__(self) -> int:
        return len(self.points)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy
        return numpy.array(self.points, dtype=dtype or float).reshape(-1, 4)

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each point, for pandas."""
        return [{"name": self.name, self.labels[0]: p[0], self.labels[1]: p[1], "low": p[2], "high": p[3]} for p in self.points]

    def _repr_html_(self) -> str:
        return rows_html(self.rows())

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, " + ", ".join(f"{p[0]:g}: {p[1]:.3f} [{p[2]:.3f}, {p[3]:.3f}]" for p in self.points) + ")"

    def plot(self, axes: Any = None) -> Any:
        """Draws the curve with its 95 % intervals; needs matplotlib."""
        axes = axes if axes is not None else new_axes()
        line, = axes.plot(self.x, self.y, marker="o", label=self.name)
        axes.fill_between(self.x, self.low, self.high, alpha=0.2, color=line.get_color())
        axes.set_xlabel(self.labels[0])
        axes.set_ylabel(self.labels[1])
        return axes


def learn(knack: Any, game: str, learner: Any, games: int = 1000, against: Any = "random", held_out: Any = None,
          points: int = 5, test_games: int = 200, seed: int = 1, plies: int = 0,
          frozen: Callable[[Any], Any] = lambda learner: learner) -> Curve:
    """Lets a learner of your own play `games` games and measures it `points` times against `held_out`, an opponent that it
    does not learn from (default: the same). A game that need not end wants a limit of `plies`.

    The learner is an object with choose(request) and end(payoffs, role). While it is measured, its attribute `learning` is
    False if it has one, and `frozen(learner)` may give another player to measure. Every part of the games has its own seed,
    and the seeds of measurements are those of no training."""
    if not callable(getattr(learner, "choose", None)):
        raise TypeError("a learner is an object with choose(request) and end(payoffs, role), or a spec for train(), "
                        f"not {type(learner).__name__}")
    if games < 1 or points < 1 or test_games < 1:
        raise ValueError("games, points and test_games are at least 1")
    curve, played = [], 0

    def measure() -> None:
        had = getattr(learner, "learning", None)
        if had is not None:
            learner.learning = False
        try:
            opponent = held_out if held_out is not None else against
            result = knack.match(game, frozen(learner), opponent, games=test_games, seed=seed + 1_000_000, plies=plies,
                                 jobs=1, store=False)
        finally:
            if had is not None:
                learner.learning = had
        curve.append((played, result.score, *result.interval))

    measure()
    for point in range(points):
        part = games * (point + 1) // points - played
        if part:
            knack.match(game, learner, against, games=part, seed=seed + point, plies=plies, jobs=1, store=False)
        played += part
        measure()
    return Curve(curve, name=type(learner).__name__)


def _scalars(row: Dict[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in row.items() if not isinstance(value, (dict, list))}


def cell_rows(results: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Cells of the lab's results, a flat dict each: experiment, scale, seed, table, row, column, measured, low, high, n,
    published, verdict, ..."""
    return [{"experiment": result["experiment"], "scale": result["scale"], "seed": result["seed"], "table": table["id"],
             **_scalars(cell)}
            for result in results for table in result["tables"] for cell in table["cells"]]


def against_rows(knack: Any, game: str, players: Iterable[Any], opponents: Iterable[Any], games: int = 100, seed: int = 1000,
                 **plan: Any) -> List[Dict[str, Any]]:
    """Every player against every opponent, as rows with the columns of the lab's: table (the game), row (the player),
    column (the opponent), measured (the score), low, high, n. Players and options as in match(); a pair (name, player)
    gives a player of your own its name in the rows."""
    def named(player: Any) -> Tuple[str, Any]:
        if isinstance(player, tuple) and len(player) == 2:
            return str(player[0]), player[1]
        return (player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)), player

    rows = []
    against = [named(opponent) for opponent in opponents]
    for row, player in map(named, players):
        for column, opponent in against:
            result = knack.match(game, player, opponent, games=games, seed=seed, **{"store": False, **plan})
            rows.append({"experiment": "against", "scale": "own", "seed": seed, "table": game, "row": row, "column": column,
                         "measured": result.score, "low": result.interval[0], "high": result.interval[1],
                         "n": result["result"]["games"]})
    return rows


def run_rows(runs: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Runs of the results store, a flat dict each."""
    rows = []
    for run in runs:
        row = _scalars(run)
        row.update({f"setting_{k}": v for k, v in _scalars(run.get("settings") or {}).items()})
        for number, player in enumerate((run.get("settings") or {}).get("players", [])[:2], 1):
            row[f"player{number}"] = player
        row.update(_scalars((run.get("summary") or {}).get("result") or {}))
        rows.append(row)
    return rows
