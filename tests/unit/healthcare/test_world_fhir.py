"""FHIR R4: a generated patient survives the round trip, and bundles of other sources are read."""

import ast
import copy
import inspect
import json

import pytest

from distrl.envs.healthcare.world import fhir, fhir_codes, fhir_in, fhir_out, fhir_read, fhir_seen
from distrl.envs.healthcare.world.fhir import from_bundle, to_bundle
from distrl.envs.healthcare.world.fhir_out import rhythm
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.labs import CODE


def patient_of(seed, condition, **options):
    db = make_database(seed, condition, others=0, **options)
    return db["patients"][target_of(db)]


@pytest.mark.parametrize(
    ("seed", "condition", "options"),
    [
        (1, "stemi", {"allergy": "aspirin", "chronic": ["diabetes_type_2", "copd"]}),
        (2, "preeclampsia", {}),
        (3, "croup", {"age": 0.7}),
        (4, "osteoporosis", {"allergy": "none"}),
        (5, "rheumatoid_arthritis", {"missing": ["allergies", "social", "weight", "temperature"]}),
        (6, "cystitis", {"missing": ["vitals", "labs", "family_history", "immunizations"]}),
    ],
)
def test_round_trip_keeps_all_that_fhir_carries(seed, condition, options):
    before = patient_of(seed, condition, **options)
    after = from_bundle(json.loads(json.dumps(to_bundle(before))))
    carried = set(before) - {"presentation"}
    assert {k: after[k] for k in carried} == {k: before[k] for k in carried}
    assert after["presentation"]["complaint"] == before["encounters"][-1]["reason"]


@pytest.mark.parametrize("per_day", [1, 2, 4, 24, 0.142857, 0.5, 1.5, 0.00274])
def test_doses_a_day_are_written_in_whole_numbers(per_day):
    times, days = rhythm(per_day)
    assert round(times / days, 6) == per_day


def test_unasked_allergies_are_not_none():
    asked = to_bundle(patient_of(4, "gerd", allergy="none"))
    unasked = to_bundle(patient_of(4, "gerd", missing="allergies"))
    kinds = [[e["resource"]["resourceType"] for e in b["entry"]] for b in (asked, unasked)]
    assert [k.count("AllergyIntolerance") for k in kinds] == [1, 0]
    assert [from_bundle(b)["allergies_reviewed"] for b in (asked, unasked)] == [True, False]


RXNORM, SNOMED = "http://www.nlm.nih.gov/research/umls/rxnorm", "http://snomed.info/sct"


def coded(system, code, text):
    return {"coding": [{"system": system, "code": code, "display": text}], "text": text}


def seen(code, value, unit, at, category="laboratory", **more):
    return {
        "resourceType": "Observation",
        "status": "final",
        "category": [{"coding": [{"system": "http://terminology.hl7.org/CodeSystem/observation-category",
                                  "code": category, "display": category}]}],
        "code": coded("http://loinc.org", code, code),
        "subject": {"reference": "urn:uuid:p"},
        "effectiveDateTime": at,
        "valueQuantity": {"value": value, "unit": unit, "system": "http://unitsofmeasure.org", "code": unit},
        **more,
    }  # fmt: skip


def pressure(code, value):
    quantity = {"value": value, "unit": "mm[Hg]", "system": "http://unitsofmeasure.org", "code": "mm[Hg]"}
    return {"code": coded("http://loinc.org", code, code), "valueQuantity": quantity}


