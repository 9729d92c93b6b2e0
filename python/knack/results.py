"""What matches, tournaments and trainings give: the library's documents with their usual figures as attributes."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Tuple

from .study import Curve
from .view import Explanation, new_axes, rows_html

__all__ = ["MatchResult", "Tournament", "Trained"]


class Trained(Dict[str, Any]):
    """What a training led to. `curve` and `knowledge` read its files, which last as long as the folder that you named,
    or as the Knack if you named none."""

    learner_object: Any = None  # a learner of your own

    @property
    def file(self) -> Optional[str]:
        """The file that holds what was learned; None for a learner of your own, which keeps that itself."""
        return self["file"]

    @property
    def player(self) -> str:
        """The spec of the player that uses it: for matches, tournaments and questions."""
        return str(self["player"])

    @property
    def point(self) -> Optional[List[float]]:
        """The last point of the learning curve, [x, y, low, high], or None if none was measured."""
        return self.get("point")

    @property
    def curve(self) -> Curve:
        """The learning curve, if points were measured. A training into a single file (`out`) keeps the last one only."""
        points = self.get("points")
        path = os.path.join(self.get("folder") or "", "curve.json")
        if points is None and self.get("folder") and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                points = json.load(file).get("points")
        return Curve(points or ([self.point] if self.point else []), name=str(self.get("learner", "")))

    @property
    def knowledge(self) -> Dict[str, Any]:
        """What was learned, as a dict: the file itself where it is JSON, else the explanation of it (explain=True); of a
        learner of your own its attribute `knowledge`."""
        if self.learner_object is not None:
            return dict(getattr(self.learner_object, "knowledge", {}))
        try:
            with open(str(self["file"]), encoding="utf-8") as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {"values": found}
        except (OSError, UnicodeDecodeError, ValueError):
            return self.get("learned") or {}

    @property
    def explanation(self) -> Explanation:
        """What was learned, in words (train with explain=True)."""
        return Explanation(self.get("learned") or {"text": "train with explain=True for an explanation"})

    def _repr_html_(self) -> str:
        return self.explanation._repr_html_() + (self.curve._repr_html_() if len(self.curve) else "")


class MatchResult(Dict[str, Any]):
    """The document of `knack match --json`. Its figures are the first player's."""

    @property
    def wins(self) -> int:
        """Games won."""
        return int(self["result"]["wins"])

    @property
    def draws(self) -> int:
        """Games drawn."""
        return int(self["result"]["draws"])

    @property
    def losses(self) -> int:
        """Games lost."""
        return int(self["result"]["losses"])

    @property
    def score(self) -> float:
        """The share of the points; a draw is half a point."""
        return float(self["result"]["score"])

    @property
    def interval(self) -> Tuple[float, float]:
        """The 95 % interval of the score."""
        low, high = self["result"]["score_95"]
        return float(low), float(high)

    @property
    def elo(self) -> float:
        """The difference in Elo that fits the score."""
        return float(self["result"]["elo"]["value"])

    @property
    def los(self) -> float:
        """The likelihood that the first player is the better one."""
        return float(self["result"]["los"])

    def __str__(self) -> str:
        first, second = self["settings"]["players"]
        return (f"{first} against {second}: +{self.wins} ={self.draws} -{self.losses}, "
                f"score {self.score:.3f} [{self.interval[0]:.3f}, {self.interval[1]:.3f}], "
                f"Elo {self.elo:+.0f}, LOS {100 * self.los:.1f} %")

    def _repr_html_(self) -> str:
        first, second = self["settings"]["players"]
        return rows_html([{"player": first, "opponent": second, "wins": self.wins, "draws": self.draws,
                           "losses": self.losses, "score": f"{self.score:.3f}",
                           "95 %": f"[{self.interval[0]:.3f}, {self.interval[1]:.3f}]",
                           "Elo": f"{self.elo:+.0f}", "LOS": f"{100 * self.los:.1f} %"}])


class Tournament(Dict[str, Any]):
    """The document of `knack tournament --json`: players by rating, matches in the order played."""

    @property
    def ratings(self) -> Dict[str, float]:
        """Elo of each player, relative to the mean."""
        return {row["player"]: row["elo"] for row in self["players"]}

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each player, for pandas."""
        columns = ("player", "elo", "elo_95", "points", "games")
        return [{key: row[key] for key in columns if key in row} for row in self["players"]]

    def _repr_html_(self) -> str:
        return rows_html(self.rows())

    def plot(self, axes: Any = None) -> Any:
        """Draws the ratings with their errors; needs matplotlib."""
        axes = axes if axes is not None else new_axes()
        rows = self.rows()[::-1]
        axes.errorbar([r["elo"] for r in rows], range(len(rows)), xerr=[r["elo_95"] for r in rows], fmt="o")
        axes.set_yticks(range(len(rows)), [r["player"] for r in rows])
        axes.set_xlabel("Elo")
        return axes
