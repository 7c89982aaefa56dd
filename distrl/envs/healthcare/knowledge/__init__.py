"""Passages that agents search: one protocol, two backends; own passages, and what users bring."""

from distrl.envs.healthcare.knowledge.build import open_base
from distrl.envs.healthcare.knowledge.default import backend, use
from distrl.envs.healthcare.knowledge.protocol import Hit, KnowledgeBase, Passage

__all__ = ["Hit", "KnowledgeBase", "Passage", "backend", "open_base", "use"]
