"""Invented names, jobs, body sizes and the vital signs of health by age.

[these tables] -> patient generator

Sizes: children near the 50th centile of WHO (2006) and CDC (2000), adults near NHANES 2015-2018; vital signs
of children: American Heart Association, Pediatric Advanced Life Support, 2020. Names are combined by chance.
"""

from __future__ import annotations

import random
from itertools import pairwise

from distrl.envs.healthcare.world.records import Sex

ADULT_YEARS = 18.0
GIVEN: dict[Sex, tuple[str, ...]] = {
    "female": tuple(
        [
            "Adela",
            "Amara",
            "Anneke",
            "Beatriz",
            "Birgit",
            "Carmen",
            "Chiara",
            "Daria",
            "Delphine",
            "Edith",
            "Elif",
            "Esther",
            "Fatima",
            "Fiona",
            "Greta",
            "Hana",
            "Helga",
            "Imani",
            "Ingrid",
            "Irene",
            "Jasmine",
            "Joanna",
            "Kamala",
            "Katya",
            "Leila",
            "Linnea",
            "Lucia",
            "Mabel",
            "Maren",
            "Mei",
            "Mirjam",
            "Nadia",
            "Naomi",
            "Noor",
            "Olga",
            "Oona",
            "Paloma",
            "Petra",
            "Priya",
            "Rosalind",
            "Ruth",
            "Sabine",
            "Salma",
            "Sofia",
            "Tamsin",
            "Tilda",
            "Ursula",
            "Vera",
            "Wanda",
            "Yara",
            "Yuki",
            "Zofia",
        ]
    ),
    "male": tuple(
        [
            "Abel",
            "Ahmed",
            "Anselm",
            "Arvid",
            "Bashir",
            "Benedict",
            "Bruno",
            "Caspian",
            "Cedric",
            "Cyrus",
            "Dario",
            "Desmond",
            "Dmitri",
            "Edgar",
            "Emil",
            "Enzo",
            "Farid",
            "Felix",
            "Gideon",
            "Gustav",
            "Hakim",
            "Hector",
            "Henrik",
            "Ibrahim",
            "Ivo",
            "Jarek",
            "Joel",
            "Jonas",
            "Kenji",
            "Kofi",
            "Lars",
            "Leopold",
            "Luca",
            "Magnus",
            "Malik",
            "Marek",
            "Mateo",
            "Nikolai",
            "Omar",
            "Oskar",
            "Pavel",
            "Quentin",
            "Rafael",
            "Rashid",
            "Rupert",
            "Samir",
            "Silas",
            "Stefan",
            "Tariq",
            "Tobias",
            "Viktor",
            "Walter",
            "Yusuf",
        ]
    ),
}
FAMILY = tuple(
    [
        "Abara",
        "Adler",
        "Almeida",
        "Amundsen",
        "Arslan",
        "Baptiste",
        "Barros",
        "Bellamy",
        "Bergstrom",
        "Bianchi",
        "Brandt",
        "Castellan",
        "Chaudhry",
        "Cole",
        "Corrigan",
        "Dahl",
        "Danjuma",
        "Delacroix",
        "Dietrich",
        "Dragan",
        "Duarte",
        "Eklund",
        "Espinoza",
        "Fairley",
        "Farouk",
        "Fontaine",
        "Galloway",
        "Grimaldi",
        "Haddad",
        "Hartley",
        "Hollis",
        "Ibsen",
        "Ivanova",
        "Jansen",
        "Kaminski",
        "Kaplan",
        "Khoury",
        "Kowal",
        "Laurent",
        "Lindqvist",
        "Lombardi",
        "Marchetti",
        "Mbeki",
        "Mercer",
        "Moreau",
        "Nakamura",
        "Navarro",
        "Novak",
        "Oduya",
        "Okafor",
        "Olsen",
        "Ortega",
        "Pereira",
        "Petrov",
        "Quill",
        "Ramos",
        "Reyes",
        "Rossi",
        "Sandoval",
        "Schreiber",
        "Selim",
        "Sorensen",
        "Stone",
        "Takeda",
        "Thorne",
        "Tran",
        "Udo",
        "Valdez",
        "Vance",
        "Voss",
        "Weller",
        "Yamada",
        "Zhou",
        "Zimmer",
    ]
)
JOBS = (
    "teacher", "bus driver", "electrician", "accountant", "nurse", "cook", "carpenter", "shop assistant",
    "software developer", "gardener", "office clerk", "warehouse worker", "hairdresser", "mechanic",
    "musician", "postal worker", "cleaner", "farmer", "librarian", "bricklayer",
)  # fmt: skip
LIVING = ("alone", "with a partner", "with family", "with a friend")

