"""Metrics, progress, spans and the report of a run."""

from distrl.observe.runlog import RunLog
from distrl.observe.spans import SpanLog

__all__ = ["RunLog", "SpanLog"]
