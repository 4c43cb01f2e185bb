"""Everything a skateboarder can do, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from walkon.builtin.skateboard.actions import CRUISE, Action, carve
from walkon.builtin.skateboard.feet import Excursion, RearStep
from walkon.builtin.skateboard.hop import Hop

PUSH = Action(
    kind="locomotion",
    entry="glide",
    exit="glide",
    duration=2.3,
    keys=(
        """
        time  height  side   ahead  facing  tilt  bend  twist  front_foot
        0.34  0.965   0.000 -0.100   -46     14    10     6      -44
        0.70  0.880  -0.080  0.020   -10     22    14     6      -14     # foot lands
        0.84  0.855  -0.090  0.020   -14     26    14     0      -14
        0.98  0.870  -0.075  0.010   -20     30    10    -6      -14     # foot leaves
        1.32  0.985  -0.035 -0.080   -46     18    10     6      -44
        1.62  0.970   0.010 -0.200   -66     12    10     8      -62     # stepped on
        """,
        """
        time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
        0.34       4          36           26           2           34            30
        0.70      26          22           40         -26           24            24
        0.99     -26          28           26          34           24            44
        1.40       4          44           24           8           40            30
        1.75       6          38           24           2           33            29
        """,
    ),
    speed={0.0: CRUISE, 0.66: 2.48, 1.00: 2.80, 2.3: CRUISE},
    excursion=Excursion(0.30, (RearStep(0.70, 0.98, ahead=0.25),), 1.56),
)
STOP = Action(
    kind="transition",
    entry="glide",
    exit="stand",
    duration=3.1,
    keys=(
        """
        time  height  side   ahead  facing  tilt  bend  twist  front_foot
        0.32  0.960   0.000 -0.100   -46     14    10     6      -44
        0.70  0.890  -0.070 -0.030   -12     16    12     4      -14     # foot touches the ground
        1.05  0.850  -0.080 -0.080    -8      6    18     2      -14     # brakes, leaning back
        1.65  0.880  -0.080 -0.050    -8      6    15     2      -14
        2.05  0.930  -0.070 -0.030   -14      8    10     4      -16     # still
        2.35  0.995  -0.030 -0.100   -42     10     8     8      -44
        2.66  0.995   0.010 -0.205   -62      7     6    12      -62     # stepped on
        """,
        """
        time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
        0.34       4          36           26           2           34            30
        0.70      18          32           30          -8           36            26
        1.10      34          42           22          12           50            26
        1.65      20          34           24           6           40            28
        2.10       4          24           24           2           26            26
        2.60       4          24           20           2           22            22
        """,
    ),
    speed={0.0: CRUISE, 0.62: 2.55, 1.92: 0.0},
    excursion=Excursion(0.28, (RearStep(0.70, 2.10, ahead=0.12, brakes=True),), 2.62),
)
START = Action(
    kind="transition",
    entry="stand",
    exit="glide",
    duration=4.4,
    keys=(
        """
        time  height  side   ahead  facing  tilt  bend  twist  front_foot
        0.36  0.990   0.000 -0.110   -44     10     8     8      -44
        0.70  0.890  -0.080 -0.010   -10     18    12     4      -14     # first push
        1.00  0.860  -0.085  0.020   -14     26    14     0      -14
        1.22  0.890  -0.065  0.050   -20     30    10    -6      -14
        1.48  0.955  -0.050  0.000   -12     18    10     0      -14
        1.74  0.880  -0.080  0.010   -10     22    14     6      -14     # second
        1.92  0.860  -0.085  0.030   -14     26    14     0      -14
        2.10  0.890  -0.065  0.040   -20     30    10    -6      -14
        2.34  0.960  -0.045 -0.010   -12     16    10     0      -14
        2.58  0.880  -0.080  0.020   -10     22    14     6      -14     # third
        2.72  0.855  -0.090  0.020   -14     26    14     0      -14
        2.86  0.870  -0.075  0.010   -20     30    10    -6      -14
        3.20  0.985  -0.035 -0.080   -46     18    10     6      -44
        3.52  0.970   0.010 -0.200   -66     12    10     8      -62     # stepped on
        """,
        """
        time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
        0.36       4          24           22           2           24            24
        0.70      22          22           36         -22           24            24
        1.20     -24          26           26          30           22            42
        1.72      26          22           40         -26           24            24
        2.10     -26          26           26          34           22            44
        2.56      26          22           40         -26           24            24
        2.90     -26          28           26          34           24            44
        3.28       4          44           24           8           40            30
        3.70       6          38           24           2           33            29
        """,
    ),
    speed={0.72: 0.0, 1.22: 1.25, 1.70: 1.18, 2.10: 2.05, 2.54: 1.98, 2.90: 2.76, 4.4: CRUISE},
    excursion=Excursion(
        0.32,
        (RearStep(0.70, 1.20, ahead=0.04), RearStep(1.72, 2.08, ahead=0.16), RearStep(2.56, 2.85, ahead=0.25)),
        3.44,
    ),
)
JUMP_OVER = Action(
    kind="jump_over",
    entry="glide",
    exit="glide",
    duration=2.2,
    keys=(
        """
        time  height  side   tilt  bend  twist  gaze
        0.32  0.800   0.030   26    20     8     12
        0.54  0.700   0.030   34    26     8     12    # deepest
        0.72  1.040   0.020    8     4     8      8    # take-off
        0.96    .       .     24    18    10     16    # apex
        1.20  0.930   0.030   16    12     8     12    # landing
        1.40  0.730   0.035   32    24     8      8    # absorbed
        """,
        """
        time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
        0.32      -6          30           24          -10          28            26
        0.54     -22          32           18          -26          32            18
        0.74      30          62           34           24          60            36
        0.96      18          86           20           10          84            24
        1.20      18          76           18            8          74            22
        1.42      20          52           24           10          50            28
        """,
    ),
    hop=Hop(
        deepest=0.54,
        take_off=0.72,
        landing=1.20,
        soft=1.40,
        nose={0.64: 0.0, 0.73: 0.15, 0.84: 0.41, 0.96: 0.45, 1.08: 0.34, 1.20: 0.0},
        tail={0.71: 0.0, 0.84: 0.30, 0.96: 0.43, 1.08: 0.33, 1.20: 0.0},
    ),
    moment=0.96,
)
DUCK_UNDER = Action(
    kind="duck_under",
    entry="glide",
    exit="glide",
    duration=2.4,
    keys=(
        """
        time  height  side   facing  tilt  bend  twist  gaze  knees
        0.45  0.680   0.030   -66     34    34    12     10     4
        0.85  0.530   0.040   -62     38    52    16      2     8    # under the bar
        1.35  0.530   0.040   -62     38    52    16      2     8
        1.75  0.680   0.030   -66     32    32    12      8     4
        """,
        """
        time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
        0.45      26          46           30           2           48            30
        0.85      50          46           34           6           62            26
        1.35      50          46           34           6           62            26
        1.75      24          46           28           2           46            30
        """,
    ),
    moment=1.1,
)
GLIDE_ON = Action(kind="locomotion", entry="glide", exit="glide", duration=1.6)
WAIT = Action(
    kind="wait",
    entry="stand",
    exit="stand",
    duration=2.4,
    keys=(
        """
        time  height  side   ahead  tilt  twist  look
        0.80  0.995   0.026 -0.200    6    12      6
        1.60  1.000   0.016 -0.235    5    18     -4
        """,
    ),
)
REPERTOIRE: Mapping[str, Action] = MappingProxyType(
    {
        "glide": GLIDE_ON,
        "push": PUSH,
        "carve_left_20": carve(20.0, 1.4, 0.35),
        "carve_right_20": carve(-20.0, 1.4, 0.35),
        "carve_left_45": carve(45.0, 1.8, 0.7),
        "carve_right_45": carve(-45.0, 1.8, 0.7),
        "carve_left_90": carve(90.0, 2.6, 1.0),
        "carve_right_90": carve(-90.0, 2.6, 1.0),
        "jump": JUMP_OVER,
        "duck": DUCK_UNDER,
        "stop": STOP,
        "wait": WAIT,
        "start": START,
    }
)
"""Everything in a skateboarder's repertoire, by name."""
