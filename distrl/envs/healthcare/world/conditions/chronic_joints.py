"""Chronic conditions of joints and prostate.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, words

CONDITIONS = (
    Condition(
        key="rheumatoid_arthritis",
        name="Rheumatoid arthritis",
        icd10="M06.9",
        synonyms=("RA", "seropositive rheumatoid arthritis"),
        acute=False,
        age=(20, 90),
        complaints=words("stiff swollen hands; arthritis review"),
        symptoms=words("morning stiffness for an hour; swollen knuckles; fatigue"),
        negatives=words("no fever; no rash; no back pain"),
        findings=words("symmetrical swelling of the finger joints; weak grip"),
        labs=labs(crp=(16, 5, 7, 30), esr=(34, 7, 22, 55), hb=(11.9, 0.5, 10.8, 13.2), rf=(85, 25, 30, 180)),
        unmeasured=labs(ccp=(120, 40, 45, 260)),
        workup=words(
            "C-reactive Protein; Erythrocyte Sedimentation Rate; Rheumatoid Factor; Anti-CCP Antibody; "
            "Joint X-ray; Liver Function Tests; Complete Blood Count"
        ),
        treatments=(
            treat(
                "disease-modifying drug",
                opt("methotrexate", 15, "oral", 0.142857),
                opt("hydroxychloroquine", 200, "oral", 2),
                opt("sulfasalazine", 1000, "oral", 2),
            ),
            treat("folic acid with methotrexate", opt("folic acid", 1, "oral", 1), required=False),
        ),
        specialty="rheumatology",
        goes_with=words("osteoporosis; hypertension"),
        teaching=(
            "Methotrexate is the first disease-modifying drug; it is taken once a week with folic acid.",
            "Methotrexate is contraindicated in pregnancy and in severe kidney or liver disease.",
            "Trimethoprim-sulfamethoxazole with methotrexate can cause fatal marrow failure.",
            "Tuberculosis and hepatitis B are looked for before a biologic.",
        ),
        source="American College of Rheumatology guideline, 2021",
    ),
    Condition(
        key="osteoarthritis",
        name="Osteoarthritis of the knee",
        icd10="M17.9",
        synonyms=("osteoarthritis", "degenerative joint disease"),
        acute=False,
        age=(45, 98),
        complaints=words("knee pain; stiff knees"),
        symptoms=words("knee pain on stairs; stiffness for ten minutes in the morning"),
        negatives=words("no fever; no redness; no injury"),
        findings=words("crepitus of both knees; no effusion"),
        workup=words(
            "Joint X-ray",
        ),
        treatments=(
            treat("pain relief", opt("acetaminophen", 650, "oral", 3), opt("celecoxib", 100, "oral", 1)),
        ),
        specialty="primary care",
        goes_with=words("obesity; hypertension"),
        teaching=(
            "Exercise and weight loss are the core treatment.",
            "Topical NSAIDs come before oral ones for the knee.",
            "Opioids are not recommended for osteoarthritis.",
            "Intra-articular glucocorticoid gives relief for weeks.",
        ),
        source="American College of Rheumatology/Arthritis Foundation guideline, 2019",
    ),
    Condition(
        key="bph",
        name="Benign prostatic hyperplasia",
        icd10="N40.1",
        synonyms=("BPH", "enlarged prostate"),
        acute=False,
        sex="male",
        age=(50, 98),
        complaints=words("weak urine stream; up at night to urinate"),
        symptoms=words("weak stream; up three times a night; hesitancy"),
        negatives=words("no fever; no blood in the urine; no back pain"),
        findings=words(
            "smooth enlarged prostate",
        ),
        workup=words("Urinalysis; Basic Metabolic Panel"),
        avoid_drugs=words("diphenhydramine; oxybutynin; pseudoephedrine"),
        specialty="urology",
        goes_with=words(
            "hypertension",
        ),
        teaching=(
            "Alpha blockers act within days, 5-alpha-reductase inhibitors within months.",
            "Finasteride halves the PSA value.",
            "Anticholinergic drugs and decongestants can cause urinary retention.",
            "Tamsulosin is mentioned to the surgeon before cataract surgery.",
        ),
        source="American Urological Association guideline, 2021",
    ),
)
