"""The audit: checks a take and believes nothing the planners say.

It starts from poses and from the scene as plain data, and brings its own geometry: nothing here knows `planning`,
`crowd`, or how `world` is compiled for them.
"""

from walkon.metrics.audit.audit import audit, audit_performances
from walkon.metrics.audit.report import VIOLATIONS, AuditFigures, AuditReport, Least, Violation

__all__ = ["VIOLATIONS", "AuditFigures", "AuditReport", "Least", "Violation", "audit", "audit_performances"]
