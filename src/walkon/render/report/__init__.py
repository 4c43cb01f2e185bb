"""Reports: what was measured, on one self-contained page that can be sent to somebody."""

from walkon.render.report.entries import MOST_ENTRIES, Entry, Failure
from walkon.render.report.page import build_report, write_report

__all__ = ["MOST_ENTRIES", "Entry", "Failure", "build_report", "write_report"]
