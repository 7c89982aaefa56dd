"""What the value of a clinical score means, and the tool that works a score out by its name.

clinical.calculators -> [scores] -> medical_qa's tools and questions, clinical_diagnosis

Bands are those of the publication named beside them; some stand in `instruments`. Adults unless it says
otherwise.
Synthetic use only; not for care.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from distrl.envs.clinical.bands import Bands, above, band
from distrl.envs.clinical.calculators import CALCULATORS, Calculator, CalculatorError
from distrl.envs.healthcare.tools import instruments
from distrl.envs.medcalc.grading.answer import value_text
from distrl.envs.medcalc.tools import TOOLS as CALCULATOR_TOOLS
from distrl.envs.toolkit import Arg, ToolError

BY_NAME: dict[str, Calculator] = {c.name: c for c in CALCULATORS.values()}


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a score's value means, by its bands; `by_sex` where men and women have different cut-offs."""

    bands: Bands = ()
    by_sex: Mapping[str, Bands] | None = None
    source: str

    def bands_for(self, arguments: Mapping[str, Any]) -> Bands:
        """The bands that hold for these arguments of the calculator."""
        return self.bands if self.by_sex is None else self.by_sex[arguments["sex"]]


MEANINGS: dict[str, Meaning] = {
    "curb_65": Meaning(bands=instruments.CURB_BANDS, source="Lim WS, Thorax 2003;58:377-382"),
    "cha2ds2_vasc": Meaning(
        by_sex=instruments.VASC_BANDS,
        source="Joglar JA, 2023 ACC/AHA/ACCP/HRS atrial fibrillation guideline, Circulation 2024;149:e1-e156",
    ),
    "wells_pulmonary_embolism": Meaning(
        bands=instruments.WELLS_PE_BANDS, source="van Belle A, JAMA 2006;295:172-179"
    ),
    "wells_deep_vein_thrombosis": Meaning(
        bands=instruments.WELLS_DVT_BANDS, source="Wells PS, N Engl J Med 2003;349:1227-1235"
    ),
    "meld_na": Meaning(bands=instruments.MELD_BANDS, source="Wiesner R, Gastroenterology 2003;124:91-96"),
    "apache_ii": Meaning(bands=instruments.APACHE_BANDS, source="Knaus WA, Crit Care Med 1985;13:818-829"),
    "body_mass_index": Meaning(bands=instruments.BMI_BANDS, source="WHO Technical Report Series 894, 2000"),
    "pneumonia_severity_index": Meaning(
        bands=(
            (131, "class V, high risk"),
            (91, "class IV, moderate risk"),
            (71, "class III, low risk"),
            (-math.inf, "class II, low risk"),
        ),
        source="Fine MJ, N Engl J Med 1997;336:243-250 (class I is a rule of its own)",
    ),
    "has_bled": Meaning(
        bands=((3, "high risk of major bleeding"), (0, "not in the high-risk group for bleeding")),
        source="Pisters R, Chest 2010;138:1093-1100",
    ),
    "child_pugh": Meaning(
        bands=((10, "class C"), (7, "class B"), (5, "class A")), source="Pugh RNH, Br J Surg 1973;60:646-649"
    ),
    "glasgow_coma_score": Meaning(
        bands=((13, "mild impairment or none"), (9, "moderate impairment"), (3, "severe impairment")),
        source="Teasdale G, Lancet Neurol 2014;13:844-854",
    ),
    "heart_score": Meaning(
        bands=(
            (7, "high risk of a major cardiac event"),
            (4, "moderate risk of a major cardiac event"),
            (0, "low risk of a major cardiac event"),
        ),
        source="Backus BE, Int J Cardiol 2013;168:2153-2158",
    ),
    "glasgow_blatchford": Meaning(
        bands=((2, "not in the very low risk group"), (0, "very low risk, outpatient care possible")),
        source="Laine L, ACG guideline, upper gastrointestinal bleeding, Am J Gastroenterol 2021;116:899",
    ),
    "centor": Meaning(
        bands=(
            (4, "high risk: culture or treat at once"),
            (2, "throat culture, antibiotic if it is positive"),
            (-math.inf, "no throat culture and no antibiotic needed"),
        ),
        source="McIsaac WJ, CMAJ 1998;158:75-83",
    ),
    "feverpain": Meaning(
        bands=(
            (4, "immediate antibiotic or a back-up prescription"),
            (2, "no antibiotic or a back-up prescription"),
            (0, "streptococcus unlikely, no antibiotic"),
        ),
        source="NICE guideline NG84, sore throat (acute), 2018",
    ),
    "sirs_criteria": Meaning(
        bands=(
            (2, "systemic inflammatory response syndrome"),
            (0, "no systemic inflammatory response syndrome"),
        ),
        source="Bone RC, Chest 1992;101:1644-1655",
    ),
    "revised_cardiac_risk_index": Meaning(
        bands=((3, "class IV"), (2, "class III"), (1, "class II"), (0, "class I")),
        source="Lee TH, Circulation 1999;100:1043-1049",
    ),
    "fib4_index": Meaning(
        bands=(
            (above(3.25), "advanced fibrosis likely"),
            (1.45, "indeterminate"),
            (0, "advanced fibrosis unlikely"),
        ),
        source="Sterling RK, Hepatology 2006;43:1317-1325",
    ),
    "gfr_ckd_epi_2021": Meaning(
        bands=(
            (90, "category G1"),
            (60, "category G2"),
            (45, "category G3a"),
            (30, "category G3b"),
            (15, "category G4"),
            (0, "category G5"),
        ),
        source="KDIGO 2024 guideline on chronic kidney disease, Kidney Int 2024;105(4S)",
    ),
    "perc_rule": Meaning(
        bands=(
            (1, "pulmonary embolism not ruled out by the rule"),
            (0, "pulmonary embolism ruled out where it was thought unlikely before"),
        ),
        source="Kline JA, J Thromb Haemost 2004;2:1247-1255",
    ),
}
_ALIASES = {
    "abg gap": "anion_gap",
    "apache": "apache_ii",
    "bmi": "body_mass_index",
    "chads vasc": "cha2ds2_vasc",
    "chads2 vasc": "cha2ds2_vasc",
    "ckd epi": "gfr_ckd_epi_2021",
    "cockcroft gault": "creatinine_clearance",
    "crcl": "creatinine_clearance",
    "curb": "curb_65",
    "curb65": "curb_65",
    "egfr": "gfr_ckd_epi_2021",
    "fena": "fractional_sodium_excretion",
    "fib 4": "fib4_index",
    "gbs": "glasgow_blatchford",
    "gcs": "glasgow_coma_score",
    "glasgow coma scale": "glasgow_coma_score",
    "map": "mean_arterial_pressure",
    "mdrd": "gfr_mdrd",
    "meld": "meld_na",
    "mme": "morphine_equivalents",
    "perc": "perc_rule",
    "psi": "pneumonia_severity_index",
    "port": "pneumonia_severity_index",
    "rcri": "revised_cardiac_risk_index",
    "sirs": "sirs_criteria",
    "wells": "wells_pulmonary_embolism",
    "wells dvt": "wells_deep_vein_thrombosis",
    "wells pe": "wells_pulmonary_embolism",
    "wells of deep vein thrombosis": "wells_deep_vein_thrombosis",
    "wells of pulmonary embolism": "wells_pulmonary_embolism",
    "sirs criteria count": "sirs_criteria",
}
_SPLIT = re.compile(r"[^a-z0-9]+")


