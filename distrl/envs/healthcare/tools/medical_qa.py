"""The fourteen tools of medical_qa: search and read, weigh options, look up drugs and conditions, answer.

tasks -> EnvWorker[N: ToolCall -> [TOOLS] -> knowledge.backend(), formulary, CONDITIONS] <-> Engine[M] -> …

search_pubmed and search_medical_wiki search the base that is installed here; no tool reaches a live service,
and none sees a task's answer. Synthetic use only; not for care.
"""

from __future__ import annotations

from distrl.envs.healthcare.tools import search
from distrl.envs.healthcare.tools.common import submit_answer, think
from distrl.envs.healthcare.tools.differential import get_differential_diagnosis
from distrl.envs.healthcare.tools.medical_qa_clinical import (
    check_diagnostic_criteria,
    compare_treatments,
    get_drug_information,
)
from distrl.envs.healthcare.tools.medical_qa_evidence import (
    analyze_answer_options,
    retrieve_evidence,
    summarize_evidence,
)
from distrl.envs.healthcare.tools.medical_qa_scores import calculate_clinical_score
from distrl.envs.toolkit import ToolKind, Toolkit

TOOLS = Toolkit("medical_qa", search.MAX_OUTPUT_CHARS)

for _function in (
    search.search_pubmed,
    search.browse_article,
    search.search_medical_wiki,
    search.browse_wiki_entry,
    retrieve_evidence,
    analyze_answer_options,
    summarize_evidence,
    compare_treatments,
    calculate_clinical_score,
    get_drug_information,
    check_diagnostic_criteria,
    get_differential_diagnosis,
):
    TOOLS.tool(ToolKind.READ, time_limit_s=search.TIME_LIMIT_S)(_function)
TOOLS.tool(ToolKind.THINK)(think)
TOOLS.tool(ToolKind.GENERIC)(submit_answer)
