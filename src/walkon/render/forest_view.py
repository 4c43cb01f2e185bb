"""Paper for a precomputed search tree seen from above: its root looks up the page, so its left is on the left."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from walkon.render.page import LARGER
from walkon.render.palette import BOLD_GRID, DARKEST, EDGE, FLOOR, GRID
from walkon.render.plan_view import FOOT_ROOM, SIDE_ROOM, PlanView
from walkon.render.search_trees import cost_colours
from walkon.world import Scene, flat_terrain


class TreeView(PlanView):
    """Paper for one tree: x, z of the page are minus those of the tree."""

    def __init__(self, bounds: tuple[float, float, float, float], width: int) -> None:
        super().__init__(Scene("", bounds, flat_terrain(bounds)), width)
        self.bounds = bounds

    def paper(self) -> None:
        """Empty ground, with lines every metre; every fifth is stronger."""
        left, top, right, bottom = self.bounds
        corners = self.pixels(np.array([(left, top), (right, bottom)]))
        self._pen.rectangle([tuple(corners[0]), tuple(corners[1])], fill=FLOOR, outline=EDGE, width=LARGER)
        self._grid((*GRID, 255), (*BOLD_GRID, 255))

    def _grid(self, thin: tuple[int, ...], bold: tuple[int, ...]) -> None:
        left, top, right, bottom = self.bounds
        step = 1 if right - left <= 60.0 else 5
        for k in range(math.ceil(left / step), math.floor(right / step) + 1):
            self.line(np.array([(k * step, top), (k * step, bottom)]), bold if k % 5 == 0 else thin, 1.0)
        for k in range(math.ceil(top / step), math.floor(bottom / step) + 1):
            self.line(np.array([(left, k * step), (right, k * step)]), bold if k % 5 == 0 else thin, 1.0)

    def cells(self, counts: NDArray[np.int64], most: int) -> None:
        """Colour the cells of a map of counts (rows, columns) over the bounds; nothing where there are none."""
        corners = np.round(self.pixels(np.array([self.bounds[:2], self.bounds[2:]])))
        (left, top), (right, bottom) = corners.astype(int).tolist()
        ends = np.array([1.0, most])
        tones = cost_colours(np.append(ends, np.clip(counts, 1, most)))[2:].reshape(*counts.shape, 3)
        size = (right - left, bottom - top)
        near = Image.Resampling.NEAREST
        mask = Image.fromarray(np.where(counts > 0, 255, 0).astype(np.uint8)).resize(size, near)
        self._image.paste(Image.fromarray(tones).resize(size, near), (left, top), mask)
        self._grid((255, 255, 255, 28), (255, 255, 255, 90))

    def finish(self, title: str, subtitle: str) -> None:
        """Root, title and scale."""
        self.clear_margins()
        self._labels()
        tip = np.array([(0.0, 0.0), (0.0, -26.0 / self.scale)])
        self.line(tip, (255, 255, 255), 5.0)
        self.line(tip, DARKEST, 2.4)
        self.dot((0.0, 0.0), DARKEST, 5.0)
        self.text((SIDE_ROOM, 22.0), title, size=18)
        self.text((SIDE_ROOM, 46.0), subtitle, size=13, faint=True)
        self.scale_bar()

    def _labels(self) -> None:
        """Metres to the left and ahead, along the lower and left edge."""
        left, top, right, bottom = self.bounds
        for k in range(math.ceil(left / 5.0), math.floor(right / 5.0) + 1):
            self.label((5.0 * k, bottom), f"{abs(5 * k)}", size=10, above=8.0)
        for k in range(math.ceil(top / 5.0), math.floor(bottom / 5.0) + 1):
            self.label((left + 12.0 / self.scale, 5.0 * k), f"{-5 * k}", size=10)

    def legend(self, low: str, high: str) -> None:
        """The colours and what their ends mean, at the lower left."""
        y = self.height - FOOT_ROOM / 2
        x = SIDE_ROOM + self.text((SIDE_ROOM, y), low, size=12) + 8
        wide = 0.15 * self.width
        self.gradient((x, y), cost_colours(np.linspace(0.0, 1.0, 64)), wide, 10.0)
        self.text((x + wide + 8, y), high, size=12)
