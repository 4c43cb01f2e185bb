"""How long a frame of a crowd takes at 1280x720 on one core, and the memory traffic no frame can avoid.

    python benchmarks/render.py [--json] [--frames 60]

The crowd is made here, from a seed: everybody walks with a gait of their own on a square that fills the picture.
Posing the bodies, shadows, ground, anti-aliasing and the copy to RGB are all in the figure; compiling is not.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from statistics import median

import numpy as np

from walkon.motion import Clip
from walkon.render import Camera, Renderer
from walkon.render.cast import Cast
from walkon.rotations import from_axis_angle
from walkon.skeleton import Skeleton

WIDTH, HEIGHT = 1280, 720
CROWDS = (1, 10, 150, 1000)
BUDGET_PEOPLE, BUDGET_MS = 150, 10.0
SPACING = 1.4

# name, parent, offset [m]: an adult in the proportions and with the joints of a common motion-capture skeleton.
JOINTS = (
    ("Hips", "", (0, 0.93, 0)),
    ("LowerBack", "Hips", (0, 0.1, -0.01)),
    ("Spine", "LowerBack", (0, 0.11, 0)),
    ("Spine1", "Spine", (0, 0.11, 0)),
    ("Neck", "Spine1", (0, 0.13, 0)),
    ("Neck1", "Neck", (0, 0.06, 0.01)),
    ("Head", "Neck1", (0, 0.07, 0.01)),
    ("HeadEnd", "Head", (0, 0.14, 0)),
    *(
        joint
        for side, sign in (("Left", 1), ("Right", -1))
        for joint in (
            (f"{side}UpLeg", "Hips", (0.09 * sign, -0.05, 0)),
            (f"{side}Leg", f"{side}UpLeg", (0, -0.41, 0)),
            (f"{side}Foot", f"{side}Leg", (0, -0.40, 0)),
            (f"{side}ToeBase", f"{side}Foot", (0, -0.05, 0.14)),
            (f"{side}ToeEnd", f"{side}ToeBase", (0, 0, 0.07)),
            (f"{side}Shoulder", "Spine1", (0.04 * sign, 0.1, 0)),
            (f"{side}Arm", f"{side}Shoulder", (0.14 * sign, 0, 0)),
            (f"{side}ForeArm", f"{side}Arm", (0.02 * sign, -0.28, 0)),
            (f"{side}Hand", f"{side}ForeArm", (0, -0.24, 0)),
            (f"{side}FingerBase", f"{side}Hand", (0, -0.08, 0)),
            (f"{side}HandEnd", f"{side}FingerBase", (0, -0.08, 0)),
            (f"{side}Thumb", f"{side}Hand", (0.01 * sign, -0.05, 0.04)),
        )
    ),
)


def build_skeleton() -> Skeleton:
    names = [name for name, _, _ in JOINTS]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in JOINTS]
    return Skeleton(names, parents, [offset for _, _, offset in JOINTS])


def build_walk(skeleton: Skeleton, where: tuple[float, float], rng: np.random.Generator, frames: int) -> Clip:
    """Four seconds of walking on the spot's neighbourhood, with a phase, a pace and a heading of its own."""
    phase, pace, heading = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 1.1), rng.uniform(-math.pi, math.pi)
    beat = phase + 2 * math.pi * pace * np.arange(frames) / 30.0
    rotations = np.zeros((frames, len(skeleton), 4))
    rotations[..., 0] = 1.0
    rotations[:, 0] = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.full(frames, heading))
    sideways = np.array([1.0, 0.0, 0.0])
    for side, shift in (("Left", 0.0), ("Right", math.pi)):
        swing = np.sin(beat + shift)
        bends = {
            "UpLeg": -0.45 * swing,
            "Leg": 0.35 + 0.35 * np.sin(beat + shift - 1.6),
            "Arm": 0.45 * swing,
            "ForeArm": np.full(frames, -0.35),
        }
        for part, angle in bends.items():
            rotations[:, skeleton.index(side + part)] = from_axis_angle(sideways, angle)
    roots = np.zeros((frames, 3))
    roots[:, 1] = 0.90 + 0.02 * np.cos(2 * beat)
    stride = 0.3 * np.sin(beat / 4)
    roots[:, 0] = where[0] + stride * math.sin(heading)
    roots[:, 2] = where[1] + stride * math.cos(heading)
    return Clip.build("walk", skeleton, 30.0, roots, rotations)


