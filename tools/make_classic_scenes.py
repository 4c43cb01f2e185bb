"""Write examples/scenes/classic/ and the picture of all of them, planned, in docs/."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

import walkon
from walkon.files import atomic_path, write_text
from walkon.render import draw_sheet
from walkon.world.classics import classic_names, classic_scene_text

ROOT = Path(__file__).resolve().parents[1]
SCENES = ROOT / "examples" / "scenes" / "classic"
PICTURE = ROOT / "docs" / "pictures" / "classic_scenes.png"
ROWS = (
    "crossing-4 crossing-multiple locking-4 locking-8 locking-16 locking-24",
    "concourse crossing-groups concentric confusion-3 confusion-4",
    "two-corners cluttered-grid cluttered-1 cluttered-2 cluttered-3 cluttered-4 cluttered-5 cluttered-6",
    "cluttered-7 cluttered-8 cluttered-9 evacuation frogger right-angle doorway-two-way",
    "counterflow oncoming squeeze-hallway squeeze-double squeeze-wall doorway-one-way",
)
"""In which order they are on the picture, so that its rows are full. Close quarters have pictures of their own."""

COLORS = 200
"""Fewer colors make the file small enough to commit."""


def main() -> None:
    """Write the scene files, plan and audit each, and draw them all."""
    takes = {}
    for name in classic_names():
        text = classic_scene_text(name)
        write_text(SCENES / f"{name}.toml", text)
        if name not in " ".join(ROWS).split():
            continue
        take = walkon.plan_scene(walkon.read_scene(text), seed=0)
        report = walkon.audit(take)
        if take.unplanned or not report.clean:
            raise SystemExit(f"{name}: {len(take.unplanned)} not planned, {len(report.violations)} violations")
        takes[name] = take
    draw_sheet([takes.pop(name) for name in " ".join(ROWS).split()] + list(takes.values()), PICTURE)
    picture = Image.open(io.BytesIO(PICTURE.read_bytes())).convert("RGB")
    with atomic_path(PICTURE) as temporary:
        picture.quantize(COLORS).save(temporary, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
