"""Everything that moves out of the box: a walk, a jump, a crawl, a skateboarder and a dog.

Shows: makers take options that suit their motion, and say what a body can do when asked for more; every clip
knows which joints are planted when.
Is not: the cast of a film. These are single motions; libraries of matching clips build on them.
"""

from __future__ import annotations

from pathlib import Path

from walkon.builtin import BUILTIN, human_skeleton, make, make_walk
from walkon.errors import ClipError
from walkon.render import contact_sheet, write_png

OUT = Path("out")


def main() -> None:
    """Write out/builtin_NAME.png for every built-in motion."""
    for name in BUILTIN:
        clip = make(name)
        planted = 0.0 if clip.contacts is None else clip.contacts.planted.any(axis=1).mean()
        labels = ", ".join(label.name for label in clip.labels)
        print(f"{name:13} {clip.duration:4.1f} s  on the ground {planted:4.0%} of the time  labels: {labels}")
        write_png(OUT / f"builtin_{name}.png", contact_sheet(clip, 10, width=1200))

    child = make_walk(human_skeleton(height=1.2))
    print(f"a child of 1.2 m walks at {child.root_positions[-1, 2] / child.duration:.2f} m/s when not told")
    try:
        make("walk", speed=4.0)
    except ClipError as error:
        print(f"and nobody walks at 4 m/s: {error}")


if __name__ == "__main__":
    main()
