"""Which classic scenes there are: what happens in each, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from walkon.world.classics import crossings, narrows, offices, rooms, steering
from walkon.world.classics.layout import Layout, layout_text

THESIS = "J.-R. Chen, Planning Plausible Human Motions for Navigation and Collision Avoidance, UCL 2014"
STEERBENCH = "SteerBench (S. Singh, M. Kapadia, P. Faloutsos, G. Reinman, 2009)"
OURS = "sizes and numbers of people are ours"


@dataclass(frozen=True)
class Classic:
    """A scene: its name, a title and what happens in it, who thought of it, and how it is laid out for a seed."""

    name: str
    title: str
    what: str
    origin: str
    layout: Callable[[int], Layout]

    def text(self, seed: int = 0) -> str:
        """The scene file for this seed."""
        return layout_text(self.name, f"{self.title}: {self.what}", self.origin, self.layout(seed), seed)

    @property
    def people(self) -> int:
        """How many, whatever the seed."""
        return len(self.layout(0).people)


def _thesis() -> list[Classic]:
    return [
        Classic(
            "crossing-4",
            "Four-person crossing",
            "from the four corners of a square to the corners opposite.",
            f"{THESIS}, section 4.5.1 (it gives no size; our square has sides of 10 m).",
            crossings.four_person_crossing,
        ),
        Classic(
            "crossing-multiple",
            "Multiple crossing",
            "streams from corner to corner of a square; four people enter every 2 s, six times.",
            f"{THESIS}, section 4.5.2 (24 people). That streams keep to their right is ours: nobody enters where "
            "others arrive. They leave where they arrive.",
            crossings.multiple_crossing,
        ),
        *(
            Classic(
                f"locking-{count}",
                f"Central locking, {count}",
                "people on a circle, everybody through the middle to the opposite side.",
                f"{THESIS}, sections 4.5.3 and 5.3.3 (4, 8, 16 and 24 people; it gives no radius, ours is 6 m).",
                partial(_whatever_seed, partial(crossings.central_locking, count)),
            )
            for count in (4, 8, 16, 24)
        ),
        Classic(
            "concourse",
            "Station concourse",
            "people cross a hall to the other side, among pillars, a kiosk, a bench and a globe; some jog.",
            f"{THESIS}, section 4.5.4 (100 people; this has 40, examples/scenes/station.toml has 100).",
            rooms.station_concourse,
        ),
        Classic(
            "two-corners",
            "Two-corner turning",
            "a corridor with two turns between two large blocks.",
            f"{THESIS}, section 3.4.1 (it gives no sizes; our corridor is 1.8 m wide).",
            rooms.two_corners,
        ),
        Classic(
            "cluttered-grid",
            "Object-cluttered space, regular",
            "from corner to corner of a grid of 4 × 3 boxes.",
            f"{THESIS}, section 3.4.2 (boxes of 45 × 90 × 45 cm, 1.8 m apart, in 7.2 × 5.4 m).",
            rooms.cluttered_grid,
        ),
        *(
            Classic(
                f"cluttered-{number}",
                f"Object-cluttered space, random {number}",
                "the boxes of the grid moved about, of other sizes and turned.",
                f"{THESIS}, section 3.4.2 (nine random trials; these are drawn by us).",
                partial(rooms.cluttered_random, number),
            )
            for number in range(1, 10)
        ),
    ]


def _everyday() -> list[Classic]:
    return [
        Classic(
            "evacuation",
            "Evacuation through a door",
            "people leave a room by its only door, 1.2 m wide.",
            f"D. Helbing, I. Farkas, T. Vicsek, Simulating dynamical features of escape panic, 2000; {OURS}.",
            steering.evacuation,
        ),
        Classic(
            "counterflow",
            "Corridor counter-flow",
            "twelve people each way along a corridor 4.2 m wide.",
            f"D. Helbing, P. Molnár, Social force model for pedestrian dynamics, 1995; {OURS}.",
            steering.counterflow,
        ),
    ]


def _steerbench() -> list[Classic]:
    def case(name: str, title: str, what: str, layout: Callable[[int], Layout]) -> Classic:
        return Classic(name, title, what, f"{STEERBENCH}; {OURS}.", layout)

    return [
        case("oncoming", "Oncoming", "two people meet head on.", steering.oncoming),
        case(
            "right-angle",
            "Crossing at a right angle",
            "two people who would be in the middle together.",
            steering.right_angle,
        ),
        case(
            "crossing-groups",
            "Crossing groups",
            "two groups of nine cross at a right angle.",
            steering.crossing_groups,
        ),
        case(
            "squeeze-hallway",
            "Hallway squeeze",
            "two people meet in a hallway with just room for both.",
            steering.hallway_squeeze,
        ),
        case(
            "squeeze-double",
            "Double squeeze",
            "two pairs meet in a hallway that is wide enough for three.",
            steering.double_squeeze,
        ),
        case(
            "squeeze-wall",
            "Wall squeeze",
            "two people meet where a block leaves a gap for one between itself and the wall.",
            steering.wall_squeeze,
        ),
        case(
            "doorway-one-way",
            "Doorway, one way",
            "six people go through a door one after another.",
            steering.doorway_one_way,
        ),
        case(
            "doorway-two-way",
            "Doorway, two ways",
            "two from either side want through the same door at the same time.",
            steering.doorway_two_ways,
        ),
        *(
            case(
                f"confusion-{ways}",
                f"Confusion, {ways} ways",
                f"groups of four from {ways} sides meet in the middle and go straight on.",
                partial(_whatever_seed, partial(steering.confusion, ways)),
            )
            for ways in (3, 4)
        ),
        case(
            "concentric",
            "Concentric circles",
            "eight from an inner circle go out, sixteen from an outer one go in, all to the opposite side.",
            steering.concentric_circles,
        ),
        case("frogger", "Frogger", "two people cross three rows of others.", steering.frogger),
    ]


def _close_quarters() -> list[Classic]:
    def scene(name: str, title: str, what: str, layout: Callable[[int], Layout]) -> Classic:
        return Classic(name, title, what, "ours: what anybody meets who brings a floor plan.", layout)

    return [
        scene(
            "hallway",
            "Narrow hallway",
            "two people pass each other in a hallway 1.25 m wide.",
            partial(_whatever_seed, partial(narrows.hallway, 1.25)),
        ),
        scene(
            "door-0.70",
            "Narrow door",
            "one person walks through a door 0.70 m wide.",
            partial(_whatever_seed, partial(narrows.opening, 0.70)),
        ),
        scene(
            "gap-0.45",
            "Gap",
            "one person sidles through a gap of 0.45 m; there is no way around.",
            partial(_whatever_seed, partial(narrows.opening, 0.45)),
        ),
        scene(
            "door-queue",
            "Door with a queue",
            "sixty people leave by a door 0.9 m wide.",
            partial(narrows.door_crowd, 0.9),
        ),
        scene("gates", "Three gates", "three hundred people leave by three gates of 2 m.", narrows.gates),
        scene(
            "office",
            "Office",
            "thirty people go from room to room: ten furnished rooms, doors of 0.9 m, a corridor of 1.5 m.",
            offices.office,
        ),
    ]


def _whatever_seed(layout: Callable[[], Layout], seed: int) -> Layout:
    return layout()


CLASSICS = {scene.name: scene for scene in (*_thesis(), *_everyday(), *_steerbench(), *_close_quarters())}
"""All of them by name, in the order in which they are listed."""
