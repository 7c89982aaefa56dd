"""Rows of the public MedCalc-Bench files as tasks, and what their labels are worth."""
