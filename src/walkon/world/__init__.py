"""The scene: what the user wrote, and the world that planners see in it."""

from walkon.world.beliefs import believed_world
from walkon.world.bodies import BODY_LEVELS, DEFAULT_BODIES, LEVELS_ABOUT, BodyLevel, check_level
from walkon.world.building import build_world, slope_room, steep_distance, world_for
from walkon.world.changing import rebuild_world
from walkon.world.clearance import CLEARANCE_REACH, sampling_error
from walkon.world.mending import mend_places
from walkon.world.motions import patrol
from walkon.world.outlines import HULL_CORNERS
from walkon.world.places import NamedPlace, Stairs, TimedDoor
from walkon.world.problems import SceneFileError, SceneProblem
from walkon.world.queries import near_region, solid_frame, within_region
from walkon.world.reading import read_scene, scene_schema
from walkon.world.routes import UNREACHABLE, coarse_path, goal_field
from walkon.world.scene import PASSES, Character, Goal, HeightField, Obstacle, Scene, flat_terrain
from walkon.world.script import Do, Face, Follow, Go, ScriptStep, Style, Via, Wait
from walkon.world.script_goals import goals_of_script
from walkon.world.shapes import SHAPES, Box, Capsule, Cylinder, Mesh, Polygon, Shape, Sphere
from walkon.world.slopes import Footing
from walkon.world.world import Gridmap, Solids, World
from walkon.world.writing import scene_text, write_scene

__all__ = [
    "BODY_LEVELS",
    "CLEARANCE_REACH",
    "DEFAULT_BODIES",
    "HULL_CORNERS",
    "LEVELS_ABOUT",
    "PASSES",
    "SHAPES",
    "UNREACHABLE",
    "BodyLevel",
    "Box",
    "Capsule",
    "Character",
    "Cylinder",
    "Do",
    "Face",
    "Follow",
    "Footing",
    "Go",
    "Goal",
    "Gridmap",
    "HeightField",
    "Mesh",
    "NamedPlace",
    "Obstacle",
    "Polygon",
    "Scene",
    "SceneFileError",
    "SceneProblem",
    "ScriptStep",
    "Shape",
    "Solids",
    "Sphere",
    "Stairs",
    "Style",
    "TimedDoor",
    "Via",
    "Wait",
    "World",
    "believed_world",
    "build_world",
    "check_level",
    "coarse_path",
    "flat_terrain",
    "goal_field",
    "goals_of_script",
    "mend_places",
    "near_region",
    "patrol",
    "read_scene",
    "rebuild_world",
    "sampling_error",
    "scene_schema",
    "scene_text",
    "slope_room",
    "solid_frame",
    "steep_distance",
    "within_region",
    "world_for",
    "write_scene",
]
