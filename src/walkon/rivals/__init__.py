"""Rivals: other people's models of how walkers avoid each other, filmed and measured like our own planners."""

from walkon.rivals.comparing import Contender, cast_benchmarks, compare, contender_names
from walkon.rivals.counting import CollisionCount, CollisionRow, count_collisions, count_rivals
from walkon.rivals.filming import film_rival, is_rival
from walkon.rivals.following import follow_trajectories
from walkon.rivals.forces import SocialForces
from walkon.rivals.models import MODELS, Model, choose_model
from walkon.rivals.orca import Orca
from walkon.rivals.pairs import PairModel
from walkon.rivals.root_fixing import fix_roots
from walkon.rivals.simulating import simulate
from walkon.rivals.steering import Steering

__all__ = [
    "MODELS",
    "CollisionCount",
    "CollisionRow",
    "Contender",
    "Model",
    "Orca",
    "PairModel",
    "SocialForces",
    "Steering",
    "cast_benchmarks",
    "choose_model",
    "compare",
    "contender_names",
    "count_collisions",
    "count_rivals",
    "film_rival",
    "fix_roots",
    "follow_trajectories",
    "is_rival",
    "simulate",
]
