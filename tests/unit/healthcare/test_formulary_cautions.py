"""Organs, pregnancy, problem lists and levels: the formulary agrees with labels and with the older notes."""

from __future__ import annotations

import pytest

from distrl.envs.clinical import dosing, drug_notes
from distrl.envs.clinical.formulary import DRUGS, daily_limit

FORBIDDEN = [  # (drug, condition, source)
    ("ibuprofen", "gi_bleeding", "NSAID class label, boxed warning"),
    ("propranolol", "asthma", "Inderal label, section 4"),
    ("verapamil", "heart_failure", "Calan label: severe left ventricular dysfunction"),
    ("lisinopril", "angioedema_history", "Zestril label, section 4"),
    ("heparin", "hit", "heparin label, section 4"),
    ("dabigatran", "mechanical_heart_valve", "Pradaxa label, section 4"),
    ("prasugrel", "ischemic_stroke", "Effient label, section 4"),
    ("alteplase", "hemorrhagic_stroke", "Activase label, section 4"),
    ("bupropion", "epilepsy", "Wellbutrin label, section 4"),
    ("bupropion", "eating_disorder", "Wellbutrin label, section 4"),
    ("flecainide", "coronary_artery_disease", "Tambocor label, CAST"),
    ("pioglitazone", "heart_failure", "Actos label, boxed warning"),
    ("semaglutide", "medullary_thyroid_carcinoma", "Ozempic label, boxed warning"),
    ("metoclopramide", "bowel_obstruction", "Reglan label, section 4"),
    ("sumatriptan", "coronary_artery_disease", "Imitrex label, section 4"),
    ("oral contraceptives", "migraine_with_aura", "CDC US MEC 2024, category 4"),
    ("itraconazole", "heart_failure", "Sporanox label, boxed warning"),
    ("ciprofloxacin", "myasthenia_gravis", "Cipro label, boxed warning"),
    ("alendronate", "esophageal_disorder", "Fosamax label, section 4"),
    ("succinylcholine", "hyperkalemia", "Anectine label"),
    ("sotalol", "long_qt", "Betapace label, section 4"),
    ("cilostazol", "heart_failure", "Pletal label, boxed warning"),
    ("spironolactone", "hyperkalemia", "Aldactone label, section 4"),
    ("methotrexate", "alcohol_use_disorder", "Trexall label, section 4"),
    ("glucagon", "pheochromocytoma", "GlucaGen label, section 4"),
]
PREGNANCY = [  # (drug, verdicts that a label allows)
    ("lisinopril", {"contraindicated"}),
    ("valsartan", {"contraindicated"}),
    ("warfarin", {"contraindicated"}),
    ("methotrexate", {"contraindicated"}),
    ("mycophenolate", {"contraindicated"}),
    ("isotretinoin", {"contraindicated"}),
    ("misoprostol", {"contraindicated"}),
    ("valproate", {"contraindicated", "avoid"}),
    ("doxycycline", {"avoid"}),
    ("fluconazole", {"avoid"}),
    ("ibuprofen", {"avoid"}),
    ("topiramate", {"avoid"}),
    ("labetalol", {"compatible"}),
    ("methyldopa", {"compatible"}),
    ("insulin regular", {"compatible"}),
    ("heparin", {"compatible"}),
    ("enoxaparin", {"compatible"}),
    ("amoxicillin", {"compatible"}),
    ("acetaminophen", {"compatible"}),
    ("levothyroxine", {"compatible"}),
]
LEVELS = [  # (drug, low, high, unit)
    ("digoxin", 0.5, 0.9, "ng/mL"),
    ("lithium", 0.6, 1.2, "mEq/L"),
    ("phenytoin", 10, 20, "mcg/mL"),
    ("carbamazepine", 4, 12, "mcg/mL"),
    ("valproate", 50, 100, "mcg/mL"),
    ("vancomycin", 400, 600, "mg*h/L"),
    ("warfarin", 2, 3, "INR"),
]


@pytest.mark.parametrize(("drug", "condition", "source"), FORBIDDEN)
def test_condition_forbids(drug, condition, source):
    found = [row for row in DRUGS[drug].contraindications if row.condition == condition]
    assert found and found[0].absolute, source


@pytest.mark.parametrize(("drug", "verdicts"), PREGNANCY)
def test_pregnancy_verdict(drug, verdicts):
    assert DRUGS[drug].pregnancy.verdict in verdicts


@pytest.mark.parametrize(("drug", "low", "high", "unit"), LEVELS)
def test_target_level(drug, low, high, unit):
    assert DRUGS[drug].monitoring is not None
    assert (DRUGS[drug].monitoring.target, DRUGS[drug].monitoring.unit) == ((low, high), unit)


def test_older_notes_on_pregnancy_agree():
    for name in drug_notes.TERATOGENS:
        assert DRUGS[name].pregnancy.verdict in ("avoid", "contraindicated"), name
    for name, text in drug_notes.PREGNANCY.items():
        if text.startswith("contraindicated"):
            assert DRUGS[name].pregnancy.verdict == "contraindicated", name
    for name, drug in DRUGS.items():
        if drug.pregnancy.verdict == "compatible":
            assert name not in drug_notes.TERATOGENS


def test_older_notes_on_the_kidney_agree():
    for name, rows in drug_notes.RENAL.items():
        for below, text in rows:
            if text in ("avoid", "contraindicated"):
                route = DRUGS[name].adult[0].route
                assert daily_limit(name, route, 70, 50, below - 1).value == 0, name


def test_older_dose_tables_agree():
    for name, most in dosing.MAX_MG_PER_KG.items():
        assert max(row.max_single for row in DRUGS[name].adult if row.per_kg) == most
    for name, most in dosing.MAX_MG_PER_KG_DAY.items():
        assert max(row.max_daily for row in DRUGS[name].adult if row.per_kg) == most


def test_a_drug_cleared_by_the_kidney_with_a_narrow_index_says_what_to_do():
    for name in ("digoxin", "lithium", "gentamicin", "vancomycin", "methotrexate", "enoxaparin", "metformin"):
        assert DRUGS[name].renal, name