def foreign_bundle():
    """A small bundle as a patient simulator would write it: urn:uuid references, texts beside codes."""
    about, at = {"reference": "urn:uuid:p"}, "2029-05-04T08:30:00-04:00"
    active = {
        "coding": [{"system": "http://terminology.hl7.org/CodeSystem/condition-clinical", "code": "active"}]
    }
    resources = [
        {
            "resourceType": "Patient",
            "id": "p",
            "name": [{"use": "official", "family": "Quist9", "given": ["Ada4"]}],
            "gender": "female",
            "birthDate": "1969-11-02",
            "maritalStatus": {"text": "M"},
        },
        {
            "resourceType": "Encounter",
            "id": "e1",
            "status": "finished",
            "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "EMER"},
            "type": [coded(SNOMED, "50849002", "Emergency room admission")],
            "subject": about,
            "period": {"start": at, "end": "2029-05-04T09:30:00-04:00"},
        },
        {
            "resourceType": "Condition",
            "clinicalStatus": active,
            "subject": about,
            "onsetDateTime": "2015-01-05T08:30:00-04:00",
            "code": coded(SNOMED, "59621000", "Essential hypertension (disorder)"),
        },
        {
            "resourceType": "Condition",
            "clinicalStatus": active,
            "subject": about,
            "code": coded(SNOMED, "160903007", "Full-time employment (finding)"),
        },
        {
            "resourceType": "AllergyIntolerance",
            "patient": about,
            "code": coded(RXNORM, "7984", "Penicillin V"),
            "reaction": [
                {
                    "manifestation": [coded(SNOMED, "271807003", "Eruption of skin (disorder)")],
                    "severity": "mild",
                }
            ],
        },
        {
            "resourceType": "Medication",
            "id": "m",
            "code": coded(RXNORM, "314076", "lisinopril 10 MG Oral Tablet"),
        },
        {
            "resourceType": "MedicationRequest",
            "status": "active",
            "intent": "order",
            "subject": about,
            "medicationReference": {"reference": "urn:uuid:m"},
            "authoredOn": at,
            "dosageInstruction": [
                {
                    "timing": {"repeat": {"frequency": 1, "period": 1.0, "periodUnit": "d"}},
                    "doseAndRate": [{"doseQuantity": {"value": 2}}],
                }
            ],
        },
        {
            "resourceType": "MedicationRequest",
            "status": "stopped",
            "intent": "order",
            "subject": about,
            "medicationCodeableConcept": coded(RXNORM, "1", "Unheardofamab 5 MG/ML Injection"),
        },
        seen("29463-7", 70.5, "kg", at, "vital-signs"),
        seen("8302-2", 1.66, "m", at, "vital-signs"),
        seen("8867-4", 88.4, "/min", at, "vital-signs"),
        seen(
            "85354-9",
            0,
            "x",
            at,
            "vital-signs",
            component=[pressure("8480-6", 141.0), pressure("8462-4", 82.0)],
        ),
        seen("2345-7", 5.0, "mmol/L", at),
        seen("2823-3", 4.1, "mmol/L", at, referenceRange=[{"low": {"value": 3.5, "unit": "mmol/L"}}]),
        {
            "resourceType": "Immunization",
            "status": "completed",
            "patient": about,
            "occurrenceDateTime": at,
            "vaccineCode": coded("http://hl7.org/fhir/sid/cvx", "140", "Influenza, seasonal"),
        },
        {"resourceType": "Claim", "nonsense": True},
        {"resourceType": "CareTeam", "status": "active"},
        {"resourceType": "SomethingNew"},
    ]
    entries = [{"fullUrl": f"urn:uuid:{r.get('id', i)}", "resource": r} for i, r in enumerate(resources)]
    return {"resourceType": "Bundle", "type": "transaction", "entry": entries}


def test_bundle_of_another_source_is_read():
    patient = from_bundle(foreign_bundle())
    assert (patient["name"], patient["sex"], patient["age_years"]) == ("Ada4 Quist9", "female", 59.0)
    assert (patient["weight_kg"], patient["height_cm"]) == (70.5, 166.0)
    assert [p["condition"] for p in patient["problems"]] == ["hypertension", ""]
    assert patient["problems"][0]["onset"] == "2015-01-05"
    (entry,) = patient["allergies"]
    assert (entry["substance"], entry["group"], entry["severity"]) == ("penicillin v", "penicillin", "mild")
    taken, stopped = patient["medications"]
    assert (taken["drug"], taken["dose"], taken["dose_unit"], taken["route"]) == (
        "lisinopril",
        20.0,
        "mg",
        "oral",
    )
    assert taken["doses_per_day"] == 1 and stopped["status"] == "stopped"
    assert (stopped["doses_per_day"], stopped["drug"]) == (0, "unheardofamab 5 mg/ml injection")
    (signs,) = patient["vitals"]
    assert (signs["at"], signs["heart_rate_bpm"]) == ("2029-05-04T08:30", 88)
    assert (signs["systolic_mmhg"], signs["diastolic_mmhg"], signs["gcs"]) == (141, 82, None)
    assert patient["encounters"][0]["kind"] == "emergency"
    assert patient["presentation"]["complaint"] == "Emergency room admission"