def _plain(name: str) -> str:
    return _SPLIT.sub(" ", name.lower()).replace(" score", "").strip()


_KNOWN = {
    **{_plain(c.name): c.name for c in BY_NAME.values()},
    **{_plain(c.title): c.name for c in BY_NAME.values()},
    **{
        _plain(c.title.split(" for ")[0]): c.name for c in BY_NAME.values() if not c.title.startswith("Wells")
    },
    **_ALIASES,
}


def find_score(name: str) -> Calculator | None:
    """The calculator of that name, title or usual abbreviation; None for an unknown one."""
    known = _KNOWN.get(_plain(name[:120]))
    return None if known is None else BY_NAME[known]


def interpretation(name: str, value: Any, arguments: Mapping[str, Any]) -> tuple[str, str] | None:
    """(meaning, source) of a score's value; None where the table has no bands for it."""
    meaning = MEANINGS.get(name)
    if meaning is None or not isinstance(value, (int, float)):
        return None
    return band(value, meaning.bands_for(arguments)), meaning.source


def worked(calculator: Calculator, arguments: dict[str, Any]) -> dict[str, Any]:
    """Value, unit, working and meaning of a score. Raises ToolError naming each wrong input and its mend."""
    try:
        result = calculator.function(**CALCULATOR_TOOLS.check(calculator.name, arguments))
    except CalculatorError as error:
        raise ToolError(str(error)) from None
    except ToolError as error:
        inputs = ", ".join(CALCULATOR_TOOLS[calculator.name].parameters)
        raise ToolError(f"{calculator.name}: {error}. Its inputs: {inputs}") from None
    shown = value_text(result.value, calculator.output, calculator.unit)
    meaning = interpretation(calculator.name, result.value, arguments)
    read = {} if meaning is None else {"meaning": meaning[0], "source_of_meaning": meaning[1]}
    return {"score": calculator.title, "value": shown, **read, "working": list(result.steps)}


def calculate_clinical_score(
    score_name: Annotated[str, Arg(max_length=120)],
    numbers: Annotated[dict[str, float] | None, Arg(help="Quantities by name.")] = None,
    findings: Annotated[
        list[str] | None, Arg(max_length=40, help="Names of the findings that are present.")
    ] = None,
    choices: Annotated[dict[str, str] | None, Arg(help="Categories by name, dates as YYYY-MM-DD.")] = None,
) -> dict[str, Any]:
    """Work out a clinical score from the patient's data: value, meaning, working.

    A wrong or missing input is answered with the names and units of the inputs. A finding that is not named
    counts as absent.

    Args:
        score_name: Such as CURB-65, CHA2DS2-VASc, HAS-BLED, Wells PE, Wells DVT, Child-Pugh, MELD-Na, GCS,
            HEART, Glasgow-Blatchford, Centor, SOFA, APACHE II, SIRS, CKD-EPI, BMI.
        numbers: Such as {"age": 70, "bun": 25}.
        findings: Such as ["confusion"].
        choices: Such as {"sex": "female"}.
    """
    calculator = find_score(score_name)
    if calculator is None:
        raise ToolError(f"no score {score_name[:60]!r}; known: {', '.join(sorted(BY_NAME))}")
    parameters = CALCULATOR_TOOLS[calculator.name].parameters
    flags = [n for n, schema in parameters.items() if schema["type"] == "boolean"]
    named = [_SPLIT.sub("_", f.lower()).strip("_") for f in findings or []]
    if wrong := [f for f in named if f not in flags]:
        raise ToolError(
            f"{calculator.name}: unknown finding {wrong[0][:60]!r}; known: {', '.join(flags) or 'none'}"
        )
    return worked(calculator, {**(numbers or {}), **(choices or {}), **dict.fromkeys(named, True)})