def build_crowd(people: int, seed: int = 7, frames: int = 120) -> list[Clip]:
    rng = np.random.default_rng(seed)
    skeleton = build_skeleton()
    columns = math.ceil(math.sqrt(1.5 * people))
    rows = math.ceil(people / columns)
    spots = [
        (SPACING * (i % columns - (columns - 1) / 2), SPACING * (i // columns - (rows - 1) / 2))
        for i in range(people)
    ]
    return [build_walk(skeleton, spot, rng, frames) for spot in spots]


def frame_crowd(people: int) -> Camera:
    """A camera that sees the whole crowd, as large as it will fit."""
    from walkon.render import frame_clips

    return frame_clips(build_crowd(people), aspect=WIDTH / HEIGHT, azimuth=0.35, elevation=math.radians(22.0))


def measure_crowd(people: int, frames: int) -> dict[str, float]:
    """Milliseconds per frame, still camera and moving camera, and how many pixels that meant."""
    cast = Cast(build_crowd(people))
    camera = frame_crowd(people)
    renderer = Renderer(WIDTH, HEIGHT, camera)
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    nobody = np.zeros((0, 3))
    empty = renderer.draw(nobody, nobody, np.zeros(0), nobody)

    def draw(moment: float) -> None:
        cast.pose(moment)
        renderer.draw(cast.starts, cast.ends, cast.radii, cast.colours, out=picture)

    def draw_moving(moment: float) -> None:
        renderer.camera = camera
        draw(moment)

    still = milliseconds(draw, frames)
    return {
        "people": people,
        "capsules": len(cast.radii),
        "ms": still,
        "ms_moving_camera": milliseconds(draw_moving, max(5, frames // 4)),
        "pixels_evaluated": renderer.pixels_evaluated,
        "pixels_changed": int(np.any(picture != empty, axis=2).sum()),
    }


def milliseconds(draw, frames: int) -> float:
    for k in range(5):
        draw(k / 30.0)
    durations = []
    for k in range(frames):
        begin = time.perf_counter()
        draw(k / 30.0)
        durations.append(time.perf_counter() - begin)
    return 1e3 * median(durations)


def measure_limits(frames: int) -> dict[str, float]:
    """What touching every pixel once costs: fill and copy of an RGB picture, copy of colour and depth."""
    one, two = np.empty((HEIGHT, WIDTH, 3), np.uint8), np.empty((HEIGHT, WIDTH, 3), np.uint8)
    planes = np.empty((2, HEIGHT, WIDTH, 2), np.float32)
    return {
        "fill_rgb_ms": milliseconds(lambda moment: one.fill(int(moment)), frames),
        "copy_rgb_ms": milliseconds(lambda moment: np.copyto(two, one), frames),
        "copy_colour_and_depth_ms": milliseconds(lambda moment: np.copyto(planes[0], planes[1]), frames),
    }


def main(as_json: bool = False, frames: int = 60) -> None:
    rows = [measure_crowd(people, frames) for people in CROWDS]
    limits = measure_limits(frames)
    goal = next(row["ms"] for row in rows if row["people"] == BUDGET_PEOPLE)
    if as_json:
        result = {"width": WIDTH, "height": HEIGHT, "crowds": rows, "limits": limits}
        print(json.dumps(result | {"budget_ms": BUDGET_MS, "within_budget": goal <= BUDGET_MS}, indent=2))
        return
    print(f"{WIDTH}x{HEIGHT}, one core, median of {frames} frames\n")
    print(
        f"{'people':>7}{'capsules':>10}{'ms/frame':>10}{'moving camera':>15}"
        f"{'pixels changed':>16}{'evaluated':>11}"
    )
    for row in rows:
        print(
            f"{row['people']:>7}{row['capsules']:>10}{row['ms']:>10.2f}{row['ms_moving_camera']:>15.2f}"
            f"{row['pixels_changed']:>16}{row['pixels_evaluated']:>11}"
        )
    print("\nlimits: " + ", ".join(f"{name.removesuffix('_ms')} {ms:.2f} ms" for name, ms in limits.items()))
    verdict = "within" if goal <= BUDGET_MS else "OVER"
    print(f"budget: {BUDGET_PEOPLE} people in {BUDGET_MS:g} ms: {verdict} ({goal:.2f} ms)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--frames", type=int, default=60)
    arguments = parser.parse_args()
    main(arguments.json, arguments.frames)
