"""Names that a model writes, turned into records of the episode and of the tables; what fails says the mend.

tools' arguments -> [lookup] -> Patient, Drug, route, unit
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Annotated

from distrl.envs.clinical.drug_pk import canonical
from distrl.envs.clinical.formulary import DRUGS, Drug, find, limits
from distrl.envs.clinical.interactions import KNOWN
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import Arg, ToolError

PatientId = Annotated[str, Arg(max_length=64, help="Id as the ticket gives it.")]
OptionalId = Annotated[str | None, Arg(max_length=64, help="Id as the ticket gives it.")]
DrugName = Annotated[str, Arg(max_length=80, help="One generic or brand name, without a dose.")]
CLOSE = 0.75  # likeness of a suggestion; drugs that merely sound alike would mislead
SHOWN = 60  # characters of a model's own words that an error repeats
_SPELLINGS: dict[str, str] = {
    "oral": "oral orally tablet capsule p.o.",
    "iv": "iv intravenously i.v.",
    "im": "im intramuscularly i.m.",
    "sc": "sc sq subcutaneously s.c.",
    "inhaled": "inhaled nebulised nebulizer nebuliser inhaler",
    "topical": "topical transdermal patch cutaneous",
    "rectal": "rectal rectally",
    "intranasal": "intranasal",
    "ophthalmic": "ophthalmic eye",
}
ROUTES: dict[str, str] = {
    **limits.ROUTES,
    **{spelling: way for way, spellings in _SPELLINGS.items() for spelling in spellings.split()},
    **dict.fromkeys(("iv infusion", "iv bolus", "iv push"), "iv"),
    "per os": "oral",
    "per rectum": "rectal",
    "eye drops": "ophthalmic",
}


def shown(text: str) -> str:
    """A model's words as an error repeats them: quoted, one line, not long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= SHOWN else line[: SHOWN - 1] + "…")


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with up to three close names, or ""."""
    written = {k.lower(): k for k in known}
    close = difflib.get_close_matches(" ".join(name.lower().split())[:SHOWN], written, n=3, cutoff=CLOSE)
    return f"; did you mean {' or '.join(written[c] for c in close)}?" if close else ""


def patient(db: Database | None, patient_id: str) -> Patient:
    """The patient of that id. ToolError for an unknown one; it never says whom else the database holds."""
    found = db["patients"].get(patient_id.strip()) if db is not None else None
    if found is None:
        raise ToolError(f"no patient with id {shown(patient_id)}; check the ticket")
    return found


def drug(name: str) -> Drug:
    """The formulary's drug of that generic or brand name. ToolError with close names for an unknown one."""
    found = find(name)
    if found is None:
        raise ToolError(
            f"drug {shown(name)} is not in the formulary{suggestion(name, _drug_names())}"
            "; give one generic or brand name without a dose"
        )
    return found


def interaction_name(name: str) -> str:
    """The name of a drug in the interaction table: the formulary's, or of another substance that it knows."""
    found = find(name)
    key = found.name if found is not None else canonical(name)
    if key in KNOWN:
        return key
    if found is not None:
        raise ToolError(f"{key} is not in the interaction table; not known does not mean safe")
    close = suggestion(name, [*_drug_names(), *KNOWN])
    raise ToolError(
        f"drug {shown(name)} is not in the interaction table{close}"
        "; give one generic or brand name without a dose; not known does not mean safe"
    )


def route(name: str, record: Drug) -> str:
    """The formulary's word for a route of `record`. ToolError for a route that it is not given by."""
    known = routes(record)
    found = ROUTES.get(" ".join(name.lower().split()))
    if found not in known:
        raise ToolError(f"{record.name} is not given by route {shown(name)}; its routes: {', '.join(known)}")
    return found


def routes(record: Drug) -> tuple[str, ...]:
    """The routes that the formulary knows of a drug."""
    return tuple(dict.fromkeys([*(r.route for r in record.adult), *(c.route for c in record.child)]))


def _drug_names() -> list[str]:
    return [*DRUGS, *(brand.lower() for record in DRUGS.values() for brand in record.brands)]
