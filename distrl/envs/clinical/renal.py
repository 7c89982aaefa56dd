"""Kidney function: creatinine clearance, estimated GFR, KDIGO stages.

Sex is "male" or "female"; creatinine in mg/dL (IDMS-traceable for MDRD and CKD-EPI), age in years, adults
only.

Race. MDRD (2006) and CKD-EPI (2009) multiply by a coefficient for Black patients. Race is a social and not a
biological variable; the NKF-ASN Task Force (Delgado 2021) asks for equations without it. CKD-EPI 2021 is
therefore the headline everywhere here; the older two are kept to read older records.
"""

from __future__ import annotations

from distrl.envs.clinical.bands import Bands, above, band

# KDIGO 2012/2024, Kidney Int 2024;105(4S):S117. eGFR in mL/min/1.73 m2, ACR in mg/g.
G_STAGES: Bands = ((90, "G1"), (60, "G2"), (45, "G3a"), (30, "G3b"), (15, "G4"), (0, "G5"))
A_STAGES: Bands = ((above(300), "A3"), (30, "A2"), (0, "A1"))  # A3 is "> 300"
KDIGO_RISK = {
    "A1": dict(G1="low", G2="low", G3a="moderate", G3b="high", G4="very high", G5="very high"),
    "A2": dict(G1="moderate", G2="moderate", G3a="high", G3b="very high", G4="very high", G5="very high"),
    "A3": dict(G1="high", G2="high", G3a="very high", G3b="very high", G4="very high", G5="very high"),
}

# Tiers of creatinine clearance (mL/min) for drug doses: FDA guidance "Pharmacokinetics in Patients with
# Impaired Renal Function", 2024 (normal >= 90, mild 60-89, moderate 30-59, severe 15-29, kidney failure <
# 15).
RENAL_TIERS: Bands = ((90, "normal"), (60, "mild"), (30, "moderate"), (15, "severe"), (0, "ESRD"))


def cockcroft_gault(age: float, weight_kg: float, creatinine_mg_dl: float, sex: str) -> float:
    """Creatinine clearance in mL/min. Cockcroft DW, Gault MH, Nephron 1976;16:31-41."""
    return (140.0 - age) * weight_kg / (72.0 * creatinine_mg_dl) * (0.85 if sex == "female" else 1.0)


def mdrd(creatinine_mg_dl: float, age: float, sex: str, black: bool = False) -> float:
    """eGFR in mL/min/1.73 m2, constant 175 (IDMS). Levey AS, Ann Intern Med 2006;145:247-254."""
    value = 175.0 * creatinine_mg_dl**-1.154 * age**-0.203
    return value * (0.742 if sex == "female" else 1.0) * (1.212 if black else 1.0)


def ckd_epi_2009(creatinine_mg_dl: float, age: float, sex: str, black: bool = False) -> float:
    """eGFR in mL/min/1.73 m2. Levey AS, Ann Intern Med 2009;150:604-612."""
    kappa, alpha, factor = (0.7, -0.329, 1.018) if sex == "female" else (0.9, -0.411, 1.0)
    ratio = creatinine_mg_dl / kappa
    value = 141.0 * min(ratio, 1.0) ** alpha * max(ratio, 1.0) ** -1.209 * 0.993**age * factor
    return value * (1.159 if black else 1.0)


def ckd_epi_2021(creatinine_mg_dl: float, age: float, sex: str) -> float:
    """eGFR in mL/min/1.73 m2 without race. Inker LA, N Engl J Med 2021;385:1737-1749."""
    kappa, alpha, factor = (0.7, -0.241, 1.012) if sex == "female" else (0.9, -0.302, 1.0)
    ratio = creatinine_mg_dl / kappa
    return 142.0 * min(ratio, 1.0) ** alpha * max(ratio, 1.0) ** -1.200 * 0.9938**age * factor


def albumin_creatinine_ratio(urine_albumin_mg_l: float, urine_creatinine_mg_dl: float) -> float:
    """ACR in mg/g: mg/L over mg/dL, times 100 (10 dL a litre, 1000 mg a gram)."""
    return urine_albumin_mg_l / urine_creatinine_mg_dl * 100.0


def g_stage(egfr: float) -> str:
    """KDIGO GFR category G1..G5."""
    return band(egfr, G_STAGES)


def a_stage(acr_mg_g: float) -> str:
    """KDIGO albuminuria category: A1 < 30, A2 30-300, A3 > 300 mg/g."""
    return band(acr_mg_g, A_STAGES)


def kdigo_risk(g: str, a: str) -> str:
    """Prognosis by GFR and albuminuria category (KDIGO heat map)."""
    return KDIGO_RISK[a][g]


def renal_tier(crcl_ml_min: float) -> str:
    """Dose tier of a creatinine clearance in mL/min: normal, mild, moderate, severe or ESRD."""
    return band(crcl_ml_min, RENAL_TIERS)
