"""Pictures and films of capsule people, without a GPU."""

from walkon.errors import RenderError
from walkon.render.behavior_graphs import draw_behavior_graph
from walkon.render.camera import Camera
from walkon.render.cast import Cast
from walkon.render.clip_surfaces import draw_clip_surface
from walkon.render.contact_sheet import contact_sheet
from walkon.render.films import write_film
from walkon.render.forest_plots import draw_forest_frequency, draw_forest_paths
from walkon.render.framing import follow_clip, frame_clips
from walkon.render.graph_plots import draw_graph
from walkon.render.hub_plots import draw_hubs
from walkon.render.look import Look
from walkon.render.overview import draw_overview
from walkon.render.pictures import render_frame
from walkon.render.png import write_png
from walkon.render.renderer import Renderer
from walkon.render.scenery import GroundPath
from walkon.render.search_trees import draw_search_tree
from walkon.render.setting import Setting, build_setting, level_setting
from walkon.render.sheet import draw_sheet
from walkon.render.surface_plots import draw_surface
from walkon.render.take_films import draw_moment, film_take
from walkon.render.transition_strips import ShownTransition, draw_transitions, film_transitions
from walkon.render.variation_plots import (
    draw_components,
    draw_dof_pairs,
    draw_dofs_over_time,
    draw_overlaid_poses,
    draw_variation,
)
from walkon.render.walk_plots import draw_walks

__all__ = [
    "Camera",
    "Cast",
    "GroundPath",
    "Look",
    "RenderError",
    "Renderer",
    "Setting",
    "ShownTransition",
    "build_setting",
    "contact_sheet",
    "draw_behavior_graph",
    "draw_clip_surface",
    "draw_components",
    "draw_dof_pairs",
    "draw_dofs_over_time",
    "draw_forest_frequency",
    "draw_forest_paths",
    "draw_graph",
    "draw_hubs",
    "draw_moment",
    "draw_overlaid_poses",
    "draw_overview",
    "draw_search_tree",
    "draw_sheet",
    "draw_surface",
    "draw_transitions",
    "draw_variation",
    "draw_walks",
    "film_take",
    "film_transitions",
    "follow_clip",
    "frame_clips",
    "level_setting",
    "render_frame",
    "write_film",
    "write_png",
]
