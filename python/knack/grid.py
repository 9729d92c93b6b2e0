"""Cells in rows and columns: boards as pictures for convolutions."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy

from .native import Error

__all__ = ["Array", "Grid"]

if TYPE_CHECKING:
    Array = numpy.ndarray[Any, Any]
else:
    Array = numpy.ndarray


class Grid:
    """Where each cell stands in a picture of `shape` (height, width). Draughts has 32 cells in 8 x 8."""

    def __init__(self, rows: Array, columns: Array):
        self.rows, self.columns = rows, columns
        self.shape: Tuple[int, int] = int(rows.max()) + 1, int(columns.max()) + 1

    @staticmethod
    def of(places: Any) -> Optional["Grid"]:
        """The grid of places (x, y), or None where they do not stand in rows and columns at equal distances."""
        found = numpy.asarray(places, dtype=float).reshape(-1, 2)
        if not len(found):
            return None
        found = found - found.min(axis=0)
        whole = numpy.rint(found).astype(int)
        if not numpy.allclose(found, whole) or len({tuple(place) for place in whole.tolist()}) < len(whole):
            return None
        return Grid(whole[:, 1], whole[:, 0])

    @staticmethod
    def fill(grid: Optional["Grid"], values: Array) -> Array:
        """Values of cells, (..., cells), as (..., height, width); 0 where no cell is."""
        if grid is None:
            raise Error("the cells of this game do not stand in rows and columns: take them as a list", 2)
        picture = numpy.zeros(values.shape[:-1] + grid.shape, dtype=values.dtype)
        picture[..., grid.rows, grid.columns] = values
        return picture
