"""A small scene to begin from, with comments."""

from __future__ import annotations

import json

TEMPLATE = """\
# A scene for walkon. Metres, seconds, degrees. The ground is x to the right, z ahead; heading 0 looks along z,
# 90 along x. See docs/scenes.md for all that can be said here.
name = {name}
bounds = [-8, -6, 8, 6]       # x0, z0, x1, z1: nobody leaves
duration = 60

# [terrain]                   # level ground unless told
# hills = [{{ at = [0, 3], height = 0.5, radius = 4 }}]

[[obstacles]]
name = "wall"
shape = "box"                 # or cylinder, sphere, capsule, polygon, mesh
at = [0, 2]
width = 0.4                   # along x
depth = 5                     # along z
height = 2

[[obstacles]]
name = "hurdle"
shape = "box"
at = [0, -3]
width = 0.2
depth = 4
height = 0.4
passes = ["jump_over"]        # or step_over, duck_under, crawl_under

[[obstacles]]
name = "ball"
shape = "sphere"
at = [4, 3]
radius = 0.4
[obstacles.motion]
keyframes = [{{ t = 0, at = [4, 4] }}, {{ t = 5, at = [4, -4] }}]
repeat = "back"

[[characters]]
name = "anna"
start = [-6, 1]
heading = 90
goal = [6, 2]
# via = [[0, -1]]             # way-points
# weights = {{ jump_over = 5 }} # dislikes jumping

[[crowds]]
kind = "flow"                 # or circle, pairs
name = "walker"
count = 4
from = [-7.5, -5, -5, -1]
to = [5, -5, 7.5, -1]
over = 6                      # they start within six seconds
"""


def starter_scene(name: str) -> str:
    """The text of a small scene of this name."""
    return TEMPLATE.format(name=json.dumps(name, ensure_ascii=False))
