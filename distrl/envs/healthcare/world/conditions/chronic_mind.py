"""Chronic conditions of brain and mind.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, words

_PREVENTION = treat(
    "prevention",
    opt("propranolol", 40, "oral", 2),
    opt("topiramate", 50, "oral", 2),
    opt("amitriptyline", 25, "oral", 1),
    required=False,
)
_SSRI = treat(
    "antidepressant",
    opt("sertraline", 50, "oral", 1),
    opt("escitalopram", 10, "oral", 1),
    opt("mirtazapine", 15, "oral", 1),
)

CONDITIONS = (
    Condition(
        key="depression",
        name="Major depressive disorder",
        icd10="F32.9",
        synonyms=("depression", "major depression"),
        acute=False,
        age=(16, 95),
        complaints=words("low mood; mood review"),
        symptoms=words("low mood most days; little interest; poor sleep; PHQ-9 of 14"),
        negatives=words("no suicidal thoughts; no earlier mania; no hallucinations"),
        findings=words(
            "quiet and slow in speech",
        ),
        workup=words("Thyroid Function Tests; Complete Blood Count; Basic Metabolic Panel"),
        treatments=(_SSRI,),
        specialty="psychiatry",
        goes_with=words("anxiety; hypothyroidism"),
        teaching=(
            "Suicidal thoughts are asked about in every patient with depression.",
            "Earlier mania or hypomania is looked for before an antidepressant is started.",
            "An antidepressant is continued for at least six months after recovery.",
            "Antidepressants carry a boxed warning of suicidal thoughts up to the age of 24.",
            "A PHQ-9 of 10 or more suggests major depression.",
        ),
        source="American College of Physicians guideline, 2023; APA, 2010",
    ),
    Condition(
        key="anxiety",
        name="Generalized anxiety disorder",
        icd10="F41.1",
        synonyms=("anxiety", "anxiety disorder"),
        acute=False,
        age=(14, 90),
        complaints=words("worried all the time; anxiety review"),
        symptoms=words("worry about many things; restless; tense muscles; GAD-7 of 12"),
        negatives=words("no chest pain; no weight loss; no suicidal thoughts"),
        findings=words("tense; thyroid not enlarged"),
        workup=words("Thyroid Function Tests; ECG"),
        treatments=(_SSRI, treat("second line", opt("venlafaxine", 75, "oral", 1), required=False)),
        specialty="psychiatry",
        goes_with=words(
            "depression",
        ),
        teaching=(
            "SSRIs, SNRIs and cognitive behavioral therapy are first-line treatments.",
            "A GAD-7 of 10 or more suggests an anxiety disorder.",
            "Benzodiazepines are kept to short use because of dependence and falls.",
            "Hyperthyroidism is excluded before anxiety is diagnosed.",
        ),
        source="NICE CG113, updated 2020",
    ),
    Condition(
        key="bipolar_disorder",
        name="Bipolar disorder",
        icd10="F31.9",
        synonyms=("bipolar affective disorder", "manic-depressive illness"),
        acute=False,
        age=(18, 85),
        complaints=words("mood review; lithium check"),
        symptoms=words(
            "mood stable for a year",
        ),
        negatives=words("no suicidal thoughts; no tremor"),
        findings=words("calm; ordered thought"),
        workup=words("Lithium Level; Basic Metabolic Panel; Thyroid Function Tests"),
        treatments=(
            treat(
                "mood stabilizer",
                opt("lithium", 300, "oral", 2),
                opt("quetiapine", 200, "oral", 1),
                opt("lamotrigine", 100, "oral", 1),
            ),
        ),
        avoid_drugs=(),
        specialty="psychiatry",
        goes_with=words(
            "hypothyroidism",
        ),
        teaching=(
            "Lithium lowers the risk of suicide; its level is kept at 0.6 to 1.0 mmol/L.",
            "Kidney function, calcium and thyroid are checked every six months under lithium.",
            "NSAIDs, thiazides and ACE inhibitors raise the lithium level.",
            "Antidepressants alone can set off mania.",
        ),
        source="CANMAT/ISBD guideline, 2018",
    ),
    Condition(
        key="epilepsy",
        name="Epilepsy",
        icd10="G40.909",
        synonyms=("seizure disorder",),
        acute=False,
        age=(2, 90),
        complaints=words(
            "epilepsy review",
        ),
        symptoms=words(
            "one brief seizure in the last year",
        ),
        negatives=words("no fever; no headache"),
        findings=words(
            "no focal signs",
        ),
        workup=words("EEG; MRI Brain; Basic Metabolic Panel; Valproate Level"),
        treatments=(
            treat(
                "antiseizure drug",
                opt("levetiracetam", 500, "oral", 2),
                opt("lamotrigine", 100, "oral", 2),
                opt("carbamazepine", 200, "oral", 2),
            ),
        ),
        avoid_drugs=words("bupropion; tramadol; meperidine"),
        specialty="neurology",
        goes_with=words(
            "depression",
        ),
        teaching=(
            "Levetiracetam and lamotrigine are first choices for new focal epilepsy.",
            "Valproate is avoided in women who may become pregnant.",
            "Lamotrigine is raised slowly because of severe rash, and more slowly with valproate.",
            "Enzyme inducers weaken hormonal contraception.",
        ),
        source="ILAE review, 2013; AAN/AES guideline, 2018",
    ),
    Condition(
        key="migraine",
        name="Migraine without aura",
        icd10="G43.009",
        synonyms=("migraine headaches", "recurrent migraine"),
        acute=False,
        age=(10, 70),
        complaints=words(
            "headache review",
        ),
        symptoms=words("four attacks a month; nausea with attacks"),
        negatives=words("no aura; no fever; no weakness"),
        findings=words(
            "no focal signs",
        ),
        workup=words(
            "Basic Metabolic Panel",
        ),
        treatments=(
            _PREVENTION,
            treat(
                "acute treatment",
                opt("sumatriptan", 50, "oral", 1),
                opt("naproxen", 500, "oral", 2),
                opt("acetaminophen", 1000, "oral", 3),
                required=False,
            ),
        ),
        specialty="neurology",
        goes_with=words("anxiety; depression"),
        teaching=(
            "Prevention is offered with four or more headache days a month with disability.",
            "Propranolol, topiramate and antibodies against CGRP are effective preventives.",
            "Topiramate and valproate are avoided in pregnancy.",
            "Triptans taken on ten or more days a month cause medication overuse headache.",
        ),
        source="American Headache Society consensus statement, 2021",
    ),
    Condition(
        key="migraine_with_aura",
        name="Migraine with aura",
        icd10="G43.109",
        synonyms=("classic migraine",),
        acute=False,
        age=(10, 70),
        complaints=words(
            "headache review",
        ),
        symptoms=words("zigzag lines before headaches; two attacks a month"),
        negatives=words("no weakness; no fever"),
        findings=words(
            "no focal signs",
        ),
        workup=words(
            "MRI Brain",
        ),
        treatments=(_PREVENTION,),
        avoid_drugs=words("oral contraceptives; estradiol"),
        specialty="neurology",
        goes_with=words(
            "anxiety",
        ),
        teaching=(
            "Oestrogen-containing contraceptives are contraindicated in migraine with aura because of "
            "stroke.",
            "An aura lasts 5 to 60 minutes and spreads gradually.",
            "Triptans are taken when the headache begins, not during the aura.",
            "Smoking adds to the risk of stroke in migraine with aura.",
        ),
        source="CDC US Medical Eligibility Criteria for Contraceptive Use, 2024; ICHD-3, 2018",
    ),
    Condition(
        key="parkinson_disease",
        name="Parkinson disease",
        icd10="G20.A1",
        synonyms=("Parkinson's disease", "idiopathic parkinsonism"),
        acute=False,
        age=(50, 95),
        complaints=words("tremor review; slower than last year"),
        symptoms=words("tremor of the right hand; small steps; stiffness"),
        negatives=words("no hallucinations; no falls"),
        findings=words("rest tremor; cogwheel rigidity"),
        workup=words(
            "Basic Metabolic Panel",
        ),
        treatments=(treat("dopamine replacement", opt("levodopa-carbidopa", 100, "oral", 3)),),
        avoid_drugs=words(
            "metoclopramide; prochlorperazine; haloperidol; promethazine; risperidone; olanzapine"
        ),
        specialty="neurology",
        goes_with=words("depression; hypertension"),
        teaching=(
            "Levodopa is the most effective drug for motor symptoms at every stage.",
            "Metoclopramide, prochlorperazine and haloperidol worsen parkinsonism.",
            "Levodopa must not be stopped suddenly.",
            "Domperidone or ondansetron serve for nausea, but ondansetron not with apomorphine.",
        ),
        source="AAN guideline, dopaminergic therapy, 2021; NICE NG71, 2017",
    ),
    Condition(
        key="dementia",
        name="Alzheimer dementia",
        icd10="G30.9",
        synonyms=("Alzheimer disease", "dementia"),
        acute=False,
        age=(65, 100),
        complaints=words(
            "memory review",
        ),
        symptoms=words("forgets appointments; needs help with money"),
        negatives=words("no sudden change; no hallucinations"),
        findings=words(
            "MMSE 20 of 30",
        ),
        workup=words("Thyroid Function Tests; Vitamin B12; CT Head; Basic Metabolic Panel"),
        treatments=(treat("symptomatic treatment", opt("donepezil", 5, "oral", 1)),),
        avoid_drugs=words("diphenhydramine; oxybutynin; amitriptyline; lorazepam; diazepam; zolpidem"),
        specialty="neurology",
        goes_with=words("hypertension; osteoporosis"),
        teaching=(
            "Drugs with anticholinergic effect worsen cognition.",
            "Antipsychotics raise mortality in dementia.",
            "Donepezil slows the heart and can cause syncope.",
            "Thyroid function and vitamin B12 are checked at diagnosis.",
        ),
        source="AGS Beers Criteria, 2023; NICE NG97, 2018",
    ),
    Condition(
        key="alcohol_use_disorder",
        name="Alcohol use disorder",
        icd10="F10.20",
        synonyms=("alcohol dependence", "alcoholism"),
        acute=False,
        age=(20, 80),
        complaints=words(
            "wants to stop drinking",
        ),
        symptoms=words("drinks daily; shaky in the morning"),
        negatives=words("no hallucinations; no seizure"),
        findings=words("fine tremor; liver edge palpable"),
        labs=labs(mcv=(101, 2, 97, 107), ast=(64, 14, 40, 110), alt=(38, 9, 22, 65)),
        unmeasured=labs(ggt=(140, 45, 65, 300), mg=(1.7, 0.15, 1.3, 2.0)),
        workup=words("Liver Function Tests; Complete Blood Count; Basic Metabolic Panel; Magnesium"),
        treatments=(
            treat("thiamine", opt("thiamine", 100, "oral", 1)),
            treat(
                "relapse prevention",
                opt("gabapentin", 300, "oral", 3),
                required=False,
            ),
        ),
        avoid_drugs=words("metronidazole; bupropion"),
        specialty="psychiatry",
        goes_with=words("depression; hypertension"),
        teaching=(
            "Naltrexone and acamprosate are first-line drugs for moderate to severe alcohol use disorder.",
            "Benzodiazepines are the treatment of withdrawal.",
            "Thiamine is given before glucose when Wernicke encephalopathy is possible.",
            "An AUDIT score of 8 or more suggests hazardous drinking.",
        ),
        source="American Psychiatric Association guideline, 2018; ASAM, 2020",
    ),
)