def test_units_of_another_source_are_turned_into_those_of_the_table():
    values = {
        r["code"]: (r["value"], r["unit"], r["low"], r["high"]) for r in from_bundle(foreign_bundle())["labs"]
    }
    assert values[CODE["glu"]] == (90, "mg/dL", None, None)
    assert values[CODE["k"]] == (4.1, "mmol/L", 3.5, None)


def test_bundle_without_encounters_or_allergies_leaves_them_unknown():
    bundle = foreign_bundle()
    bundle["entry"] = bundle["entry"][:1]
    patient = from_bundle(bundle)
    assert patient["allergies"] == [] and not patient["allergies_reviewed"]
    assert (
        patient["vitals"] == [] and patient["social"]["smoking"] == "unknown" and patient["weight_kg"] is None
    )


def test_what_was_entered_in_error_is_left_out():
    bundle = foreign_bundle()
    for entry in bundle["entry"]:
        resource = entry["resource"]
        if resource["resourceType"] == "Observation":
            resource["status"] = "entered-in-error"
        if resource["resourceType"] == "Condition":
            code = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
            resource["verificationStatus"] = {"coding": [{"system": code, "code": "refuted"}]}
    patient = from_bundle(bundle)
    assert patient["labs"] == patient["vitals"] == patient["problems"] == []


def test_partial_dates_are_read():
    bundle = foreign_bundle()
    bundle["entry"] = [e for e in bundle["entry"] if e["resource"]["resourceType"] != "Encounter"]
    for entry in bundle["entry"]:
        if entry["resource"]["resourceType"] == "Observation":
            entry["resource"]["effectiveDateTime"] = "2029-12"
    assert from_bundle(bundle)["age_years"] == 60.0


def _broken(change):
    bundle = copy.deepcopy(foreign_bundle())
    change(bundle)
    return bundle


@pytest.mark.parametrize(
    ("bundle", "says"),
    [
        ([], "not a FHIR bundle"),
        ({"resourceType": "Patient"}, "not a FHIR bundle"),
        (_broken(lambda b: b.update(entry=3)), "must be a list"),
        (_broken(lambda b: b["entry"].append(3)), "entry 18: no resource"),
        (_broken(lambda b: b["entry"].pop(0)), "0 Patient resources"),
        (_broken(lambda b: b["entry"].append(b["entry"][0])), "2 Patient resources"),
        (_broken(lambda b: b["entry"][0]["resource"].update(birthDate="tomorrow")), r"entry 0 \(Patient\)"),
        (_broken(lambda b: b["entry"][0]["resource"].update(birthDate="1969")), "full date"),
        (_broken(lambda b: b["entry"][1]["resource"].pop("status")), r"entry 1 \(Encounter\)"),
        (
            _broken(lambda b: b["entry"][8]["resource"]["valueQuantity"].update(value="heavy")),
            r"entry 8 \(Observation\)",
        ),
    ],
)
def test_malformed_bundle_gives_one_clear_line(bundle, says):
    with pytest.raises(ValueError, match=says) as raised:
        from_bundle(bundle)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 400


def test_library_is_imported_only_on_use():
    for module in (fhir, fhir_in, fhir_out, fhir_codes, fhir_read, fhir_seen):
        tree = ast.parse(inspect.getsource(module))
        named = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        named |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        assert not [name for name in named if name.split(".")[0] == "fhir"], module.__name__
