"""Words of a symptom, a finding or a condition's name, made comparable: synonyms, plurals, weights.

symptoms as written -> [matching] -> differential, guidelines

Linear in the text's length. Not covered: misspelling, and negation beyond a leading "no" and "without".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_PHRASES = 30
MOST_CHARS = 2000  # of a text; what is longer is no list of symptoms
_SPLIT = re.compile(r"[,;\n]|\band\b|\bwith\b")
_NEGATED = re.compile(r"\s*(?:no|not|without|denies|absent)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:without|but no)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")
_STOP = """a an the of in on at to by for from or is are has had was were his her their patient presents
presenting complains reports history suspected possible probable new onset since days hours weeks"""
STOP = frozenset(_STOP.split())
# Words that colour a finding and do not make it: they weigh less.
_QUALIFIERS = """severe mild moderate acute sudden chronic left right bilateral recent worsening progressive
diffuse intermittent constant sharp dull high low marked slight increased decreased reduced"""
QUALIFIERS = frozenset(_QUALIFIERS.split())
QUALIFIER_WEIGHT = 0.3
# The word that stands for each of several phrases.
_MEANINGS: dict[str, tuple[str, ...]] = {
    "anorexia": ("loss of appetite", "poor appetite", "less appetite", "no appetite", "not eating"),
    "abdominal": ("stomach", "belly", "tummy", "abdomen"),
    "chest": ("retrosternal", "substernal", "breastbone"),
    "chills": ("shivering", "rigors", "rigor"),
    "confusion": ("altered mental status", "disorientation", "disoriented", "confused"),
    "cramp": ("cramping", "colicky", "colic"),
    "diarrhea": ("loose stools", "watery stools", "diarrhoea"),
    "dizziness": ("dizzy", "lightheadedness", "light-headedness", "light-headed", "lightheaded"),
    "droop": ("drooping", "droopy", "drooped"),
    "drowsy": ("drowsiness", "lethargy", "lethargic", "somnolence", "somnolent", "sleepy"),
    "dysarthria": ("slurred speech",),
    "dyspnea": (
        "shortness of breath", "short of breath", "difficulty breathing", "trouble breathing",
        "breathlessness", "breathless", "dyspnoea", "sob",
    ),
    "dysuria": (
        "burning on urination", "burning urination", "painful urination", "pain on urination",
        "burning with urination", "burning urine",
    ),
    "ear pain": ("earache", "otalgia"),
    "facial": ("face",),
    "fatigue": ("tiredness", "tired", "exhaustion", "malaise"),
    "fever": ("febrile", "pyrexia", "high temperature"),
    "flank": ("costovertebral angle", "side pain"),
    "frequent urination": ("urinary frequency", "urinating often"),
    "hematemesis": ("vomiting blood", "haematemesis", "vomit like coffee grounds", "coffee-ground vomit"),
    "hematuria": ("blood in urine", "blood in the urine", "haematuria", "red urine"),
    "hemoptysis": (
        "coughing up blood", "haemoptysis", "coughing a little blood", "coughing blood", "bloody sputum",
    ),
    "hypotension": ("hypotensive", "low blood pressure"),
    "itching": ("itchy", "pruritus"),
    "jaundice": ("yellow skin", "yellow eyes", "jaundiced", "icterus"),
    "melena": ("black stools", "tarry stools", "black tarry stools", "melaena"),
    "oliguria": ("little urine", "hardly any urine", "less urine", "reduced urine output"),
    "palpitations": ("racing heart", "heart racing", "heart skipping", "irregular heartbeat"),
    "phonophobia": ("dislike of noise", "sensitivity to sound", "sensitivity to noise"),
    "photophobia": ("sensitivity to light", "light sensitivity", "dislike of light"),
    "pleuritic": ("on breathing in", "on inspiration", "on breathing", "with deep breaths"),
    "polydipsia": ("excessive thirst", "thirst", "thirsty"),
    "polyuria": ("passing much urine", "passing much water"),
    "lower right abdominal": ("right lower quadrant", "rlq", "lower right belly", "right lower abdomen"),
    "upper right abdominal": ("right upper quadrant", "ruq", "under the right ribs"),
    "seizure": ("fits", "convulsions", "convulsion"),
    "stiff neck": ("neck stiffness", "nuchal rigidity", "meningism"),
    "sweating": ("perspiration", "diaphoresis", "sweats", "sweaty"),
    "swelling": ("oedema", "edema", "swollen", "distension", "distended", "bloating"),
    "syncope": ("passing out", "passed out", "fainting", "fainted", "loss of consciousness"),
    "tachycardia": ("fast heart rate", "rapid heart rate", "tachycardic"),
    "tachypnea": ("fast breathing", "rapid breathing", "tachypnoea"),
    "thunderclap headache": ("headache that peaked within a minute", "worst headache of my life"),
    "tremor": ("trembling", "shaky"),
    "upper abdominal": ("epigastric", "epigastrium"),
    "urticaria": ("hives",),
    "vomiting": ("throwing up", "emesis", "vomits"),
    "weakness": ("weak",),
    "wheeze": ("wheezing",),
}  # fmt: skip
SYNONYMS: dict[str, str] = {phrase: word for word, said in _MEANINGS.items() for phrase in said}
_SYNONYM = re.compile(
    r"\b(?:" + "|".join(re.escape(s) for s in sorted(SYNONYMS, key=len, reverse=True)) + r")\b"
)


def phrases(text: str) -> list[str]:
    """The phrases of a list of symptoms: split at commas, semicolons, lines, "and" and "with"."""
    pieces = (" ".join(p.split()) for p in _SPLIT.split(text[:MOST_CHARS].lower()))
    return list(dict.fromkeys(p for p in pieces if p))[:MOST_PHRASES]


def present(text: str) -> str:
    """The part of a phrase that says what is there: "" for "no rash", "sore throat" for "… without cough"."""
    text = text[:MOST_CHARS]
    return "" if _NEGATED.match(text) else _WITHOUT.split(text, maxsplit=1)[0]


def absent(text: str) -> str:
    """The part of a phrase that says what is not there, or ""."""
    text = text[:MOST_CHARS]
    start = _NEGATED.match(text)
    if start:
        return text[start.end() :]
    return next(iter(_WITHOUT.split(text, maxsplit=1)[1:]), "")


def words(text: str) -> frozenset[str]:
    """The words that carry a phrase, synonyms replaced and plurals cut."""
    replaced = _SYNONYM.sub(lambda m: SYNONYMS[m.group()], text[:MOST_CHARS].lower())
    return frozenset(_singular(w) for w in _WORD.findall(replaced) if w not in STOP)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "is", "us")) else word
    )


@dataclass(frozen=True)
class Weights:
    """Weight of each word: rarer among the documents weighs more; a word of none of them weighs most."""

    of: dict[str, float]
    rare: float

    def total(self, group: frozenset[str]) -> float:
        """Sum of a phrase's weights."""
        return sum(self.of.get(word, self.rare) for word in group)

    def likeness(self, said: frozenset[str], feature: frozenset[str]) -> float:
        """Share of what was said that the feature holds, by weight, 0 to 1."""
        common = said & feature
        return self.total(common) / self.total(said) if common else 0.0


def weights(documents: Sequence[Iterable[frozenset[str]]]) -> Weights:
    """Weights from documents, each a group of phrases."""
    count: dict[str, int] = {}
    for document in documents:
        for word in frozenset().union(*document):
            count[word] = count.get(word, 0) + 1
    total = max(1, len(documents))
    of = {
        word: math.log(1 + total / n) * (QUALIFIER_WEIGHT if word in QUALIFIERS else 1.0)
        for word, n in count.items()
    }
    return Weights(of=of, rare=math.log(1 + total))
