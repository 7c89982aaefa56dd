"""Patients, notes and questions of all 55 calculators, drawn from a seed; synthetic, not for care."""
