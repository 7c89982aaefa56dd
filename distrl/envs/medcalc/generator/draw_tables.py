"""The figures behind the drawn patients: spreads of quantities, ages, usual doses.

[draw_tables -> draws -> statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

The figures are plausible, not epidemiology: a healthy mode beside sick ones, so that every score band occurs.
"""

from __future__ import annotations

from typing import NamedTuple


class Spread(NamedTuple):
    """A mixture of normal draws: modes (mean, standard deviation), the healthy first, cut to [low, high]."""

    low: float
    high: float
    modes: tuple[tuple[float, float], ...]


SPREADS = {  # in the units of `inputs.NAMES`
    "bmi": Spread(14.5, 58, ((22, 2.2), (24, 3), (28, 3), (33, 4), (42, 5), (17, 1))),
    "heart_rate": Spread(32, 190, ((78, 10), (96, 8), (118, 14), (58, 7), (145, 12))),
    "respiratory_rate": Spread(8, 52, ((16, 2), (20, 2), (26, 4), (34, 4))),
    "systolic_bp": Spread(62, 225, ((124, 10), (142, 10), (96, 9), (82, 7), (172, 14))),
    "temperature": Spread(30.5, 41.6, ((36.8, 0.3), (37.4, 0.4), (38.7, 0.6), (39.6, 0.4), (35.2, 0.8))),
    "spo2": Spread(72, 100, ((97, 1.2), (95, 1.2), (91, 3), (84, 4))),
    "urine_output": Spread(40, 4200, ((1500, 350), (900, 250), (400, 120), (140, 60))),
    "qt_interval": Spread(270, 610, ((380, 25), (420, 25), (470, 35), (330, 20))),
    "sodium": Spread(110, 178, ((139, 2.5), (139, 4), (129, 5), (150, 6), (121, 4))),
    "urine_sodium": Spread(5, 180, ((14, 5), (45, 15), (90, 25))),
    "potassium": Spread(2.0, 7.8, ((4.2, 0.4), (3.1, 0.4), (5.7, 0.5), (6.6, 0.5))),
    "bicarbonate": Spread(4, 46, ((24, 2), (17, 3), (11, 3), (31, 4))),
    "gap": Spread(3, 38, ((10, 2.5), (15, 3), (24, 5))),  # anion gap, from which chloride follows
    "creatinine": Spread(0.4, 11.5, ((0.9, 0.18), (1.2, 0.25), (1.8, 0.4), (3.1, 0.8), (5.9, 1.8))),
    "urine_creatinine": Spread(12, 320, ((60, 20), (110, 30), (190, 40))),
    "glucose": Spread(42, 980, ((96, 12), (140, 25), (250, 50), (480, 110))),
    "insulin": Spread(1.5, 140, ((8, 3), (18, 6), (45, 18))),
    "albumin": Spread(1.2, 5.3, ((4.2, 0.3), (3.2, 0.3), (2.4, 0.4))),
    "calcium": Spread(5.4, 15.8, ((9.3, 0.4), (8.0, 0.6), (11.6, 1.1))),
    "bilirubin": Spread(0.2, 38, ((0.7, 0.25), (1.7, 0.4), (2.6, 0.5), (4.8, 1.2), (14, 6))),
    "alt": Spread(7, 2400, ((24, 8), (62, 18), (160, 60), (620, 260))),
    "total_cholesterol": Spread(95, 420, ((178, 22), (218, 25), (265, 32))),
    "hdl": Spread(18, 110, ((38, 6), (50, 7), (66, 9))),
    "triglycerides": Spread(38, 390, ((95, 22), (150, 30), (240, 50))),
    "platelets": Spread(8, 720, ((245, 50), (135, 18), (82, 14), (38, 12), (450, 90))),
    "wbc": Spread(0.4, 48, ((7.2, 1.6), (13.5, 2.5), (22, 5), (2.7, 0.8))),
    "hemoglobin": Spread(4.4, 18.6, ((14.2, 1.2), (12.3, 0.8), (10.6, 0.8), (7.9, 1.1))),
    "inr": Spread(0.8, 7.2, ((1.0, 0.08), (1.4, 0.2), (2.0, 0.2), (2.9, 0.6))),
    "paco2": Spread(16, 98, ((40, 3), (29, 4), (54, 9))),
    "fio2": Spread(21, 100, ((21, 0), (21, 0), (35, 8), (55, 12), (85, 12))),
    "pf_ratio": Spread(55, 480, ((430, 25), (340, 35), (250, 30), (155, 28), (85, 15))),
    "dopamine": Spread(0.5, 22, ((4, 1), (9, 3), (17, 2))),
    "dobutamine": Spread(2, 15, ((5, 2), (9, 3))),
    "epinephrine": Spread(0.02, 0.6, ((0.06, 0.02), (0.2, 0.1))),
    "a_a_gradient": Spread(20, 620, ((120, 40), (260, 40), (410, 50), (540, 40))),
    "alcoholic_drinks": Spread(0, 40, ((1, 1), (4, 2), (10, 3), (20, 6))),
    "dose_mg": Spread(1, 100, ((20, 8),)),
    "norepinephrine": Spread(0.02, 0.9, ((0.06, 0.02), (0.25, 0.12))),
}
BURDENS = (0.06, 0.2, 0.35, 0.55, 0.75)  # how likely each finding is in a patient
BURDENS_OF = {32: (0.03, 0.1, 0.2, 0.35, 0.6), 36: (0.0, 0.04, 0.08, 0.15, 0.3)}  # of the long scores
CALM = (0.0, 0.35, 0.85)  # how likely each quantity of a patient is of its first mode
UNMEASURED = {  # chance that an optional quantity is not given; 0.3 where it does not stand here
    "dopamine": 0.75,
    "dobutamine": 0.85,
    "epinephrine": 0.8,
    "norepinephrine": 0.6,
    "systolic_bp": 0.15,
    "diastolic_bp": 0.15,
    "creatinine": 0.15,
}
FEMALE = frozenset({13, 68, 69})
AGES = {  # years; 18 to 94 where a calculator does not stand here
    13: (17, 45),
    68: (17, 45),
    69: (17, 45),
    20: (3, 70),
    22: (2, 90),
    33: (3, 70),
    32: (35, 94),
    38: (3, 94),
    46: (25, 79),
    48: (18, 80),
}
SPREADS_OF = {  # in one calculator
    (9, "creatinine"): Spread(0.5, 9.5, ((1.0, 0.2), (1.6, 0.4), (3.0, 0.9))),
    (22, "weight"): Spread(3.2, 125, ((7, 2), (15, 3), (40, 14), (74, 14))),
    (61, "bmi"): Spread(18.5, 30, ((22.5, 1.5), (25, 1.5))),
    (46, "systolic_bp"): Spread(96, 195, ((122, 10), (138, 12), (160, 12))),
    (38, "sodium"): Spread(120, 176, ((150, 5), (158, 6), (146, 3), (134, 5))),
    (31, "glucose"): Spread(62, 320, ((92, 9), (112, 10), (165, 35))),
    (20, "temperature"): Spread(36.0, 40.8, ((36.8, 0.3), (38.0, 0.3), (38.9, 0.5), (37.5, 0.3))),
    (29, "pao2"): Spread(38, 112, ((84, 8), (68, 6), (54, 5))),
    (48, "spo2"): Spread(86, 100, ((98, 1), (96, 1), (92, 2))),
}

