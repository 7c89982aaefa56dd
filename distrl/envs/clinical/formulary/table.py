"""All records by generic name, in the order of the tables."""

from __future__ import annotations

from distrl.envs.clinical.formulary import (
    acute,
    antibiotics,
    anticoagulants,
    antidepressants,
    antimicrobials,
    antiplatelets_blood,
    antivirals_antifungals,
    beta_lactams,
    bladder_vessels,
    brain,
    carbapenems,
    diabetes,
    fluids_salts,
    gut,
    heart_rhythm,
    hormones,
    immune,
    lungs,
    mind_and_pain,
    opioids_antidotes,
    pain,
    psychotropics,
    renin_beta,
    vessels,
    women_hormones,
)
from distrl.envs.clinical.formulary.core import Drug

_TABLES = (
    beta_lactams.DRUGS,
    carbapenems.DRUGS,
    antibiotics.DRUGS,
    antimicrobials.DRUGS,
    antivirals_antifungals.DRUGS,
    anticoagulants.DRUGS,
    antiplatelets_blood.DRUGS,
    renin_beta.DRUGS,
    vessels.DRUGS,
    heart_rhythm.DRUGS,
    diabetes.DRUGS,
    hormones.DRUGS,
    lungs.DRUGS,
    pain.DRUGS,
    opioids_antidotes.DRUGS,
    gut.DRUGS,
    brain.DRUGS,
    antidepressants.DRUGS,
    psychotropics.DRUGS,
    immune.DRUGS,
    acute.DRUGS,
    fluids_salts.DRUGS,
    bladder_vessels.DRUGS,
    mind_and_pain.DRUGS,
    women_hormones.DRUGS,
)


def _by_name(tables: tuple[tuple[Drug, ...], ...]) -> dict[str, Drug]:
    records = [drug for table in tables for drug in table]
    names = [drug.name for drug in records]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"drugs with two records: {', '.join(twice)}")
    return dict(zip(names, records, strict=True))


DRUGS: dict[str, Drug] = _by_name(_TABLES)
