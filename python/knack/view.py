"""Boards, answers and curves as pictures: SVG and HTML for notebooks, matplotlib where it is there."""
from __future__ import annotations

import html
import re
from typing import Any, Callable, Dict, List, Optional, Sequence

__all__ = ["Answer", "Explanation", "Review", "board_svg", "pattern_svg", "rows_html"]

Picture = Callable[[str], str]  # of a position

_STEP = 40  # pixels from one cell to the next
_DARK, _LIGHT = "#222", "#fff"
_DISCS = {"x": _DARK, "b": _DARK, "X": _DARK, "B": _DARK, "o": _LIGHT, "w": _LIGHT, "O": _LIGHT, "W": _LIGHT}
# Where a game has men and kings, upper case is a king.
_KINGS = {"checkers": "BW"}
# Boards of lines, where pieces stand on the crossings; the others have squares.
_LINES = ("go", "fives", "phutball")
_COLOURS = {"othello": "#3c8a57", "checkers": "#b58863"}


def _piece(symbol: str, x: float, y: float, kings: str = "") -> str:
    """A disc for the usual letters of men and stones, else the letter itself."""
    if symbol not in _DISCS:
        return f'<text x="{x:g}" y="{y + 6:g}" text-anchor="middle" font-size="18">{html.escape(symbol)}</text>'
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP * 0.38:g}" fill="{_DISCS[symbol]}" stroke="#555"/>'
    if symbol in kings:
        disc += f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP * 0.2:g}" fill="none" stroke="#c90" stroke-width="3"/>'
    return disc


def _edges(names: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> List[str]:
    """Letters below the board and numbers to its left, where cells have names such as d3; else nothing."""
    cells = [re.fullmatch(r"([A-Za-z])(\d+)", name) for name in names]
    if not names or not all(cells):
        return []
    columns = {x: cell.group(1) for cell, x in zip(cells, xs) if cell}
    rows = {y: cell.group(2) for cell, y in zip(cells, ys) if cell}
    bottom, left = max(ys) + _STEP * 0.85, min(xs) - _STEP * 0.75
    place = '<text x="{:g}" y="{:g}" text-anchor="middle" font-size="14" fill="#777">{}</text>'
    return ([place.format(x, bottom, text) for x, text in columns.items()] +
            [place.format(left, y + 5, text) for y, text in rows.items()])


def board_svg(cells: Sequence[int], symbols: str, places: Sequence[Sequence[float]], title: str = "",
              names: Sequence[str] = (), game: str = "") -> str:
    """A board as SVG: each cell at its place, and what is on it. `cells` are indices into `symbols`, of which the first is
    an empty cell. With the cells' `names` there are letters and numbers at the edge, or numbers in empty squares; a `game`
    has its own looks."""
    if not len(cells) or len(cells) != len(places):
        raise ValueError(f"{len(cells)} cells and {len(places)} places do not make a board")
    kind = re.split(r"\W", game)[0]
    xs, ys = [p[0] * _STEP for p in places], [p[1] * _STEP for p in places]
    labels = _edges(names, xs, ys)
    margin = _STEP * 0.5
    left, top = min(xs) - margin - (_STEP * 0.5 if labels else 0), min(ys) - margin
    width, height = max(xs) + margin - left, max(ys) + margin - top + (_STEP * 0.5 if labels else 0)
    half, colour = _STEP / 2, _COLOURS.get(kind, "#d8c29d")
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
             f'width="{min(width, 360):g}" role="img" font-family="sans-serif">',
             f"<title>{html.escape(title or 'board')}</title>"]
    if kind in _LINES:
        parts.append(_lines(xs, ys, colour))
    for number, (cell, x, y) in enumerate(zip(cells, xs, ys)):
        if kind not in _LINES:
            parts.append(f'<rect x="{x - half:g}" y="{y - half:g}" width="{_STEP}" height="{_STEP}" fill="{colour}" '
                         'stroke="#0004"/>')
        if cell:
            parts.append(_piece(symbols[cell] if cell < len(symbols) else "?", x, y, _KINGS.get(kind, "")))
        elif number < len(names) and names[number].isdigit():
            parts.append(f'<text x="{x - half + 3:g}" y="{y - half + 12:g}" font-size="10" fill="#0009">{names[number]}</text>')
    return "".join(parts + labels) + "</svg>"


def _lines(xs: Sequence[float], ys: Sequence[float], colour: str) -> str:
    """A board of lines."""
    left, right, top, bottom, half = min(xs), max(xs), min(ys), max(ys), _STEP / 2
    paths = "".join([f"M{x:g} {top:g}V{bottom:g}" for x in sorted(set(xs))] + [f"M{left:g} {y:g}H{right:g}" for y in sorted(set(ys))])
    return (f'<rect x="{left - half:g}" y="{top - half:g}" width="{right - left + _STEP:g}" height="{bottom - top + _STEP:g}" '
            f'fill="{colour}"/><path d="{paths}" stroke="#0006" fill="none"/>')


def pattern_svg(text: str) -> str:
    """Rows of cells such as #X-/##O as a small picture: # is any cell, - or . an empty one, and a letter what stands there."""
    step, rows = 12, text.split("/")
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{step * max(map(len, rows))}" height="{step * len(rows)}" '
             f'role="img"><title>{html.escape(text)}</title>']
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            free = symbol in "#"
            parts.append(f'<rect x="{x * step}" y="{y * step}" width="{step}" height="{step}" stroke="#0003" '
                         f'fill="{"none" if free else "#d8c29d"}"/>')
            if symbol in _DISCS:
                parts.append(f'<circle cx="{x * step + step / 2:g}" cy="{y * step + step / 2:g}" r="{step * 0.38:g}" '
                             f'fill="{_DISCS[symbol]}" stroke="#555"/>')
            elif not free and symbol not in "-.":
                parts.append(f'<text x="{x * step + step / 2:g}" y="{y * step + step - 2:g}" font-size="{step - 2}" '
                             f'text-anchor="middle">{html.escape(symbol)}</text>')
    return "".join(parts) + "</svg>"


