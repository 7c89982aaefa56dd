"""Synthetic patients and the database of an episode, drawn from a seed; no real patient."""
