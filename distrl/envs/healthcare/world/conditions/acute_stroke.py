"""Stroke and bleeding in the head.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, order, refer, treat, vitals, words

CONDITIONS = (
    Condition(
        key="ischemic_stroke",
        name="Acute ischemic stroke",
        icd10="I63.9",
        synonyms=("ischemic stroke", "cerebral infarction", "ischaemic stroke", "acute stroke"),
        acute=True,
        age=(40, 98),
        complaints=words(
            "sudden weakness of one side; slurred speech and droopy face; cannot move the right arm"
        ),
        symptoms=words(
            "sudden weakness of the right arm and leg; drooping of the right face; trouble "
            "finding words; last seen well two hours ago"
        ),
        negatives=words("no headache; no seizure; no head injury; no fever"),
        findings=words("right facial droop; right arm drifts down; non-fluent speech; NIHSS 9"),
        unmeasured=labs(trop=(12, 4, 3, 16)),
        vitals=vitals(
            hr=(86, 10, 62, 112),
            sbp=(166, 10, 138, 184),
            dbp=(92, 7, 72, 108),
            rr=(17, 1.8, 13, 22),
            spo2=(96, 1, 94, 99),
            gcs=(14, 0.7, 12, 15),
            pain=(0, 0.5, 0, 2),
        ),
        differential=words("transient_ischemic_attack; hemorrhagic_stroke; hypoglycemia; migraine_attack"),
        workup=words(
            "CT Head; CT Angiography Head and Neck; ECG; Basic Metabolic Panel; Coagulation Panel; "
            "Complete Blood Count; Troponin"
        ),
        treatments=(
            treat(
                "intravenous thrombolysis within 4.5 hours when nothing forbids it",
                opt("alteplase", 0.9, "iv", 1, 1, unit="mg/kg"),
                required=False,
            ),
            treat(
                "antiplatelet within 24 to 48 hours",
                opt("aspirin", 325, "oral", 1),
                opt("clopidogrel", 75, "oral", 1),
                required=False,
            ),
            treat(
                "high-intensity statin",
                opt("atorvastatin", 80, "oral", 1),
                opt("rosuvastatin", 20, "oral", 1),
                required=False,
            ),
        ),
        avoid_drugs=words("nifedipine; estradiol; oral contraceptives; sumatriptan; prasugrel"),
        time_critical=(
            order(5, "imaging without delay tells bleeding from infarction", "CT Head", "MRI Brain"),
            refer(5, "reperfusion is a matter of minutes", "neurology", "stroke", "stroke team"),
        ),
        specialty="neurology",
        urgency="emergency",
        goes_with=words("hypertension; atrial_fibrillation; diabetes_type_2; hyperlipidemia"),
        teaching=(
            "Brain imaging is done within 25 minutes of arrival and before any thrombolysis.",
            "Alteplase 0.9 mg/kg, at most 90 mg, is given within 4.5 hours of onset; 10 percent goes in as a "
            "bolus.",
            "Blood pressure must be below 185/110 mmHg before thrombolysis.",
            "Blood glucose is the only laboratory value that must be known before thrombolysis in most "
            "patients.",
            "Aspirin is started within 24 to 48 hours, and after thrombolysis only 24 hours later.",
            "Mechanical thrombectomy is considered for large-vessel occlusion up to 24 hours after onset.",
        ),
        source="AHA/ASA guideline for early management of acute ischemic stroke, 2019",
    ),
    Condition(
        key="transient_ischemic_attack",
        name="Transient ischemic attack",
        icd10="G45.9",
        synonyms=("TIA", "mini-stroke"),
        acute=True,
        age=(45, 95),
        complaints=words(
            "speech trouble that went away; arm weakness for twenty minutes; brief numbness of the face"
        ),
        symptoms=words(
            "weakness of the left arm for twenty minutes; slurred speech that has cleared; "
            "numbness of the left hand; complete recovery before arrival"
        ),
        negatives=words("no headache; no loss of consciousness; no visual aura; no seizure"),
        findings=words("normal strength in all limbs; normal speech; NIHSS 0"),
        vitals=vitals(
            hr=(78, 8, 58, 100),
            sbp=(156, 12, 124, 182),
            dbp=(88, 8, 66, 104),
            rr=(16, 1.5, 12, 20),
            spo2=(97, 0.9, 95, 99),
            pain=(0, 0.5, 0, 2),
        ),
        differential=words("ischemic_stroke; migraine_attack; hypoglycemia; status_epilepticus"),
        workup=words("CT Head; MRI Brain; Carotid Ultrasound; ECG; Lipid Panel; Basic Metabolic Panel"),
        treatments=(
            treat("antiplatelet", opt("aspirin", 81, "oral", 1), opt("clopidogrel", 75, "oral", 1)),
            treat(
                "second antiplatelet for 21 days at high risk",
                opt("clopidogrel", 75, "oral", 1, 21),
                required=False,
            ),
            treat(
                "high-intensity statin",
                opt("atorvastatin", 80, "oral", 1),
                opt("rosuvastatin", 20, "oral", 1),
            ),
        ),
        avoid_drugs=words("prasugrel; alteplase; estradiol; oral contraceptives"),
        specialty="neurology",
        urgency="urgent",
        goes_with=words("hypertension; hyperlipidemia; diabetes_type_2; atrial_fibrillation"),
        teaching=(
            "A transient ischemic attack leaves no infarct on imaging, whatever its length.",
            "An ABCD2 score of 4 or more marks high risk; aspirin plus clopidogrel is then given for 21 "
            "days.",
            "The carotid arteries are imaged within 48 hours in anterior circulation events.",
            "Atrial fibrillation changes antiplatelet treatment to anticoagulation.",
        ),
        source="AHA/ASA guideline for secondary stroke prevention, 2021",
    ),
    Condition(
        key="hemorrhagic_stroke",
        name="Intracerebral hemorrhage",
        icd10="I61.9",
        synonyms=("hemorrhagic stroke", "intracerebral haemorrhage", "ICH", "intracranial hemorrhage"),
        acute=True,
        age=(40, 95),
        complaints=words(
            "sudden headache and weakness; collapse with vomiting; sudden severe headache with droopy face"
        ),
        symptoms=words("sudden headache; weakness of the left side; vomiting; growing drowsiness"),
        negatives=words("no head injury; no fever; no neck pain before"),
        findings=words("left-sided weakness; gaze turned to the right; drowsy; NIHSS 15"),
        vitals=vitals(
            hr=(84, 10, 60, 110),
            sbp=(196, 13, 168, 232),
            dbp=(106, 8, 86, 126),
            rr=(18, 2, 14, 24),
            spo2=(96, 1, 94, 99),
            gcs=(12, 1.2, 9, 14),
            pain=(7, 1.2, 4, 10),
        ),
        differential=words("ischemic_stroke; subarachnoid_hemorrhage; hypoglycemia; migraine_attack"),
        workup=words("CT Head; Coagulation Panel; Complete Blood Count; Basic Metabolic Panel; ECG"),
        treatments=(
            treat(
                "blood pressure to 130 to 150 mmHg systolic",
                opt("nicardipine", 5, "iv", 1, 1, unit="mg/h"),
                opt("labetalol", 10, "iv", 4, 1),
            ),
        ),
        avoid_drugs=words(
            "aspirin; clopidogrel; ticagrelor; prasugrel; apixaban; rivaroxaban; dabigatran; "
            "warfarin; heparin; enoxaparin; alteplase; ibuprofen; ketorolac"
        ),
        time_critical=(
            order(5, "only imaging shows the bleeding", "CT Head"),
            refer(5, "hematoma growth and herniation need neurosurgical care", "neurosurgery", "neurology"),
        ),
        specialty="neurosurgery",
        urgency="emergency",
        goes_with=words("hypertension; atrial_fibrillation"),
        teaching=(
            "Systolic pressure between 150 and 220 mmHg is lowered to a target of 140 mmHg, range 130 to "
            "150.",
            "Anticoagulation is reversed at once: four-factor prothrombin complex and vitamin K for "
            "warfarin, idarucizumab for dabigatran.",
            "Platelet transfusion is harmful in patients on aspirin who do not go to surgery.",
            "A cerebellar hemorrhage with brainstem compression is evacuated surgically.",
        ),
        source="AHA/ASA guideline for spontaneous intracerebral hemorrhage, 2022",
    ),
    Condition(
        key="subarachnoid_hemorrhage",
        name="Aneurysmal subarachnoid hemorrhage",
        icd10="I60.9",
        synonyms=("subarachnoid hemorrhage", "SAH", "subarachnoid haemorrhage"),
        acute=True,
        age=(25, 85),
        complaints=words(
            "worst headache of my life; thunderclap headache; sudden severe headache on exertion"
        ),
        symptoms=words(
            "headache that peaked within a minute; vomiting; stiff neck; dislike of light; "
            "brief loss of consciousness"
        ),
        negatives=words("no fever; no earlier migraine; no weakness of a limb; no rash"),
        findings=words("neck stiffness; photophobia; no focal weakness"),
        labs=labs(wbc=(11.5, 1.5, 8, 15)),
        unmeasured=labs(
            crbc=(42000, 15000, 8000, 120000),
            cwbc=(40, 15, 10, 110),
            cprot=(110, 30, 55, 220),
            cglu=(62, 4, 50, 74),
            trop=(14, 5, 3, 33),
        ),
        vitals=vitals(
            t=(37.1, 0.25, 36.5, 37.7),
            hr=(84, 10, 60, 108),
            sbp=(168, 13, 138, 200),
            dbp=(94, 8, 74, 114),
            rr=(18, 1.8, 14, 23),
            spo2=(97, 0.9, 95, 99),
            gcs=(14, 0.8, 12, 15),
            pain=(9, 0.8, 7, 10),
        ),
        differential=words("migraine_attack; bacterial_meningitis; hemorrhagic_stroke"),
        workup=words(
            "CT Head; CT Angiography Head and Neck; CSF Analysis; Coagulation Panel; "
            "Basic Metabolic Panel; ECG"
        ),
        treatments=(
            treat("prevention of delayed cerebral ischemia", opt("nimodipine", 60, "oral", 6, 21)),
            treat(
                "pain relief without platelet effect",
                opt("acetaminophen", 1000, "oral", 3, 5),
                opt("morphine", 2, "iv", 4, 1),
                required=False,
            ),
        ),
        avoid_drugs=words(
            "aspirin; ibuprofen; ketorolac; clopidogrel; heparin; enoxaparin; warfarin; "
            "apixaban; sumatriptan; alteplase"
        ),
        time_critical=(
            order(5, "CT within six hours of onset finds nearly every bleeding", "CT Head"),
            refer(5, "rebleeding kills; the aneurysm is secured within 24 hours", "neurosurgery"),
        ),
        specialty="neurosurgery",
        urgency="emergency",
        goes_with=words("hypertension"),
        teaching=(
            "A CT on a modern scanner within six hours of onset, read by a specialist, is sensitive enough "
            "to exclude subarachnoid hemorrhage.",
            "After six hours a normal CT is followed by lumbar puncture for xanthochromia or by CT "
            "angiography.",
            "Nimodipine 60 mg every four hours for 21 days improves outcome.",
            "The aneurysm is secured as early as feasible, preferably within 24 hours.",
            "Routine prophylactic phenytoin is harmful.",
        ),
        source="AHA/ASA guideline for aneurysmal subarachnoid hemorrhage, 2023",
    ),
)
