"""The table of the gym's tools, written from the toolkits: `python -m … > docs/healthcare_tools.md`.

Toolkits -> [describe] -> docs/healthcare_tools.md
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable

from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.toolkit import Tool, Toolkit
from distrl.envs.toolkit.schema import read_docstring, signature_line

HEAD = """# Tools of the healthcare gym

Written by `python -m distrl.envs.healthcare.tools.describe > docs/healthcare_tools.md`; do not edit by hand.
Synthetic patients, not for care.

- Every tool answers with JSON; numbers carry their units. What the record or the table does not hold stands
  under `missing` in words and is never shown as normal.
- READ, THINK and GENERIC tools leave the episode's database as it is. A WRITE tool works on a copy that
  replaces the database when it succeeds; the same call id again returns the first outcome.
- An error is an observation `Error: …` that names the mend. An unknown patient id is answered without naming
  other patients. An unknown drug, route, unit or test is answered with close names.
- `prescribe_medication` does not refuse: it screens allergies, dose, kidney, liver, pregnancy, conditions,
  interactions and duplicates, and writes the prescription with its alerts. The safety rules judge it.
- `transfer_to_specialist` writes a referral and is WRITE here, where the published gym has it as GENERIC;
  `think` is THINK. `submit_answer` ends the episode.
- An input of a score that is given counts before the record; each input is shown with its source; where one
  is missing no score is shown. History items that neither gives count as absent and are listed.
"""


def toolkit(domain: str) -> Toolkit | None:
    """The toolkit of a domain, or None where its module is not there."""
    try:
        return DOMAINS[domain].toolkit
    except ModuleNotFoundError as error:
        if error.name == DOMAINS[domain].tools.partition(":")[0]:
            return None
        raise


def table(kit: Toolkit) -> Iterable[str]:
    """The lines of one domain's section."""
    yield f"## {kit.name} ({len(kit)} tools)"
    yield ""
    yield "| tool | kind | arguments | gives | source |"
    yield "|---|---|---|---|---|"
    for tool in kit:
        summary, _ = read_docstring(tool.function)
        call = signature_line({"function": {**tool.schema["function"], "description": ""}})
        arguments = call.removeprefix(f"{tool.name}(").removesuffix("): ")
        cells = (f"`{tool.name}`", str(tool.kind), _code(arguments), summary, source(tool))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


def source(tool: Tool) -> str:
    """What the docstring's "Source:" paragraph says, or where the data lie."""
    lines = (inspect.getdoc(tool.function) or "").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("Source:")), None)
    if start is None:
        return "the episode's record" if tool.needs_db else "-"
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return " ".join(line.strip() for line in lines[start:end]).removeprefix("Source:").strip()


def document() -> str:
    """The whole file."""
    kits = [kit for kit in map(toolkit, DOMAINS) if kit is not None]
    return "\n".join([HEAD, *(line for kit in kits for line in table(kit))])


def _code(text: str) -> str:
    return f"`{text}`" if text else "none"


if __name__ == "__main__":
    sys.stdout.write(document())
