"""Loader of the public task files of the gym: our tasks where the domain exists, and a report of what lacks.

folder -> read -> [load: convert, check, run] -> (tasks, Report)

    tasks, report = load(Path("healthcare_gym_tasks/clinical_diagnosis"))
    python -m distrl.envs.healthcare.tasks.public FOLDER      # one folder, or the folder of all of them

An expected call is known when our toolkit has it, valid when its arguments pass the schema, and runs when it
succeeds on the task's own database, after the calls before it. A call that the file gives by its name alone
is run with arguments from the task's own text, and counted as filled. Sentences that a task asserts are kept
in the report: no check is invented for them, so they have no weight. In a domain that is not here yet, a call
is unknown when the domain's published list of tools does not hold it.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from distrl.envs.contract import Task, ToolCall
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.public_database import convert
from distrl.envs.healthcare.tasks.public_names import INVENTORY
from distrl.envs.healthcare.tasks.public_read import Files, PublicTask, PublicTasksError, read
from distrl.envs.healthcare.tasks.schema import Answer, ExpectedCall, GoldTurn, Payload
from distrl.envs.healthcare.tools.medical_qa_clinical import conditions_like
from distrl.envs.healthcare.world.records import Database
from distrl.envs.toolkit import EpisodeState, ToolError, Toolkit

LICENCE = "Apache-2.0"
SOURCE = "healthcare_gym_tasks"
NOT_THERE = "domain not there yet"
UNKNOWN_TOOL = "unknown tool"
MISSING_ARGUMENT = "missing argument"
WRONG_ARGUMENT = "wrong argument"
NO_DATA = "missing data"
REFUSED = "refused by the tool"
NO_ANSWER = "no gold answer"
SHOWN_DETAILS = 12


@dataclass(kw_only=True)
class Row:
    """What became of one task. `reasons` are (kind, detail); without one the task runs."""

    id: str
    domain: str
    calls: int
    assertions: tuple[str, ...]
    reasons: list[tuple[str, str]] = field(default_factory=list)
    ran: int = 0
    filled: int = 0

    @property
    def runs(self) -> bool:
        """Whether every expected call succeeded and an answer is known."""
        return not self.reasons


@dataclass(kw_only=True)
class Report:
    """What became of a folder. `database`: what the conversion left out, by reason."""

    folder: str
    rows: list[Row]
    absent: int
    cleaned: int
    database: dict[str, int]

    def count(self, kind: str) -> int:
        """Tasks that do not run for this reason, among others."""
        return sum(any(k == kind for k, _ in row.reasons) for row in self.rows)

    def details(self) -> list[str]:
        """`kind: detail (n tasks)`, the most frequent first."""
        found = Counter(reason for row in self.rows for reason in dict.fromkeys(row.reasons))
        return [f"{kind}: {detail} ({n})" for (kind, detail), n in found.most_common() if detail]


def load(folder: Path) -> tuple[list[Task], Report]:
    """(the tasks that run in our gym, the report on all). Raises PublicTasksError for malformed files."""
    files = read(folder)
    tickets = "\n".join(task.ticket for task in files.tasks)
    shared: dict[str, int] = {}
    found = []
    rows = []
    for task in files.tasks:
        row = Row(id=task.id, domain=task.domain, calls=len(task.calls), assertions=task.assertions)
        rows.append(row)
        if task.domain not in DOMAINS:
            row.reasons.append((NOT_THERE, task.domain))
            listed = INVENTORY.get(task.domain)
            unlisted = [c["name"] for c in task.calls if listed is not None and c["name"] not in listed]
            row.reasons += [(UNKNOWN_TOOL, f"{name} is on no list of {task.domain}") for name in unlisted]
            continue
        database, left_out = convert(files.database, task.patient, tickets)
        for reason, count in left_out.items():
            shared[reason] = max(count, shared.get(reason, 0))
        if (target := _target(task, database)) is not None:
            database["extra"] = {"target": target}
        payload = _payload(task, database, row)
        if row.runs:
            found.append(_task(files, task, payload))
    cleaned = sum(task.cleaned for task in files.tasks)
    return found, Report(folder=files.name, rows=rows, absent=files.absent, cleaned=cleaned, database=shared)


def _target(task: PublicTask, database: Database) -> str | None:
    """The patient of the ticket: named by the task, or the only one whose id stands in the ticket."""
    words = set(re.findall(r"[\w-]+", task.ticket))
    named = (
        [task.patient_id]
        if task.patient_id in database["patients"]
        else list(words & database["patients"].keys())
    )
    return named[0] if len(named) == 1 else None


def _task(files: Files, task: PublicTask, payload: Payload) -> Task:
    return Task(
        id=f"public-{files.name}-{task.id}",
        env=DOMAINS[task.domain].env_id,
        split=task.split,
        payload=dict(payload),
        source=SOURCE,
        licence=LICENCE,
    )


def _payload(task: PublicTask, database: Database, row: Row) -> Payload:
    """The task in our form; what keeps it from running goes into `row.reasons`."""
    answer = _answer(task)
    if not answer["reference"]:
        row.reasons.append((NO_ANSWER, ""))
    turns = _run(task, database, answer, row)
    return {
        "domain": task.domain,
        "purpose": task.purpose,
        "difficulty": task.difficulty,
        "key_challenges": list(task.challenges),
        "persona": task.persona,
        "ticket": task.ticket,
        "patient_id": str(database.get("extra", {}).get("target", task.patient_id)),
        "world": {"database": database},
        "expected": list(task.calls),
        "assertions": [],
        "obligations": [],
        "answer": answer,
        "reward_basis": ["ACTION"],
        "gold": turns,
    }


def _answer(task: PublicTask) -> Answer:
    """The gold answer: the option, the recorded diagnosis, or the text; an empty reference if none."""
    if task.options and task.answer in task.options:
        return {
            "kind": "choice",
            "reference": task.options[task.answer],
            "letter": task.answer,
            "options": task.options,
        }
    recorded = next((c["arguments"] for c in task.calls if c["name"] == "record_diagnosis"), None)
    if recorded is not None and recorded.get("diagnosis"):
        name = str(recorded["diagnosis"])
        known = conditions_like(name.removeprefix("Suspected "))
        codes = [str(recorded["icd10_code"])] if recorded.get("icd10_code") else [c.icd10 for c in known[:1]]
        names = [name, *(n for c in known[:1] for n in (c.name, *c.synonyms))]
        found: Answer = {"kind": "diagnosis", "reference": name, "names": names, "icd10": codes}
        if len(known) == 1:
            found["condition"] = known[0].key
        return found
    return {"kind": "text", "reference": "" if task.options else task.answer}


def _run(task: PublicTask, database: Database, answer: Answer, row: Row) -> list[GoldTurn]:
    """Run the expected calls in order on a copy of the database; the turns that did so."""
    kit, terminal = DOMAINS[task.domain].toolkit, DOMAINS[task.domain].terminal
    state = EpisodeState(db=copy.deepcopy(database))
    turns: list[GoldTurn] = []
    for place, expected in enumerate(task.calls):
        arguments, filled = _filled(kit, task, expected, answer)
        problem = _problem(kit, expected["name"], arguments, state, place)
        row.filled += filled
        if problem:
            row.reasons.append(problem)
        else:
            row.ran += 1
            turns.append({"calls": [call(expected["name"], **arguments)], "text": expected["info"]})
    if not terminal:
        turns.append({"calls": [], "text": f"The diagnosis is {answer['reference']}."})
    return turns


def _filled(
    kit: Toolkit, task: PublicTask, expected: ExpectedCall, answer: Answer
) -> tuple[dict[str, Any], bool]:
    """(arguments to run with, whether the task's text gave some): only for a call given by name alone."""
    if expected["arguments"] or expected["name"] not in kit:
        return expected["arguments"], False
    known = {"query": task.ticket[:2000], "answer": answer.get("letter") or answer["reference"]}
    required = kit[expected["name"]].schema["function"]["parameters"]["required"]
    found = {name: known[name] for name in required if name in known}
    return found, bool(found)


def _problem(
    kit: Toolkit, name: str, arguments: dict[str, Any], state: EpisodeState, place: int
) -> tuple[str, str] | None:
    """(kind, detail) of what keeps a call from running; None when it ran."""
    if name not in kit:
        return UNKNOWN_TOOL, name
    try:
        kit.check(name, arguments)
    except ToolError as error:
        missing = [text.split(":")[0] for text in str(error).split("; ") if ": missing" in text]
        return (
            (MISSING_ARGUMENT, f"{name}({', '.join(missing)})")
            if missing
            else (WRONG_ARGUMENT, f"{name}: {error}")
        )
    event = kit.run(ToolCall(id=f"call_{place}", name=name, arguments=json.dumps(arguments)), state=state)
    if event.ok:
        return None
    said = event.output.removeprefix("Error: ")
    unknown = any(sign in said for sign in ("no patient", "not in the", "no passage"))
    return (NO_DATA if unknown else REFUSED), f"{name}: {said[:120]}"


def folders(path: Path) -> list[Path]:
    """The folder itself where it holds tasks.json, else those within it that do."""
    if (path / "tasks.json").exists():
        return [path]
    found = sorted(p.parent for p in path.glob("*/tasks.json"))
    if not found:
        raise PublicTasksError(f"{path}: no tasks.json here, nor in a folder below")
    return found


KINDS = (NOT_THERE, UNKNOWN_TOOL, MISSING_ARGUMENT, WRONG_ARGUMENT, NO_DATA, REFUSED, NO_ANSWER)


def table(reports: Sequence[Report]) -> Table:
    """One line a folder: tasks, those that run, calls that run, why the others do not."""
    shown = Table(title="Public task files in this gym")
    shown.add_column("folder", no_wrap=True)
    for name in ("tasks", "run", "calls", "ran", "filled", *KINDS, "sentences not machine-checkable"):
        shown.add_column(name, justify="right")
    for report in reports:
        rows = report.rows
        figures = (
            len(rows),
            sum(r.runs for r in rows),
            sum(r.calls for r in rows),
            sum(r.ran for r in rows),
            sum(r.filled for r in rows),
            *(report.count(kind) for kind in KINDS),
            sum(len(r.assertions) for r in rows),
        )
        shown.add_row(report.folder, *map(str, figures))
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, then the reasons of each folder."""
    parser = argparse.ArgumentParser(prog="python -m distrl.envs.healthcare.tasks.public")
    parser.add_argument("folder", type=Path)
    console = Console(width=170)
    try:
        reports = [load(folder)[1] for folder in folders(parser.parse_args(arguments).folder)]
    except PublicTasksError as error:
        print(error, file=sys.stderr)
        return 1
    console.print(table(reports))
    for report in reports:
        lines = [line for line in report.details() if not line.startswith(NOT_THERE)][:SHOWN_DETAILS]
        lines += [f"database: {reason} ({n})" for reason, n in report.database.items()]
        lines += [f"ids of the split list without a task ({report.absent})"] if report.absent else []
        lines += [f"options with a stray fragment, cut ({report.cleaned})"] if report.cleaned else []
        for line in lines:
            console.print(f"{report.folder}: {line}", highlight=False, markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
