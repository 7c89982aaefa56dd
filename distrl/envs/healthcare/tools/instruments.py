"""Published scores over the record: CURB-65, Wells, CHA2DS2-VASc, MELD-Na, APACHE II, body mass index.

EnvWorker[N: ToolCall -> Toolkit.run -> [instruments] -> clinical.calculators] <-> Engine[M] -> …

The arithmetic is that of `clinical.calculators`; here stand where each input comes from and what the value
means. An argument that is given counts before the record. An input that neither gives is reported as missing
and no score is shown. A history item that neither gives is counted as absent, and listed as such.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from distrl.envs.clinical.bands import Bands, above, band
from distrl.envs.clinical.calculators import Worked, body, cardiac, critical, infection, liver, thrombosis
from distrl.envs.clinical.calculators import inputs as quantities
from distrl.envs.clinical.calculators.points import Flags
from distrl.envs.healthcare.tools.inputs import ADULT_YEARS, Data, Gathered, gather
from distrl.envs.healthcare.tools.lookup import OptionalId
from distrl.envs.healthcare.world.records import Database
from distrl.envs.toolkit import ToolError

Flag = bool | None
WellsKind = Literal["pe", "dvt"]

# Lim WS, Thorax 2003;58:377: 30-day mortality 1.5 % (0-1), 9.2 % (2), 22 % (3-5).
CURB_BANDS: Bands = (
    (3, "high: severe pneumonia, inpatient, consider intensive care (mortality about 22 %)"),
    (2, "intermediate: consider hospital treatment (mortality about 9 %)"),
    (0, "low: home treatment may be suitable (mortality about 1.5 %)"),
)
# Two tiers: van Belle A (Christopher Study), JAMA 2006;295:172-179.
WELLS_PE_BANDS: Bands = (
    (above(4), "pulmonary embolism likely: imaging (CT pulmonary angiography) without a D-dimer"),
    (0, "pulmonary embolism unlikely: D-dimer decides about imaging"),
)
# Wells PS, N Engl J Med 2003;349:1227-1235.
WELLS_DVT_BANDS: Bands = (
    (2, "deep vein thrombosis likely: compression ultrasound"),
    (-2, "deep vein thrombosis unlikely: D-dimer decides about ultrasound"),
)
# Joglar JA, 2023 ACC/AHA/ACCP/HRS guideline, Circulation 2024;149:e1-e156.
VASC_BANDS: dict[str, Bands] = {
    "male": (
        (2, "anticoagulation recommended"),
        (1, "anticoagulation is reasonable"),
        (0, "low risk: no anticoagulation for stroke prevention"),
    ),
    "female": (
        (3, "anticoagulation recommended"),
        (2, "anticoagulation is reasonable"),
        (0, "low risk: no anticoagulation for stroke prevention"),
    ),
}
# Wiesner R, Gastroenterology 2003;124:91-96: three-month mortality of patients listed for transplant.
MELD_BANDS: Bands = (
    (40, "three-month mortality about 71 %"),
    (30, "three-month mortality about 53 %"),
    (20, "three-month mortality about 20 %"),
    (10, "three-month mortality about 6 %"),
    (0, "three-month mortality about 2 %"),
)
# Knaus WA, Crit Care Med 1985;13:818-829: hospital mortality, nonoperative patients.
APACHE_BANDS: Bands = (
    (35, "hospital mortality about 85 %"),
    (30, "hospital mortality about 75 %"),
    (25, "hospital mortality about 55 %"),
    (20, "hospital mortality about 40 %"),
    (15, "hospital mortality about 25 %"),
    (10, "hospital mortality about 15 %"),
    (5, "hospital mortality about 8 %"),
    (0, "hospital mortality about 4 %"),
)
# WHO, Technical Report 894, 2000.
BMI_BANDS: Bands = (
    (40, "obesity class III"),
    (35, "obesity class II"),
    (30, "obesity class I"),
    (25, "overweight"),
    (18.5, "normal weight"),
    (0, "underweight"),
)
VASCULAR = ("coronary_artery_disease", "myocardial_infarction", "peripheral_artery_disease")


def calculate_curb65(
    db: Database,
    patient_id: OptionalId = None,
    age: quantities.Age | None = None,
    confusion: Flag = None,
    bun: quantities.UreaNitrogen | None = None,
    respiratory_rate: quantities.RespiratoryRate | None = None,
    systolic_bp: quantities.SystolicBP | None = None,
    diastolic_bp: quantities.DiastolicBP | None = None,
) -> Data:
    """CURB-65, 0 to 5, the severity of pneumonia. Inputs that are not given come from the patient's record.

    Source: Lim WS, Thorax 2003;58:377-382.

    Args:
        confusion: New confusion; from the record it is a Glasgow Coma Score below 15.
    """
    inputs = gather(db, patient_id)
    inputs.age(age)
    inputs.lab("bun", bun)
    for name, value in (
        ("respiratory_rate", respiratory_rate),
        ("systolic_bp", systolic_bp),
        ("diastolic_bp", diastolic_bp),
    ):
        inputs.vital(name, value)
    inputs.confusion(confusion)
    return inputs.score("CURB-65", "points", infection.curb_65, lambda v: band(v, CURB_BANDS))


def calculate_wells_score(
    db: Database,
    condition: WellsKind,
    patient_id: OptionalId = None,
    *,
    heart_rate: quantities.HeartRate | None = None,
    dvt_signs: Flag = None,
    pe_most_likely: Flag = None,
    immobilized_3_days: Flag = None,
    surgery_past_4_weeks: Flag = None,
    previous_pe: Flag = None,
    previous_dvt: Flag = None,
    hemoptysis: Flag = None,
    active_cancer: Flag = None,
    bedridden_3_days: Flag = None,
    major_surgery_past_12_weeks: Flag = None,
    calf_swelling_over_3_cm: Flag = None,
    collateral_superficial_veins: Flag = None,
    entire_leg_swollen: Flag = None,
    deep_vein_tenderness: Flag = None,
    pitting_edema: Flag = None,
    leg_paralysis_or_plaster: Flag = None,
    alternative_diagnosis_as_likely: Flag = None,
) -> Data:
    """Wells score of pulmonary embolism ("pe") or deep vein thrombosis ("dvt").

    Findings that are not given are counted as absent and listed; give what the history and examination show.

    Source: Wells PS, Thromb Haemost 2000;83:416-420 (pe); N Engl J Med 2003;349:1227-1235 (dvt).

    Args:
        condition: Which of the two scores.
        heart_rate: For "pe"; else from the record.
        dvt_signs: For "pe": clinical signs of deep vein thrombosis.
        pe_most_likely: For "pe": the first diagnosis, or as likely as any.
        alternative_diagnosis_as_likely: For "dvt": another diagnosis is as likely or more.
    """
    given = {name: value for name, value in locals().items() if value is not None}
    wells = WELLS[condition]
    known = {*wells.flags, "db", "condition", "patient_id", *(("heart_rate",) if wells.heart_rate else ())}
    if foreign := [name for name in given if name not in known]:
        raise ToolError(f"{', '.join(foreign)}: not an item of the Wells score for {condition}; leave it out")
    if patient_id is None and not set(given) & set(wells.flags):
        raise ToolError("give patient_id, or the findings of the score")
    inputs = gather(db, patient_id)
    if wells.heart_rate:
        inputs.vital("heart_rate", heart_rate)
    for name in wells.flags:
        inputs.flag(name, given.get(name), WELLS_HISTORY.get(name, ()))
    return inputs.score(wells.title, "points", wells.function, lambda v: band(v, wells.bands))


@dataclass(frozen=True, kw_only=True)
class _Wells:
    """One of the two scores: what it asks, and what its value means."""

    title: str
    function: Callable[..., Worked]
    flags: tuple[str, ...]
    bands: Bands
    heart_rate: bool


def _items(flags: Flags) -> tuple[str, ...]:
    return tuple(name for names in flags for name in names.split("/"))


WELLS: dict[WellsKind, _Wells] = {
    "pe": _Wells(
        title="Wells score (pulmonary embolism)",
        function=thrombosis.wells_pulmonary_embolism,
        flags=_items(thrombosis.PE_FLAGS),
        bands=WELLS_PE_BANDS,
        heart_rate=True,
    ),
    "dvt": _Wells(
        title="Wells score (deep vein thrombosis)",
        function=thrombosis.wells_deep_vein_thrombosis,
        flags=_items(thrombosis.DVT_FLAGS),
        bands=WELLS_DVT_BANDS,
        heart_rate=False,
    ),
}
# Items that the record can answer: words of its problem list, symptoms and findings.
WELLS_HISTORY: dict[str, tuple[str, ...]] = {
    "previous_pe": ("history of pulmonary embolism", "previous pulmonary embolism"),
    "previous_dvt": ("venous thromboembolism", "previous deep vein thrombosis", "previous dvt"),
    "hemoptysis": ("hemoptysis", "coughing blood", "coughing up blood", "coughing a little blood"),
    "dvt_signs": ("one swollen calf", "swelling of one leg"),
    "bedridden_3_days": ("a week in bed",),
    "deep_vein_tenderness": ("tenderness along the deep veins",),
    "pitting_edema": ("pitting edema of one leg",),
    "calf_swelling_over_3_cm": ("calf 4 cm wider",),
}


def calculate_chads2_vasc(
    db: Database,
    patient_id: OptionalId = None,
    *,
    age: quantities.Age | None = None,
    sex: quantities.Sex | None = None,
    heart_failure: Flag = None,
    hypertension: Flag = None,
    stroke: Flag = None,
    tia: Flag = None,
    thromboembolism: Flag = None,
    vascular_disease: Flag = None,
    diabetes: Flag = None,
) -> Data:
    """CHA2DS2-VASc, 0 to 9, stroke risk in atrial fibrillation. Inputs not given come from the problem list.

    Source: Lip GYH, Chest 2010;137:263-272; ACC/AHA/ACCP/HRS 2023.

    Args:
        vascular_disease: Previous myocardial infarction, peripheral artery disease or aortic plaque.
    """
    inputs = gather(db, patient_id)
    inputs.age(age)
    inputs.sex(sex)
    for name, value, keys in (
        ("heart_failure", heart_failure, ("heart_failure",)),
        ("hypertension", hypertension, ("hypertension",)),
        ("stroke", stroke, ("ischemic_stroke",)),
        ("tia", tia, ("transient_ischemic_attack", "tia")),
        ("thromboembolism", thromboembolism, ()),
        ("vascular_disease", vascular_disease, VASCULAR),
        ("diabetes", diabetes, ("diabetes_type_1", "diabetes_type_2")),
    ):
        inputs.problem(name, value, keys)
    sex_used = str(inputs.arguments.get("sex", "male"))
    return inputs.score(
        "CHA2DS2-VASc", "points", cardiac.cha2ds2_vasc, lambda v: band(v, VASC_BANDS[sex_used])
    )


def calculate_meld_score(
    db: Database,
    patient_id: OptionalId = None,
    creatinine: quantities.Creatinine | None = None,
    bilirubin: quantities.Bilirubin | None = None,
    inr: quantities.InternationalNormalizedRatio | None = None,
    sodium: quantities.Sodium | None = None,
    dialysis_twice_past_week: Flag = None,
) -> Data:
    """MELD-Na (UNOS/OPTN 2016), 6 to 40, of liver disease. Inputs not given come from the laboratory.

    Source: OPTN Policy 9.1 (2016); Wiesner R, Gastroenterology 2003;124:91-96.

    Args:
        dialysis_twice_past_week: At least two dialyses in the past week.
    """
    inputs = gather(db, patient_id)
    for name, value in (
        ("creatinine", creatinine),
        ("bilirubin", bilirubin),
        ("inr", inr),
        ("sodium", sodium),
    ):
        inputs.lab(name, value)
    inputs.flag("dialysis_twice_past_week", dialysis_twice_past_week, ())
    return inputs.score("MELD-Na", "points", liver.meld_na, lambda v: band(v, MELD_BANDS))


def calculate_apache2(
    db: Database,
    patient_id: OptionalId = None,
    *,
    age: quantities.Age | None = None,
    temperature: quantities.Temperature | None = None,
    systolic_bp: quantities.SystolicBP | None = None,
    diastolic_bp: quantities.DiastolicBP | None = None,
    heart_rate: quantities.HeartRate | None = None,
    respiratory_rate: quantities.RespiratoryRate | None = None,
    fio2: quantities.InspiredOxygen | None = None,
    pao2: quantities.ArterialOxygen | None = None,
    a_a_gradient: quantities.AlveolarArterialGradient | None = None,
    ph: quantities.ArterialPH | None = None,
    sodium: quantities.Sodium | None = None,
    potassium: quantities.Potassium | None = None,
    creatinine: quantities.Creatinine | None = None,
    hematocrit: quantities.Hematocrit | None = None,
    wbc: quantities.WhiteCells | None = None,
    gcs: quantities.GlasgowComaScore | None = None,
    acute_renal_failure: Flag = None,
    organ_failure_or_immunocompromise: Flag = None,
    surgery: critical.Surgery = "nonoperative",
) -> Data:
    """APACHE II, 0 to 71, severity in intensive care. Inputs not given come from the record's latest values.

    Source: Knaus WA, Crit Care Med 1985;13:818-829.

    Args:
        fio2: Inspired oxygen; 21 on room air. It is never assumed.
        pao2: Needed below an FiO2 of 50 %.
        a_a_gradient: Needed from an FiO2 of 50 %.
        surgery: Counts only with organ_failure_or_immunocompromise.
    """
    given = dict(locals())
    inputs = gather(db, patient_id)
    inputs.age(age)
    for name in ("temperature", "systolic_bp", "diastolic_bp", "heart_rate", "respiratory_rate", "gcs"):
        inputs.vital(name, given[name])
    inputs.needed("fio2", fio2, "%")
    for name in ("ph", "sodium", "potassium", "creatinine", "hematocrit", "wbc"):
        inputs.lab(name, given[name])
    if fio2 is None or fio2 < critical.APACHE_FIO2_FOR_GRADIENT:
        inputs.lab("pao2", pao2)
    else:
        inputs.needed("a_a_gradient", a_a_gradient, "mmHg")
    inputs.problem("acute_renal_failure", acute_renal_failure, ("acute_kidney_injury",))
    inputs.flag("organ_failure_or_immunocompromise", organ_failure_or_immunocompromise, ())
    inputs.arguments["surgery"] = surgery
    return inputs.score("APACHE II", "points", critical.apache_ii, lambda v: band(v, APACHE_BANDS))


def calculate_bmi(
    db: Database,
    patient_id: OptionalId = None,
    weight_kg: quantities.Weight | None = None,
    height_cm: quantities.Height | None = None,
) -> Data:
    """Body mass index in kg/m2 with its WHO class (adults). Inputs not given come from the record.

    Source: WHO, Technical Report 894, 2000.

    Args:
        weight_kg: Body weight.
        height_cm: Body height.
    """
    inputs = gather(db, patient_id)
    inputs.body("weight", weight_kg, "weight_kg", "kg")
    inputs.body("height", height_cm, "height_cm", "cm")
    return inputs.score(
        "BMI", "kg/m^2", body.body_mass_index, lambda v: _bmi_class(v, inputs), adults_only=False
    )


def _bmi_class(value: float, inputs: Gathered) -> str:
    person: Any = inputs.person
    if person is not None and person["age_years"] < ADULT_YEARS:
        return "a child: judge by percentile for age and sex, not by the adult classes"
    pregnant = person is not None and person["pregnant_weeks"] is not None
    return band(value, BMI_BANDS) + (" (pregnant: the weight before counts)" if pregnant else "")
