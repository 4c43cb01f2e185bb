"""From file to file: read a motion, mirror it, join it to another, write it again.

Shows: readers, editing and writers speak the same clip; a walk and a jump become one motion whose feet stay put.
Is not: a motion graph. Where the two clips meet is decided by hand, not searched for.
"""

from __future__ import annotations

from pathlib import Path

from walkon.builtin import make
from walkon.export import write_bvh, write_glb
from walkon.motion import crop, find_contacts, join, mirror, read_clip, retarget
from walkon.render import contact_sheet, write_png

OUT = Path("out")


def main() -> None:
    """Write out/walk.bvh, read it back, and write out/jump_and_walk.{png,bvh,glb}."""
    write_bvh(OUT / "walk.bvh", make("walk", cycles=2))
    jump = make("jump")
    # A BVH file knows neither contacts nor the names of tips: find the ones, and move onto the jumper's skeleton.
    walk = retarget(mirror(read_clip(OUT / "walk.bvh")), jump.skeleton)
    walk = walk.with_changes(contacts=find_contacts(walk))
    landed = next(label for label in jump.labels if label.name == "landing")
    risen = round(0.7 * (len(jump) - landed.start)) + landed.start
    both = join(crop(jump, 0, risen), walk, blend=0.4)
    print(f"{both}: {both.duration:.1f} s, {both.root_positions[-1, 2] - both.root_positions[0, 2]:.1f} m")
    write_png(OUT / "jump_and_walk.png", contact_sheet(both, 16, mode="overlay"))
    write_bvh(OUT / "jump_and_walk.bvh", both)
    write_glb(OUT / "jump_and_walk.glb", both)
    print("out/jump_and_walk.png, .bvh, .glb")


if __name__ == "__main__":
    main()
