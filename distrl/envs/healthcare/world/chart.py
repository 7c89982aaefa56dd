"""Notes in the words of different authors: they say what the record says, and nothing that is hidden.

Patient (without notes) -> [notes] -> Note

Each style renders the same facts; what is missing is called missing. A note never names the condition that
the episode asks for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from distrl.envs.healthcare.world.records import Medication, Note, Patient, VitalSigns

AUTHORS = {
    "admission": ("Dr. Weiss", "Dr. Okoye", "Dr. Lind", "Dr. Marchand"),
    "nursing": ("Nurse Adams", "Nurse Bello", "Nurse Crane"),
    "progress": ("Dr. Holm", "Dr. Pires", "Dr. Sato"),
}


def age_text(patient: Patient) -> str:
    """ "58-year-old", or in months below two years."""
    age = patient["age_years"]
    return f"{age:g}-year-old" if age >= 2 else f"{max(0, round(age * 12))}-month-old"


def regimen_text(drug: Medication) -> str:
    """ "metformin 1000 mg oral, 2 a day"."""
    per_day = drug["doses_per_day"]
    often = f"{per_day:g} a day" if per_day >= 1 else f"every {round(1 / per_day)} days"
    return f"{drug['drug']} {drug['dose']:g} {drug['dose_unit']} {drug['route']}, {often}"


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def allergy_text(patient: Patient) -> str:
    """The allergies as a sentence; not asked is not none."""
    if not patient["allergies_reviewed"]:
        return "Allergies have not been asked about."
    if not patient["allergies"]:
        return "No known drug allergies."
    return (
        "Allergies: " + "; ".join(f"{a['substance']} ({a['reaction']})" for a in patient["allergies"]) + "."
    )


def vitals_text(signs: VitalSigns) -> str:
    """The signs that were taken, with units."""
    parts = [
        (signs["temperature_c"], "temperature {} °C"),
        (signs["heart_rate_bpm"], "heart rate {}/min"),
        (signs["respiratory_rate_bpm"], "respiratory rate {}/min"),
        (signs["spo2_percent"], "SpO2 {} % on room air"),
        (signs["gcs"], "GCS {}"),
        (signs["pain_0_10"], "pain {}/10"),
    ]
    shown = [text.format(value) for value, text in parts if value is not None]
    if signs["systolic_mmhg"] is not None and signs["diastolic_mmhg"] is not None:
        shown.insert(2, f"blood pressure {signs['systolic_mmhg']}/{signs['diastolic_mmhg']} mmHg")
    return ", ".join(shown) or "no vital signs taken"


def _who(patient: Patient) -> str:
    weeks = patient["pregnant_weeks"]
    pregnant = f", {weeks} weeks pregnant" if weeks is not None else ""
    word = {"female": "woman", "male": "man"}[patient["sex"]]
    if patient["age_years"] < 18:
        word = {"female": "girl", "male": "boy"}[patient["sex"]]
    return f"{age_text(patient)} {word}{pregnant}"


def _history(patient: Patient) -> str:
    active = [p["name"] for p in patient["problems"] if p["status"] == "active"]
    return f"Known: {_and(active)}." if active else "No chronic illness on the problem list."


def _drugs(patient: Patient) -> str:
    taken = [regimen_text(m) for m in patient["medications"] if m["status"] == "active"]
    return f"Takes {'; '.join(taken)}." if taken else "No regular medication on the list."


def _prose(patient: Patient) -> str:
    shown = patient["presentation"]
    text = f"{_who(patient)}. Came for: {shown['complaint']}; onset {shown['onset']}. "
    text += f"Reports {_and(shown['symptoms'])}. " if shown["symptoms"] else ""
    text += f"{_capital(_and(shown['negatives']))}. " if shown["negatives"] else ""
    text += f"{_history(patient)} {_drugs(patient)} {allergy_text(patient)} "
    text += f"On examination: {_and(shown['findings'])}." if shown["findings"] else ""
    return text.strip()


def _headed(patient: Patient) -> str:
    shown = patient["presentation"]
    lines = [
        f"CC: {shown['complaint']} ({shown['onset']}).",
        f"HPI: {_who(patient)}. {'; '.join([*shown['symptoms'], *shown['negatives']])}.",
        f"PMH: {_history(patient)}",
        f"Meds: {_drugs(patient)}",
        allergy_text(patient),
        f"Exam: {'; '.join(shown['findings']) or 'not documented'}.",
    ]
    return "\n".join(lines)


def _terse(patient: Patient) -> str:
    shown = patient["presentation"]
    parts = [f"{_who(patient)}.", f"{_capital(shown['complaint'])}, onset {shown['onset']}."]
    parts += [f"+{phrase}." for phrase in shown["symptoms"]]
    parts += [f"-{phrase.removeprefix('no ')}." for phrase in shown["negatives"]]
    parts += [f"O/E: {', '.join(shown['findings'])}."] if shown["findings"] else []
    return " ".join([*parts, allergy_text(patient), _drugs(patient)])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _nurse_prose(patient: Patient) -> str:
    signs = patient["vitals"][-1] if patient["vitals"] else None
    measured = vitals_text(signs) if signs else "no vital signs taken"
    here = f"Reason for the visit: {patient['presentation']['complaint']}."
    return f"{here} Measured: {measured}. {allergy_text(patient)}"


def _nurse_list(patient: Patient) -> str:
    signs = patient["vitals"][-1] if patient["vitals"] else None
    weight = patient["weight_kg"]
    lines = [f"Complaint: {patient['presentation']['complaint']}"]
    lines.append(f"Obs: {vitals_text(signs) if signs else 'no vital signs taken'}")
    lines.append(f"Weight: {f'{weight:g} kg' if weight is not None else 'not measured'}")
    lines.append(allergy_text(patient))
    return "\n".join(lines)


ADMISSION: tuple[Callable[[Patient], str], ...] = (_prose, _headed, _terse)
NURSING: tuple[Callable[[Patient], str], ...] = (_nurse_prose, _nurse_list)


def _follow_up(rng: random.Random, patient: Patient) -> str:
    active = [p["name"] for p in patient["problems"] if p["status"] == "active"]
    wording = ("Routine visit.", "Seen for review.", "Regular follow-up.")
    about = f" Reviewed: {_and(active)}." if active else " No chronic illness."
    return (
        rng.choice(wording)
        + about
        + rng.choice((" Feels well.", " No new complaint.", " Stable since the last visit."))
    )


def notes(rng: random.Random, patient: Patient, earlier_visits: Sequence[str], now: str) -> list[Note]:
    """Earlier progress notes, then the nurse's and the doctor's note of this visit, oldest first."""
    found = [
        _note(rng, patient, "progress", at, _follow_up(rng, patient), number)
        for number, at in enumerate(earlier_visits, 1)
    ]
    number = len(found)
    found.append(_note(rng, patient, "nursing", now, rng.choice(NURSING)(patient), number + 1))
    found.append(_note(rng, patient, "admission", now, rng.choice(ADMISSION)(patient), number + 2))
    return found


def _note(rng: random.Random, patient: Patient, kind: str, at: str, text: str, number: int) -> Note:
    return {
        "note_id": f"{patient['patient_id']}-N{number:02d}",
        "at": at,
        "kind": kind,
        "author": rng.choice(AUTHORS[kind]),
        "text": text.strip(),
    }
