"""Metrics, and the audit that believes nothing the planners say."""

from walkon.metrics.audit import KINDS, AuditReport, Figures, Least, Violation, audit, audit_performances

__all__ = ["KINDS", "AuditReport", "Figures", "Least", "Violation", "audit", "audit_performances"]
