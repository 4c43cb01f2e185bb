"""The live crowd: everybody plans the next partial path while the last one plays; nobody ever collides."""

from walkon.crowd.live.commits import Commits
from walkon.crowd.live.live import PLANNERS, Live
from walkon.crowd.live.logbook import Log
from walkon.crowd.live.obstacles import LiveObstacles
from walkon.crowd.live.people import LivePerson
from walkon.crowd.live.repertoire import LivePerformer
from walkon.crowd.live.replaying import replay
from walkon.crowd.live.views import LiveFigures, State

__all__ = [
    "PLANNERS",
    "Commits",
    "Live",
    "LiveFigures",
    "LiveObstacles",
    "LivePerformer",
    "LivePerson",
    "Log",
    "State",
    "replay",
]