# mg with the glucocorticoid effect of 5 mg of prednisone (Meikle 1977); sizes of drawn doses, not gold.
PREDNISONE_EQUIVALENT_MG = {
    "betamethasone": 0.75,
    "cortisone": 25,
    "dexamethasone": 0.75,
    "hydrocortisone": 20,
    "methylprednisolone": 4,
    "prednisolone": 5,
    "prednisone": 5,
    "triamcinolone": 4,
}
# opioid -> (doses in mg, µg or µg/h, doses a day)
OPIOID_DOSES: dict[str, tuple[tuple[float, ...], tuple[int, ...]]] = {
    "buprenorphine": ((2, 4, 8), (1, 2, 3)),
    "codeine": ((15, 30, 60), (2, 3, 4, 6)),
    "fentanyl_buccal": ((100, 200, 400), (1, 2, 3, 4)),
    "fentanyl_patch": ((12, 25, 50, 75, 100), (1, 1, 1, 2)),
    "hydrocodone": ((5, 7.5, 10, 20), (1, 2, 3, 4)),
    "hydromorphone": ((2, 4, 8), (2, 3, 4, 6)),
    "methadone": ((2.5, 5, 10, 20), (1, 2, 3)),
    "morphine": ((10, 15, 30, 60), (1, 2, 3, 4, 6)),
    "oxycodone": ((5, 10, 15, 20, 40), (1, 2, 3, 4)),
    "oxymorphone": ((5, 10, 20), (1, 2, 3)),
    "tapentadol": ((50, 75, 100), (2, 3, 4)),
    "tramadol": ((50, 100), (1, 2, 3, 4)),
}
