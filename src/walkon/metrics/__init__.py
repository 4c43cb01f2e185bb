"""Metrics, and the audit that believes nothing the planners say."""

from walkon.metrics.anomalies import Anomaly
from walkon.metrics.audit import VIOLATIONS, AuditFigures, AuditReport, Least, Violation, audit, audit_performances
from walkon.metrics.measures import Measures, measure
from walkon.metrics.plausibility import Benchmarks, measure_benchmarks
from walkon.metrics.trajectories import Trajectories, of_take, read_trajectories, resample

__all__ = [
    "VIOLATIONS",
    "Anomaly",
    "AuditFigures",
    "AuditReport",
    "Benchmarks",
    "Least",
    "Measures",
    "Trajectories",
    "Violation",
    "audit",
    "audit_performances",
    "measure",
    "measure_benchmarks",
    "of_take",
    "read_trajectories",
    "resample",
]