def rows_html(rows: Sequence[Dict[str, Any]], columns: Optional[Sequence[str]] = None) -> str:
    """Rows of dicts as an HTML table."""
    columns = list(columns or (rows[0] if rows else []))
    head = "".join(f"<th>{html.escape(str(c))}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(row.get(c, '')))}</td>" for c in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Explanation(Dict[str, Any]):
    """A tree of labels, texts, numbers and boards, as every player fills it. str() is text; a notebook shows a list with
    pictures of its boards."""

    def __init__(self, tree: Any = (), picture: Optional[Picture] = None):
        super().__init__(tree)
        self._picture = picture

    def __reduce__(self) -> Any:  # a copy has no pictures
        return type(self), (dict(self),)

    def __str__(self) -> str:
        return "\n".join(self._lines(self, 0))

    @staticmethod
    def _label(node: Dict[str, Any]) -> str:
        number = node.get("number")
        parts = [str(node[key]) for key in ("label", "text", "line", "move") if node.get(key) not in (None, "")]
        if number is not None:
            shown = f"{number:.5g}" if isinstance(number, (int, float)) else str(number)
            parts.append(" ".join([shown, str(node.get("unit") or "")]).strip())
        return ": ".join(parts[:2]) + (" " + " ".join(parts[2:]) if len(parts) > 2 else "")

    @staticmethod
    def _children(node: Dict[str, Any]) -> List[Dict[str, Any]]:
        return node.get("children") or []

    def _lines(self, node: Dict[str, Any], depth: int) -> List[str]:
        lines = ["  " * depth + self._label(node)]
        for child in self._children(node):
            lines += self._lines(child, depth + 1)
        return lines

    def _drawn(self, node: Dict[str, Any]) -> str:
        """The board of a node as a picture, or as text where there is no picture. A line of moves needs none: where it leads
        is the next node."""
        position = node.get("board")
        if node.get("kind") != "board" or not isinstance(position, str):
            return ""
        try:
            drawn = self._picture(position) if self._picture else ""
        except Exception:  # the library was closed meanwhile
            drawn = ""
        return f"<div>{drawn}</div>" if drawn else f"<pre>{html.escape(position)}</pre>"

    def _html(self, node: Dict[str, Any], depth: int = 0) -> str:
        if node.get("kind") == "pattern":
            return f"<li>{html.escape(str(node.get('label', '')))} {pattern_svg(str(node.get('text', '')))}</li>"
        text = html.escape(self._label(node)) + self._drawn(node)
        children = self._children(node)
        if not children:
            return f"<li>{text}</li>"
        inner = "".join(self._html(child, depth + 1) for child in children)
        return f"<li><details{' open' if depth < 2 else ''}><summary>{text}</summary><ul>{inner}</ul></details></li>"

    def _repr_html_(self) -> str:
        return f"<ul>{self._html(self)}</ul>"


class Answer(Dict[str, Any]):
    """A player's move with its reasons: move, role, score, values, depth, nodes, text, reason."""

    def __init__(self, document: Any = (), picture: Optional[Picture] = None):
        super().__init__(document)
        self._picture = picture

    def __reduce__(self) -> Any:  # a copy has no pictures
        return type(self), (dict(self),)

    @property
    def move(self) -> str:
        """The move that the player would make."""
        return str(self["move"])

    @property
    def explanation(self) -> Explanation:
        """Its reasons."""
        return Explanation(self.get("reason") or {"text": self.get("text", "")}, self._picture)

    def __str__(self) -> str:
        return str(self.get("text") or self["move"])

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.move)}</b></p>{self.explanation._repr_html_()}"


class Review(Dict[str, Any]):
    """A game judged move by move: judge, sides, moves. A notebook shows the moves that were no good."""

    @property
    def moves(self) -> List[Dict[str, Any]]:
        """The moves, each with what it cost and what was better."""
        return list(self["moves"])

    @property
    def turning_points(self) -> List[Dict[str, Any]]:
        """The moves after which a won game was level, or a level one lost."""
        return [move for move in self["moves"] if move["turning"]]

    def chances(self, role: Optional[str] = None) -> List[float]:
        """The winning chance of a role (default: the first) after each move, in percent."""
        role = role or self["sides"][0]["role"]
        return [move["chance_after"] if move["role"] == role else 100 - move["chance_after"] for move in self["moves"]]

    def _repr_html_(self) -> str:
        return rows_html([move for move in self["moves"] if move.get("remark")], ["ply", "role", "move", "best", "quality", "remark"])

    def plot(self, axes: Any = None) -> Any:
        """The curve of winning chances, with matplotlib."""
        axes = axes if axes is not None else new_axes()
        axes.plot(range(1, len(self.moves) + 1), self.chances())
        for move in self.turning_points:
            axes.axvline(move["ply"] + 1, linestyle=":")
        axes.set_xlabel("ply")
        axes.set_ylabel(f"winning chance of {self['sides'][0]['role']} (%)")
        axes.set_ylim(0, 100)
        return axes


def new_axes() -> Any:
    """Axes of a new figure of matplotlib's."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib (Debian: python3-matplotlib); the numbers are in the object itself") from None
    return pyplot.subplots()[1]
