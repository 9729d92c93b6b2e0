"""A game in progress."""
from __future__ import annotations

import html
import json
from typing import Any, Dict, List, Optional

from .native import Handle, as_bytes, as_plan, as_word, library
from .players import Player
from .view import Answer, Review, board_svg

__all__ = ["Board"]


class Board(Handle):
    """A game in progress: moves, questions to players, reviews. str() draws it, and a notebook shows a picture."""

    def __init__(self, knack: Any, game: str, position: Optional[str] = None):
        self._knack = knack
        self._handle = knack._opened(library.kn_capi_game, knack._alive(), as_word(game), as_bytes(position))
        knack._open.add(self)

    def close(self) -> None:
        """Ends the game; what was read of it stays."""
        with self._knack._lock:
            if self._handle:
                library.kn_capi_game_close(self._free())
                self._handle = None
                self._knack._open.discard(self)

    def state(self) -> Dict[str, Any]:
        """All of it: game, position, drawing, roles, movers, moves by role, played, over, payoffs."""
        found: Dict[str, Any] = json.loads(self._knack._answer(library.kn_capi_state, self))
        return found

    def __str__(self) -> str:
        return str(self.state()["drawing"])

    @property
    def position(self) -> str:
        """The position in the game's notation."""
        return str(self.state()["position"])

    @property
    def played(self) -> List[str]:
        """The moves so far."""
        return list(self.state()["played"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state()["over"])

    @property
    def payoffs(self) -> Optional[List[float]]:
        """A number for each role when the game is over, else None."""
        return self.state()["payoffs"]

    @property
    def mover(self) -> Optional[str]:
        """The name of the role to move; the first one where several move together; None when the game is over."""
        movers = self.state()["movers"]
        return movers[0] if movers else None

    def moves(self, role: Optional[str] = None) -> List[str]:
        """The legal moves of a role (default: the mover)."""
        state = self.state()
        role = role or (state["movers"] or [None])[0]
        return list(state["moves"].get(role, []))

    legal_moves = moves

    def play(self, *moves: str) -> "Board":
        """Plays moves in the game's notation, joint moves as a|b: all of them or none. Returns the board."""
        text = as_word(" ".join(moves))
        with self._knack._lock:
            self._knack._check(library.kn_capi_play, self._free(), text)
        return self

    def undo(self, plies: int = 1) -> "Board":
        """Takes moves back. Returns the board."""
        for _ in range(plies):
            with self._knack._lock:
                self._knack._check(library.kn_capi_undo, self._free())
        return self

    def ask(self, player: Player, **how: Any) -> Answer:
        """Asks a player for a move, which is not played. Options: seed, role, depth, nodes, seconds.

        The answer has move, score, values, depth, nodes, text and reason; a notebook shows its reasons."""
        seats = self._knack._seats
        spec = seats.spec(player)
        text = seats.guard(lambda: self._knack._long(library.kn_capi_ask, self, as_word(spec), as_plan(how)))
        return Answer(json.loads(text), self._picture_of)

    def layout(self) -> Dict[str, Any]:
        """The board as cells: cells (indices into symbols), symbols, places, names, payoffs."""
        found: Dict[str, Any] = json.loads(self._knack._answer(library.kn_capi_layout, self))
        return found

    def review(self, judge: Optional[Player] = None, **how: Any) -> Review:
        """Judges the game so far move by move, by a player that fits the game unless you name one.

        Options: role (0 or 1), seed, depth, nodes, seconds."""
        seats = self._knack._seats
        if judge is not None:
            how["judge"] = seats.spec(judge)
        text = seats.guard(lambda: self._knack._long(library.kn_capi_review, self, as_plan(how)))
        return Review(json.loads(text))

    def svg(self) -> str:
        """The board as a picture."""
        layout, state = self.layout(), self.state()
        return board_svg(layout["cells"], layout["symbols"], layout["places"], state["position"], layout["names"],
                         game=state["game"])

    def _picture_of(self, position: str) -> str:
        """Another position of the same game as a picture; "" where there is none."""
        with Board(self._knack, self.state()["game"], position) as board:
            return board.svg() if board.layout()["cells"] else ""

    def _repr_html_(self) -> str:
        return self.svg() if self.layout()["cells"] else f"<pre>{html.escape(str(self))}</pre>"
