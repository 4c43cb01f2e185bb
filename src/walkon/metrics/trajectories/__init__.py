"""Trajectories: where people are on the ground, whoever says so, and where they want to go."""

from walkon.metrics.trajectories.arrival import arrivals, until_arrival
from walkon.metrics.trajectories.model import Trajectories
from walkon.metrics.trajectories.reading import FORMS, file_form, read_trajectories
from walkon.metrics.trajectories.recorded import RecordedPeople, recorded_in
from walkon.metrics.trajectories.resampling import MEASURED_RATE, resample
from walkon.metrics.trajectories.scenes import RecordedScene, scene_of
from walkon.metrics.trajectories.takes import of_take

__all__ = [
    "FORMS",
    "MEASURED_RATE",
    "RecordedPeople",
    "RecordedScene",
    "Trajectories",
    "arrivals",
    "file_form",
    "of_take",
    "read_trajectories",
    "recorded_in",
    "resample",
    "scene_of",
    "until_arrival",
]
