"""Make the pictures of precomputed search trees in docs/: where their paths end, and the paths of all builders."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from walkon.behaviors import build_graph
from walkon.builtin.casts import make_library
from walkon.files import atomic_path
from walkon.render import draw_forest_frequency, draw_forest_paths
from walkon.trees.builders.diverse import InclusionExclusion, InnerProduct, Separation
from walkon.trees.builders.exhaustive import Exhaustive
from walkon.trees.builders.pruned import PrunedTree
from walkon.trees.builders.scalable import Scalable
from walkon.trees.planting import plant
from walkon.trees.region import disc

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
COLORS, LARGEST = 96, 150_000
"""Few colors make the files small enough to commit."""

FEW, MANY = 826, 100_000
"""Nodes: as in the thesis's figure 4.10, and enough to fill the region."""

BUILDERS = {
    "exhaustive": Exhaustive(),
    "pruned": PrunedTree(),
    "Branicky, inner product": InnerProduct(),
    "Branicky, inclusion-exclusion": InclusionExclusion(),
    "Green and Kelly": Separation(),
    "SPST": Scalable(),
}

FILLING = ("pruned", "SPST")


def main() -> None:
    """Write docs/pictures/tree_frequency.png and tree_paths.png."""
    graph = build_graph(make_library("human", 7)).customized({}, without=["gesture"])
    region = disc(12.0)
    small = [plant(graph, builder, nodes=FEW, region=region, poses=["walk"]) for builder in BUILDERS.values()]
    large = [plant(graph, BUILDERS[name], nodes=MANY, region=region, poses=["walk"]) for name in FILLING]
    draw_forest_paths(small, PICTURES / "tree_paths.png", graph=graph, titles=list(BUILDERS), width=1110)
    draw_forest_frequency(large, PICTURES / "tree_frequency.png", titles=FILLING, width=1100)
    for name in ("tree_paths.png", "tree_frequency.png"):
        _shrink(PICTURES / name)


def _shrink(path: Path) -> None:
    picture = Image.open(io.BytesIO(path.read_bytes())).convert("RGB")
    with atomic_path(path) as temporary:
        picture.quantize(COLORS, Image.Quantize.FASTOCTREE).save(temporary, format="PNG", optimize=True)
    size = path.stat().st_size
    sys.stdout.write(f"docs/pictures/{path.name}  {size / 1000:.0f} kB\n")
    if size > LARGEST:
        sys.exit(f"{path.name} is larger than {LARGEST / 1000:.0f} kB")


if __name__ == "__main__":
    main()