Points = tuple[tuple[float, float], ...]
# (age in years, cm) and (age in years, kg)
HEIGHT: dict[Sex, Points] = {
    "female": ((0, 49.5), (0.5, 65.7), (1, 74), (2, 86), (3, 94.5), (4, 101), (6, 115), (8, 127.5), (10, 138),
               (12, 151), (14, 160), (18, 163)),
    "male": ((0, 50), (0.5, 67.6), (1, 75.7), (2, 87), (3, 95.5), (4, 102), (6, 115.5), (8, 128), (10, 138.5),
             (12, 149), (14, 164), (16, 173), (18, 176)),
}  # fmt: skip
WEIGHT: dict[Sex, Points] = {
    "female": ((0, 3.3), (0.5, 7.3), (1, 8.9), (2, 11.8), (3, 13.9), (4, 15.9), (6, 20.2), (8, 25.8),
               (10, 33), (12, 41.8), (14, 49.5), (16, 54), (18, 57)),
    "male": ((0, 3.4), (0.5, 7.9), (1, 9.6), (2, 12.4), (3, 14.3), (4, 16.3), (6, 20.7), (8, 25.6),
               (10, 32),             (12, 40.5), (14, 51), (16, 61), (18, 67)),
}  # fmt: skip
# (age in years, value in health)
HEART_RATE: Points = ((0, 140), (1, 122), (3, 108), (6, 96), (10, 86), (14, 79), (18, 75))
BREATHS: Points = ((0, 42), (1, 31), (3, 25), (6, 21), (10, 19), (14, 17), (18, 15))
SYSTOLIC: Points = (
    (0, 70),
    (1, 90),
    (3, 96),
    (6, 102),
    (10, 107),
    (14, 114),
    (18, 120),
    (50, 122),
    (80, 130),
)
DIASTOLIC: Points = ((0, 42), (1, 52), (3, 58), (6, 64), (10, 68), (14, 70), (18, 75), (80, 76))


def at_age(points: Points, age_years: float) -> float:
    """Linear between the points, flat beyond them."""
    if age_years <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if age_years <= x1:
            return y0 + (y1 - y0) * (age_years - x0) / (x1 - x0)
    return points[-1][1]


def body_size(rng: random.Random, age_years: float, sex: Sex, obese: bool) -> tuple[float, float]:
    """(height in cm, weight in kg), fitting age and sex; `obese` puts the body mass index at 30 or above."""
    spread = rng.gauss(0.0, 1.0)
    if age_years < ADULT_YEARS:
        height = at_age(HEIGHT[sex], age_years) * (1 + 0.035 * _clip(spread, 2))
        factor = 1 + 0.06 * _clip(spread, 2) + 0.07 * _clip(rng.gauss(0, 1), 1.6) + (0.5 if obese else 0.0)
        return round(height, 1), round(at_age(WEIGHT[sex], age_years) * factor, 1)
    shrink = max(0.0, age_years - 50) * 0.08
    height = (163.0 if sex == "female" else 176.0) + 6.5 * _clip(spread, 2.2) - shrink
    bmi = _clip(rng.gauss(0, 1), 2) * 2.0 + (34.0 if obese else 24.8)
    if obese:
        bmi = max(bmi, 30.4)
    return round(height, 1), round(bmi * (height / 100) ** 2, 1)


def _clip(value: float, most: float) -> float:
    return max(-most, min(most, value))
