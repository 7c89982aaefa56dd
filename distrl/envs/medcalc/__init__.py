"""MedCalc: a patient note, a question, a value with its unit, graded by the published rule; not for care."""
