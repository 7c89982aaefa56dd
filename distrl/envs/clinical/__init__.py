"""The clinical core: published formulas, instruments, drug facts and units, with their sources.

[clinical] <- clinical_tools, medcalc, healthcare environments. Pure functions of numbers in the unit that
each argument names; no state, no input or output. Synthetic, not for care.
"""
