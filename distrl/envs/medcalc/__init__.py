"""MedCalc: a patient note, a question, a value with its unit; graded by the published definition; not for care."""
