"""The studio: a live crowd in a web page. It computes nothing itself: it asks `walkon.crowd.live` and passes on.

One thread owns the engine (`director.py`), one serves the browsers (`hub.py`, `app.py`); messages (`protocol.py`)
go in, scenes as JSON (`scene_view.py`) and commits as bytes (`packing.py`) come out.
"""

from walkon.studio.serve import Settings, Studio, background_studio, serve

__all__ = ["Settings", "Studio", "background_studio", "serve"]
