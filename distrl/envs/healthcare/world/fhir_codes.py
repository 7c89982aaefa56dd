"""Code systems and codes that export and import of FHIR share.

Sources: HL7 FHIR R4 (4.0.1), vital signs profile; LOINC for observations; UCUM for units.
"""

from __future__ import annotations

LOINC, UCUM, ICD10 = "http://loinc.org", "http://unitsofmeasure.org", "http://hl7.org/fhir/sid/icd-10-cm"
SNOMED = "http://snomed.info/sct"
HL7 = "http://terminology.hl7.org/CodeSystem/"
OWN = "urn:distrl:healthcare:"  # codes that no public system has
NO_KNOWN_ALLERGY = "716186003"  # SNOMED CT
# field of VitalSigns -> (LOINC, display, UCUM); blood pressure is a panel of two
VITALS: dict[str, tuple[str, str, str]] = {
    "temperature_c": ("8310-5", "Body temperature", "Cel"),
    "heart_rate_bpm": ("8867-4", "Heart rate", "/min"),
    "respiratory_rate_bpm": ("9279-1", "Respiratory rate", "/min"),
    "spo2_percent": ("59408-5", "Oxygen saturation by pulse oximetry", "%"),
    "gcs": ("9269-2", "Glasgow coma score total", "{score}"),
    "pain_0_10": ("72514-3", "Pain severity 0-10 verbal numeric rating", "{score}"),
}
PRESSURE = ("85354-9", "Blood pressure panel")
PRESSURES: dict[str, tuple[str, str, str]] = {
    "systolic_mmhg": ("8480-6", "Systolic blood pressure", "mm[Hg]"),
    "diastolic_mmhg": ("8462-4", "Diastolic blood pressure", "mm[Hg]"),
}
ALSO_SPO2 = "2708-6"  # arterial oxygen saturation, which other exporters use
WEIGHT = ("29463-7", "Body weight", "kg")
HEIGHT = ("8302-2", "Body height", "cm")
GESTATION = ("18185-9", "Gestational age", "wk")
SMOKING = ("72166-2", "Tobacco smoking status")
PACK_YEARS = ("8664-5", "Cigarettes smoked total (pack per year) - Reported", "{PackYears}")
ENCOUNTER_CLASS = {"emergency": "EMER", "inpatient": "IMP", "outpatient": "AMB"}
