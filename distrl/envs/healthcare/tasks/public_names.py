"""Tools that the gym's paper and repository list for the domains that are not built here yet.

[names] -> public's report: an expected call outside its own domain's list can run nowhere

Source: arXiv 2605.02943 and its repository (Apache-2.0), by name. A domain that this gym has is judged by its
own toolkit and needs no list.
"""

from __future__ import annotations

INVENTORY: dict[str, frozenset[str]] = {
    domain: frozenset(names.split())
    for domain, names in {
        "ehr_management": """
            get_patient_summary get_admission_history get_lab_results get_lab_trend
            get_vital_signs detect_vital_alerts get_medication_orders get_clinical_scores
            get_quality_indicators get_procedures get_discharge_summary lookup_icd_code
            write_clinical_note place_order request_consult check_allergies
            get_nursing_assessments get_code_status get_admission_info
            calculate_readmission_risk think submit_answer
        """,
        "visual_diagnosis": """
            analyze_medical_image get_image_report get_patient_context search_similar_cases
            compare_with_prior search_imaging_knowledge measure_lesion classify_finding
            annotate_regions calculate_image_metrics get_differential_visual
            assess_image_quality track_lesion_changes record_visual_diagnosis think
            submit_answer
        """,
        "triage_emergency": """
            get_patient_presentation get_vital_signs assess_airway_breathing
            get_medical_history calculate_gcs calculate_esi_level get_ed_status check_protocol
            order_stat_labs order_imaging calculate_sirs_criteria calculate_qsofa
            screen_sepsis calculate_trauma_score check_toxicology calculate_heart_score
            activate_emergency_protocol get_bed_assignment think submit_answer
        """,
        "psychiatry": """
            get_patient_presentation get_psychiatric_history perform_mental_status_exam
            administer_phq9 administer_gad7 assess_suicide_risk screen_substance_use
            administer_mmse get_current_medications check_drug_interactions get_social_history
            review_treatment_guidelines administer_pcl5 administer_cage assess_violence_risk
            screen_eating_disorder assess_capacity get_involuntary_hold_criteria think
            submit_answer
        """,
        "obstetrics": """
            get_patient_presentation get_prenatal_labs get_obstetric_history
            assess_fetal_status assess_labor_progress calculate_bishop_score
            get_biophysical_profile check_medication_safety get_risk_assessment
            check_ob_protocol get_gyn_assessment order_labs interpret_ctg
            calculate_gestational_age screen_gestational_diabetes check_rh_status
            assess_preterm_risk calculate_modified_bpp think submit_answer
        """,
        "radiology_report": """
            get_study_info get_clinical_history get_prior_reports get_report_template
            analyze_findings search_radiology_knowledge get_reporting_checklist
            calculate_measurements apply_classification_system compare_with_prior_study
            measure_lesion_size generate_critical_finding_alert
            calculate_coronary_calcium_score get_radiation_dose think submit_report
            submit_answer
        """,
    }.items()
}
