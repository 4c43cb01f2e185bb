"""Pictures and films of capsule people, without a GPU."""

from walkon.errors import RenderError
from walkon.render.camera import Camera
from walkon.render.cast import Cast
from walkon.render.contact_sheet import contact_sheet
from walkon.render.films import write_film
from walkon.render.forest_plots import draw_forest_frequency, draw_forest_paths
from walkon.render.framing import follow_clip, frame_clips
from walkon.render.look import Look
from walkon.render.overview import draw_overview
from walkon.render.pictures import render_frame, write_png
from walkon.render.renderer import Renderer
from walkon.render.scenery import Box, Cylinder, GroundPath, Obstacle, Prism
from walkon.render.search_trees import draw_search_tree
from walkon.render.take_films import draw_moment, film_take

__all__ = [
    "Box",
    "Camera",
    "Cast",
    "Cylinder",
    "GroundPath",
    "Look",
    "Obstacle",
    "Prism",
    "RenderError",
    "Renderer",
    "contact_sheet",
    "draw_forest_frequency",
    "draw_forest_paths",
    "draw_moment",
    "draw_overview",
    "draw_search_tree",
    "film_take",
    "follow_clip",
    "frame_clips",
    "render_frame",
    "write_film",
    "write_png",
]
