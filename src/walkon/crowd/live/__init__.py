"""The live crowd: everybody plans the next partial path while the last one plays; nobody ever collides."""

from walkon.crowd.live.commits import Commits
from walkon.crowd.live.live import PLANNERS, Figures, Live, State
from walkon.crowd.live.logbook import Log
from walkon.crowd.live.people import Person
from walkon.crowd.live.repertoire import LivePerformer
from walkon.crowd.live.replaying import replay

__all__ = ["PLANNERS", "Commits", "Figures", "Live", "LivePerformer", "Log", "Person", "State", "replay"]
