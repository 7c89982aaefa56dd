"""The words of generated notes for flags that take a whole sentence.

draws -> [phrases_sentences -> statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Cells as in `phrases.py`: training forms || held-out forms. {He}, {he}, {His}, {his} stand for the patient.
"""

from __future__ import annotations

# Findings of which silence would say nothing clear.
ALWAYS_SAID = frozenset(
    {
        "pe_most_likely",
        "chest_pain_history",
        "alternative_diagnosis_as_likely",
        "high_risk_surgery",
        "no_cough_or_coryza",
        "onset_within_3_days",
    }
)
# name: (words when true, words when false)
REMARKS = {
    "black": (
        "{He} identifies as Black. | The patient is African American. || Ethnicity on file: Black.",
        "{He} identifies as White. | The patient is of Asian descent. || Ethnicity on file: White.",
    ),
    "pe_most_likely": (
        "Pulmonary embolism is the leading diagnosis."
        " | The team finds pulmonary embolism at least as likely as anything else."
        " || No other diagnosis is as likely as pulmonary embolism.",
        "Another diagnosis is thought more likely than pulmonary embolism."
        " | Pneumonia explains the picture better than embolism."
        " || Pulmonary embolism ranks below other explanations.",
    ),
    "immobilized_3_days": (
        "{He} has been immobilized for five days. | {He} spent the last four days in bed."
        " || {He} has not left bed for six days.",
        "{He} has been walking as usual, without bed rest. | There was no recent immobilization."
        " || Mobility was never restricted.",
    ),
    "bedridden_3_days": (
        "{He} has been bedridden for five days. | {He} spent the last four days in bed."
        " || {He} has not left bed for six days.",
        "{He} has been walking as usual, without bed rest. | There was no recent bed rest."
        " || Mobility was never restricted.",
    ),
    "surgery_past_4_weeks": (
        "{He} had a hip replacement two weeks ago. | Surgery for a bowel resection took place 10 days ago."
        " || An operation on the knee was done three weeks ago.",
        "There was no surgery in the past four weeks. | No operation was done recently."
        " || The last month brought no operation.",
    ),
    "major_surgery_past_12_weeks": (
        "{He} had a bowel resection under general anesthesia eight weeks ago."
        " | Major hip surgery took place five weeks ago."
        " || A large abdominal operation was done nine weeks ago.",
        "There was no major surgery in the past 12 weeks. | No major operation was done recently."
        " || The last three months brought no large operation.",
    ),
    "alternative_diagnosis_as_likely": (
        "A ruptured Baker cyst is at least as likely as deep vein thrombosis."
        " | Cellulitis is the more likely diagnosis."
        " || A muscle tear explains the leg as well as a clot would.",
        "No alternative diagnosis is as likely as deep vein thrombosis."
        " | Nothing else explains the leg as well as thrombosis."
        " || Deep vein thrombosis is the likeliest explanation.",
    ),
    "high_risk_surgery": (
        "An open aortic aneurysm repair is planned. | {He} is listed for an intraperitoneal bowel resection."
        " | A lobectomy through a thoracotomy is planned. || A suprainguinal vascular bypass is scheduled.",
        "A cataract operation is planned. | {He} is listed for knee arthroscopy."
        " | Carpal tunnel release is planned."
        " || Inguinal skin lesion removal is scheduled.",
    ),
    "acute_renal_failure": (
        "{He} is in acute renal failure. | Acute renal failure developed over two days."
        " || The kidneys failed acutely this week.",
        "There is no acute renal failure. | {His} kidneys have not failed acutely."
        " || Acute renal failure: absent.",
    ),
    "mechanical_ventilation": (
        "{He} is intubated and mechanically ventilated. | Mechanical ventilation is under way."
        " || A ventilator supports {his} breathing through a tube.",
        "{He} is not on a ventilator. | {He} is not mechanically ventilated. || No ventilator is in use.",
    ),
    "cpap": (
        "{He} is treated with CPAP. | Continuous positive airway pressure is applied by mask."
        " || A CPAP mask is in use.",
        "No CPAP is used. | Continuous positive airway pressure is not in use. || No CPAP mask is worn.",
    ),
    "hypotension": (
        "{He} is hypotensive with a mean arterial pressure below 70 mmHg."
        " | Mean arterial pressure stays under 70 mmHg."
        " || The mean pressure is too low, always below 70 mmHg.",
        "{He} is not hypotensive. | Mean arterial pressure stays above 70 mmHg."
        " || The mean pressure never fell below 70 mmHg.",
    ),
    "no_cough_or_coryza": (
        "There is neither cough nor coryza. | {He} has no cough and no runny nose."
        " || Cough and coryza are absent.",
        "{He} coughs and has a runny nose. | Cough and coryza are present."
        " || Coryza with some cough is noted.",
    ),
    "onset_within_3_days": (
        "The symptoms began two days ago. | {He} fell ill the day before yesterday."
        " || Onset was 48 hours ago.",
        "The symptoms began six days ago. | {He} has been ill for a week. || Onset was eight days ago.",
    ),
    "nursing_home_resident": (
        "{He} lives in a nursing home. | {He} was brought from a nursing home."
        " || {His} home is a nursing facility.",
        "{He} lives at home with family. | {He} lives in {his} own flat. || {His} home is a private house.",
    ),
    "pleural_effusion": (
        "The chest x-ray shows a pleural effusion. | A pleural effusion is seen on the radiograph."
        " || X-ray of the chest: effusion on the left.",
        "The chest x-ray shows no pleural effusion. | No effusion is seen on the radiograph."
        " || X-ray of the chest: no effusion.",
    ),
    "family_history_cvd": (
        "{His} father had a heart attack at 52. | A brother had a myocardial infarction at age 48."
        " || {His} mother suffered an infarction at 58.",
        "No parent or sibling had early cardiovascular disease."
        " | The family history is free of early heart disease."
        " || No close relative had heart disease before 65.",
    ),
    "family_history_thrombosis": (
        "{His} mother had a deep vein thrombosis. | A brother was treated for pulmonary embolism."
        " || Thrombosis runs in the family.",
        "No relative has had a thrombosis. | The family history is negative for thrombosis."
        " || No thrombosis runs in the family.",
    ),
    "dialysis_twice_past_week": (
        "{He} was dialyzed twice in the past week. | Hemodialysis took place three times within the"
        " last seven days."
        " || The past week included two sessions of dialysis.",
        "{He} had no session of intermittent hemodialysis."
        " | No intermittent hemodialysis was done in the past week."
        " || Intermittent dialysis: none.",
    ),
    "cvvhd_past_week": (
        "Continuous veno-venous hemodialysis ran for 36 hours this week."
        " | {He} spent 30 hours on CVVHD in the past week."
        " || CVVHD was applied for two days this week.",
        "Continuous veno-venous hemodialysis was not used. | There was no CVVHD. || CVVHD was never started.",
    ),
    "central_venous_access": (
        "A central venous catheter is in place. | {He} has a central line."
        " || A jugular central line was placed.",
        "There is no central venous access. | Only peripheral lines are in place."
        " || No central line was placed.",
    ),
    "acute_myocardial_infarction": (
        "An acute myocardial infarction was diagnosed on this admission."
        " | Troponin and ECG show an acute infarction."
        " || {He} is being treated for an acute myocardial infarction.",
        "There is no acute myocardial infarction. | An acute infarction was excluded."
        " || Acute infarction: ruled out.",
    ),
    "recent_surgery_or_trauma": (
        "{He} had surgery under general anesthesia two weeks ago."
        " | A road accident three weeks ago required an operation."
        " || An operation in general anesthesia was done 18 days ago.",
        "There was no surgery or trauma in the past four weeks. | No recent operation or injury is known."
        " || The last month was free of operations and injuries.",
    ),
    **{
        f"{name}_past_month": (
            f"Within the last month {{he}} {event}. | {{He}} {event} three weeks ago."
            f" || Two weeks ago {{he}} {event}.",
            f"There was no {thing} in the last month. | No {thing} was recorded in the past month."
            f" || The past month brought no {thing}.",
        )
        for name, event, thing in (
            ("major_surgery", "underwent major surgery lasting two hours", "major surgery"),
            ("heart_failure", "was treated for decompensated heart failure", "heart failure"),
            ("sepsis", "was treated for sepsis", "sepsis"),
            ("pneumonia", "had pneumonia", "pneumonia"),
            ("plaster_cast", "was given an immobilizing plaster cast", "plaster cast"),
            ("leg_fracture", "broke a hip", "fracture of hip, pelvis or leg"),
            ("stroke", "had an ischemic stroke", "stroke"),
            ("multiple_trauma", "suffered multiple trauma", "multiple trauma"),
            ("spinal_cord_injury", "suffered a spinal cord injury with paralysis", "spinal cord injury"),
        )
    },
}
