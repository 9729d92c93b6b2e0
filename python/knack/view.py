"""Boards, answers and curves as pictures: SVG and HTML for notebooks, matplotlib where it is there."""
from __future__ import annotations

import html
from typing import Any, Dict, List, Optional, Sequence

__all__ = ["Answer", "Explanation", "Review", "board_svg", "rows_html"]

_STEP = 40  # pixels from one cell to the next


def _piece(symbol: str, x: float, y: float) -> str:
    """A disc for the usual letters of men and stones, else the letter itself."""
    colours = {"x": "#222", "b": "#222", "o": "#fff", "w": "#fff", "B": "#222", "W": "#fff", "X": "#222", "O": "#fff"}
    if symbol not in colours:
        return f'<text x="{x:g}" y="{y + 6:g}" text-anchor="middle" font-size="18">{html.escape(symbol)}</text>'
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP * 0.38:g}" fill="{colours[symbol]}" stroke="#555"/>'
    if symbol in "BW":  # a king
        disc += f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP * 0.2:g}" fill="none" stroke="#c90" stroke-width="3"/>'
    return disc


def board_svg(cells: Sequence[int], symbols: str, places: Sequence[Sequence[float]], title: str = "") -> str:
    """A board as SVG: a square for each cell at its place, and what is on it. `cells` are indices into `symbols`; the first symbol is an empty cell."""
    if not len(cells) or len(cells) != len(places):
        raise ValueError(f"{len(cells)} cells and {len(places)} places do not make a board")
    left, top = min(p[0] for p in places), min(p[1] for p in places)
    width = (max(p[0] for p in places) - left + 1) * _STEP
    height = (max(p[1] for p in places) - top + 1) * _STEP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{min(width, 360):g}" role="img">',
             f"<title>{html.escape(title or 'board')}</title>"]
    for cell, (px, py) in zip(cells, places):
        x, y = (px - left) * _STEP, (py - top) * _STEP
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="{_STEP}" height="{_STEP}" fill="#d8c29d" stroke="#8a7446"/>')
        symbol = symbols[cell] if cell < len(symbols) else "?"
        if cell:
            parts.append(_piece(symbol, x + _STEP / 2, y + _STEP / 2))
    return "".join(parts) + "</svg>"


def rows_html(rows: Sequence[Dict[str, Any]], columns: Optional[Sequence[str]] = None) -> str:
    """Rows of dicts as an HTML table."""
    columns = list(columns or (rows[0] if rows else []))
    head = "".join(f"<th>{html.escape(str(c))}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(row.get(c, '')))}</td>" for c in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Explanation(dict):
    """A tree of labels, texts, numbers and boards, as every player fills it. str() is text; a notebook shows it as a list."""

    def __str__(self) -> str:
        return "\n".join(self._lines(self, 0))

    @staticmethod
    def _label(node: Dict[str, Any]) -> str:
        parts = [str(node[key]) for key in ("label", "text", "line", "move", "number", "unit") if node.get(key) not in (None, "")]
        return ": ".join(parts[:2]) + (" " + " ".join(parts[2:]) if len(parts) > 2 else "")

    @classmethod
    def _children(cls, node: Dict[str, Any]) -> List[Dict[str, Any]]:
        return node.get("children") or node.get("parts") or []

    def _lines(self, node: Dict[str, Any], depth: int) -> List[str]:
        lines = ["  " * depth + self._label(node)]
        for child in self._children(node):
            lines += self._lines(child, depth + 1)
        return lines

    def _html(self, node: Dict[str, Any]) -> str:
        drawing = node.get("board") or node.get("drawing")
        text = html.escape(self._label(node)) + (f"<pre>{html.escape(str(drawing))}</pre>" if isinstance(drawing, str) else "")
        children = self._children(node)
        if not children:
            return f"<li>{text}</li>"
        return f"<li><details open><summary>{text}</summary><ul>{''.join(map(self._html, children))}</ul></details></li>"

    def _repr_html_(self) -> str:
        return f"<ul>{self._html(self)}</ul>"


class Answer(dict):
    """A player's move with its reasons: move, role, score, values, depth, nodes, text, reason."""

    @property
    def move(self) -> str:
        return self["move"]

    @property
    def explanation(self) -> Explanation:
        return Explanation(self.get("reason") or {"text": self.get("text", "")})

    def __str__(self) -> str:
        return self.get("text") or self["move"]

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self['move'])}</b></p>" + self.explanation._repr_html_()


class Review(dict):
    """A game judged move by move: judge, sides, moves. A notebook shows the moves that were no good."""

    @property
    def moves(self) -> List[Dict[str, Any]]:
        return self["moves"]

    @property
    def turning_points(self) -> List[Dict[str, Any]]:
        return [move for move in self["moves"] if move["turning"]]

    def chances(self, role: Optional[str] = None) -> List[float]:
        """The winning chance of a role (default: the first) after each move, in percent."""
        role = role or self["sides"][0]["role"]
        return [move["chance_after"] if move["role"] == role else 100 - move["chance_after"] for move in self["moves"]]

    def _repr_html_(self) -> str:
        return rows_html([move for move in self["moves"] if move.get("remark")], ["ply", "role", "move", "best", "quality", "remark"])

    def plot(self, axes: Any = None) -> Any:
        """The curve of winning chances, with matplotlib."""
        axes = axes or new_axes()
        axes.plot(range(1, len(self.moves) + 1), self.chances())
        for move in self.turning_points:
            axes.axvline(move["ply"] + 1, linestyle=":")
        axes.set_xlabel("ply")
        axes.set_ylabel(f"winning chance of {self['sides'][0]['role']} (%)")
        axes.set_ylim(0, 100)
        return axes


def new_axes() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib (Debian: python3-matplotlib); the numbers are in the object itself") from None
    return pyplot.subplots()[1]
