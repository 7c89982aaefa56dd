"""What imaging, cultures and tracings say: texts that come to light when the test is ordered.

condition, chronic illnesses, heart rate -> [reports_for] -> Database["extra"]["reports"][patient_id][test]

A text describes; it names no diagnosis beyond what the image shows. Tests that this patient's illness and its
differential do not call for have no text: ordering them gives no result, not a normal one.
"""

from __future__ import annotations

from collections.abc import Iterable

from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import TEXT_TESTS

# What the test shows when nothing explains it.
NEGATIVE: dict[str, str] = {
    "Blood Culture": "No growth after 48 hours in two of two sets.",
    "Urine Culture": "No growth.",
    "Sputum Culture": "Normal oral flora only.",
    "CSF Culture": "No organisms on Gram stain, no growth.",
    "Wound Culture": "No growth.",
    "Throat Swab": "Group A streptococcal antigen negative, culture without beta-hemolytic streptococci.",
    "Stool Test": "Clostridioides difficile toxin negative, no enteric pathogen, Helicobacter antigen "
    "negative.",
    "Respiratory Viral Panel": "No virus detected.",
    "Synovial Fluid Analysis": "Clear fluid, leukocytes 150/uL, no crystals, Gram stain negative.",
    "Chest X-ray": "No consolidation, no effusion, no pneumothorax.",
    "Abdominal X-ray": "Normal bowel gas pattern, no free air.",
    "Joint X-ray": "No fracture, no erosion, no effusion.",
    "CT Head": "No hemorrhage, no infarct, no mass, ventricles of normal size.",
    "CT Chest": "No consolidation, no mass, no enlarged nodes.",
    "CT Pulmonary Angiography": "No filling defect down to the segmental arteries.",
    "CT Abdomen": "No acute finding; appendix normal, no obstruction, no stone, no free fluid.",
    "CT Angiography Head and Neck": "No occlusion, no stenosis, no aneurysm.",
    "MRI Brain": "No diffusion restriction, no hemorrhage.",
    "Abdominal Ultrasound": "Gallbladder without stones, bile ducts not dilated, no free fluid.",
    "Renal Ultrasound": "Both kidneys of normal size, no hydronephrosis.",
    "Pelvic Ultrasound": "Uterus and ovaries without focal finding.",
    "Leg Vein Ultrasound": "All deep veins compressible on both sides.",
    "Carotid Ultrasound": "No stenosis above 50 percent.",
    "Echocardiogram": "Ejection fraction 60 percent, no valve disease, right ventricle of normal size.",
    "DXA Scan": "T-score of the lumbar spine -0.6, of the femoral neck -0.8.",
    "Upper Endoscopy": "Esophagus, stomach and duodenum without lesion.",
    "ECG": "Sinus rhythm, {rate}/min, normal intervals, no ST-segment deviation.",
    "EEG": "Normal background, no epileptiform discharges.",
    "Spirometry": "FEV1/FVC 0.80, FEV1 96 percent of predicted.",
    "Peak Flow": "92 percent of the personal best.",
}
# condition -> test -> what it shows.
POSITIVE: dict[str, dict[str, str]] = {
    "stemi": {
        "ECG": "Sinus rhythm, {rate}/min, ST elevation of 3 mm in V2 to V5 with reciprocal depression in III "
        "and aVF.",
        "Echocardiogram": "Anterior wall akinetic, ejection fraction 40 percent, no effusion.",
    },
    "nstemi": {
        "ECG": "Sinus rhythm, {rate}/min, ST depression of 1.5 mm in V4 to V6, T inversion in I and aVL, no "
        "ST elevation.",
        "Echocardiogram": "Lateral wall hypokinetic, ejection fraction 52 percent.",
    },
    "acute_heart_failure": {
        "Chest X-ray": "Enlarged heart, cephalization, Kerley B lines, small effusions on both sides, no "
        "consolidation.",
        "Echocardiogram": "Dilated left ventricle, ejection fraction 30 percent, inferior vena cava dilated.",
        "ECG": "Sinus rhythm, {rate}/min, left ventricular hypertrophy, no ST elevation.",
    },
    "atrial_fibrillation_rvr": {
        "ECG": "Irregular narrow-complex rhythm without P waves, ventricular rate {rate}/min, no delta wave, "
        "no ST elevation.",
        "Echocardiogram": "Left atrium enlarged, ejection fraction 58 percent, no valve stenosis.",
    },
    "pulmonary_embolism": {
        "CT Pulmonary Angiography": "Filling defects in both lower lobar arteries, ratio of right to left "
        "ventricle 0.9.",
        "Leg Vein Ultrasound": "Right popliteal vein not compressible.",
        "ECG": "Sinus rhythm, {rate}/min, S1Q3T3 pattern, no ST elevation.",
        "Echocardiogram": "Right ventricle mildly dilated, ejection fraction 62 percent.",
    },
    "deep_vein_thrombosis": {"Leg Vein Ultrasound": "Left femoral and popliteal veins not compressible."},
    "community_acquired_pneumonia": {
        "Chest X-ray": "Consolidation of the right lower lobe with air bronchogram, no effusion.",
        "Sputum Culture": "Streptococcus pneumoniae, susceptible to ceftriaxone and levofloxacin.",
        "CT Chest": "Consolidation of the right lower lobe.",
    },
    "copd_exacerbation": {
        "Chest X-ray": "Hyperinflated lungs, flat diaphragms, no consolidation, no pneumothorax.",
        "Spirometry": "FEV1/FVC 0.52 after bronchodilator, FEV1 44 percent of predicted.",
    },
    "asthma_exacerbation": {
        "Peak Flow": "42 percent of the personal best.",
        "Chest X-ray": "Hyperinflation, no consolidation, no pneumothorax.",
    },
    "bronchiolitis": {"Respiratory Viral Panel": "Respiratory syncytial virus detected."},
    "croup": {"Respiratory Viral Panel": "Parainfluenza virus type 1 detected."},
    "streptococcal_pharyngitis": {"Throat Swab": "Group A streptococcal antigen positive."},
    "ischemic_stroke": {
        "CT Head": "No hemorrhage; loss of the left insular ribbon, ASPECTS 9.",
        "CT Angiography Head and Neck": "Occlusion of a distal branch of the left middle cerebral artery.",
        "MRI Brain": "Diffusion restriction in the left middle cerebral artery territory.",
    },
    "transient_ischemic_attack": {
        "Carotid Ultrasound": "Stenosis of the right internal carotid artery of 40 percent."
    },
    "hemorrhagic_stroke": {
        "CT Head": "Hemorrhage of 28 mL in the right basal ganglia, no intraventricular blood.",
        "CT Angiography Head and Neck": "No aneurysm; no spot sign.",
    },
    "subarachnoid_hemorrhage": {
        "CT Head": "Blood in the basal cisterns and both Sylvian fissures, no hydrocephalus.",
        "CT Angiography Head and Neck": "Aneurysm of 6 mm at the anterior communicating artery.",
    },
    "status_epilepticus": {"EEG": "Continuous generalized epileptiform discharges."},
    "bacterial_meningitis": {
        "CSF Culture": "Gram-positive diplococci on Gram stain; Streptococcus pneumoniae.",
        "Blood Culture": "Streptococcus pneumoniae in two of two sets, susceptible to ceftriaxone and "
        "vancomycin.",
    },
    "sepsis_urinary": {
        "Blood Culture": "Escherichia coli in two of two sets, susceptible to ceftriaxone and meropenem.",
        "Urine Culture": "Escherichia coli above 100,000/mL, susceptible to ceftriaxone and meropenem.",
    },
    "pyelonephritis": {
        "Urine Culture": "Escherichia coli above 100,000/mL, susceptible to ceftriaxone, ciprofloxacin and "
        "aztreonam.",
        "Renal Ultrasound": "Right kidney swollen, no hydronephrosis, no abscess.",
    },
    "cystitis": {
        "Urine Culture": "Escherichia coli above 100,000/mL, susceptible to nitrofurantoin and fosfomycin."
    },
    "c_difficile_infection": {
        "Stool Test": "Clostridioides difficile toxin and gene positive.",
        "CT Abdomen": "Thickened wall of the colon, no dilatation, no free air.",
    },
    "gastroenteritis": {"Stool Test": "Norovirus detected, Clostridioides difficile toxin negative."},
    "cellulitis": {"Wound Culture": "Streptococcus pyogenes, susceptible to cefazolin and clindamycin."},
    "appendicitis": {
        "CT Abdomen": "Appendix 12 mm wide with wall enhancement and fat stranding, no abscess.",
        "Abdominal Ultrasound": "Non-compressible appendix of 11 mm.",
    },
    "cholecystitis": {
        "Abdominal Ultrasound": "Gallstones, wall of 6 mm, fluid around the gallbladder, bile ducts not "
        "dilated.",
        "CT Abdomen": "Distended gallbladder with thickened wall and stones.",
    },
    "pancreatitis": {
        "Abdominal Ultrasound": "Gallstones without wall thickening, swollen pancreas, bile ducts not "
        "dilated.",
        "CT Abdomen": "Swollen pancreas with fat stranding, no necrosis.",
    },
    "gi_bleeding": {"Upper Endoscopy": "Ulcer of 1 cm in the antrum with a visible vessel, clipped."},
    "bowel_obstruction": {
        "CT Abdomen": "Dilated small bowel with a transition point in the right lower abdomen, no free air.",
        "Abdominal X-ray": "Dilated small bowel loops with air-fluid levels.",
    },
    "nephrolithiasis": {
        "CT Abdomen": "Stone of 6 mm in the distal left ureter, mild hydronephrosis.",
        "Renal Ultrasound": "Mild hydronephrosis on the left.",
    },
    "acute_hepatitis": {"Abdominal Ultrasound": "Enlarged liver, bile ducts not dilated, no ascites."},
    "hyperkalemia": {"ECG": "Rate {rate}/min, peaked T waves, flat P waves, QRS 140 ms."},
    "hyperthyroidism": {"ECG": "Sinus tachycardia, {rate}/min, no ST-segment deviation."},
    "hypercalcemia": {
        "ECG": "Sinus rhythm, {rate}/min, short QT interval.",
        "Chest X-ray": "Lytic lesion of the left sixth rib.",
    },
    "gout_flare": {
        "Synovial Fluid Analysis": "Leukocytes 22,000/uL, needle-shaped negatively birefringent crystals, "
        "Gram stain negative.",
        "Joint X-ray": "Soft tissue swelling at the first metatarsophalangeal joint, no fracture.",
    },
    "peptic_ulcer": {"Upper Endoscopy": "Ulcer of 7 mm in the duodenal bulb with a clean base."},
    "osteoporosis": {"DXA Scan": "T-score of the lumbar spine -2.9, of the femoral neck -2.6."},
    "osteoarthritis": {"Joint X-ray": "Narrow medial joint space of both knees with osteophytes."},
    "rheumatoid_arthritis": {
        "Joint X-ray": "Periarticular osteopenia, small erosions of the second knuckle."
    },
    "heart_failure": {
        "Echocardiogram": "Dilated left ventricle, ejection fraction 34 percent.",
        "Chest X-ray": "Enlarged heart, no congestion, no consolidation.",
    },
    "copd": {
        "Spirometry": "FEV1/FVC 0.58 after bronchodilator, FEV1 55 percent of predicted.",
        "Chest X-ray": "Hyperinflated lungs, no consolidation.",
    },
    "asthma": {"Spirometry": "FEV1/FVC 0.70, FEV1 rises by 15 percent after bronchodilator."},
    "cirrhosis": {
        "Abdominal Ultrasound": "Nodular liver, ascites, spleen 16 cm, no focal lesion.",
        "Upper Endoscopy": "Small esophageal varices without red signs.",
    },
    "atrial_fibrillation": {
        "ECG": "Atrial fibrillation, ventricular rate {rate}/min, no ST-segment deviation.",
        "Echocardiogram": "Left atrium enlarged, ejection fraction 58 percent.",
    },
    "chronic_kidney_disease": {"Renal Ultrasound": "Small echogenic kidneys, no hydronephrosis."},
    "end_stage_renal_disease": {"Renal Ultrasound": "Shrunken kidneys with cysts, no hydronephrosis."},
    "coronary_artery_disease": {"Echocardiogram": "Inferior wall hypokinetic, ejection fraction 53 percent."},
    "aortic_stenosis": {
        "Echocardiogram": "Calcified aortic valve, mean gradient 34 mmHg, ejection fraction 60 percent."
    },
    "epilepsy": {"EEG": "Left temporal sharp waves."},
    "gerd": {"Upper Endoscopy": "Reflux esophagitis grade A."},
}


def reports_for(condition: str, chronic: Iterable[str], heart_rate: int | None) -> dict[str, str]:
    """{test: text} for the work-up of the condition and of what it is told from."""
    illnesses = [condition, *chronic]
    wanted = [t for t in POSITIVE.get(condition, {})]
    for key in (condition, *CONDITIONS[condition].differential, *chronic):
        wanted += [test for test in CONDITIONS[key].workup if test in TEXT_TESTS]
    wanted += ["ECG", "Chest X-ray"]
    found = {}
    for test in dict.fromkeys(wanted):
        shown = next(
            (POSITIVE[key][test] for key in illnesses if test in POSITIVE.get(key, {})), NEGATIVE[test]
        )
        found[test] = shown.format(rate=heart_rate or 76)
    return found
