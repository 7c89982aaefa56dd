"""A task's payload: what the agent is asked, and what its episode is judged by; plain JSON, hidden from it.

[generators, frozen splits, public files] -> Task -> EnvWorker[N: HealthcareEnv] <-> Engine[M] -> …
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from distrl.envs.healthcare.world.records import Database

Table = Literal["orders", "prescriptions", "diagnoses", "referrals"]


class ExpectedCall(TypedDict):
    """A call that a good episode makes. `compare_args`: arguments that must match; empty: the name alone.

    An expected argument that is a list of strings allows each of them.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    compare_args: list[str]
    info: str


class Check(TypedDict):
    """One condition on what the agent said and did, and on the database. Fields by `kind`:

    said          concepts: list of lists; of each inner list one term is asserted (not negated, not quoted)
    not_said      terms: none of them is asserted
    called        name, where: a successful call whose arguments have one of the allowed values
    recorded      table, where: a row with one of the allowed values in each field
    not_recorded  table, where: no such row
    before        first, then: the first successful call of `first` precedes every one of `then`
    any_of        checks: at least one holds
    """

    kind: Literal["said", "not_said", "called", "recorded", "not_recorded", "before", "any_of"]
    concepts: NotRequired[list[list[str]]]
    terms: NotRequired[list[str]]
    name: NotRequired[str]
    table: NotRequired[Table]
    where: NotRequired[dict[str, list[Any]]]
    first: NotRequired[str]
    then: NotRequired[list[str]]
    checks: NotRequired[list[Check]]


class Assertion(TypedDict):
    """A statement for people and the check that decides it; importance as in the reward's table."""

    id: str
    text: str
    importance: Literal["critical", "high", "medium", "low"]
    check: Check


class Answer(TypedDict):
    """What the accuracy is judged by. `reference` is a text that would be right in full.

    choice      letter, options
    diagnosis   names (any of them), icd10 (codes; the part before the dot decides), condition
    text        reference alone (ROUGE-1 and BLEU-1)
    verdict     names: accepted verdicts, such as interaction severities, beside the reference
    """

    kind: Literal["choice", "diagnosis", "text", "verdict"]
    reference: str
    letter: NotRequired[str]
    options: NotRequired[dict[str, str]]
    names: NotRequired[list[str]]
    icd10: NotRequired[list[str]]
    condition: NotRequired[str]


class Obligation(TypedDict):
    """Something whose omission is a safety finding of `severity`, once the episode ends.

    The first check that holds discharges it. `category` is a key of the safety taxonomy.
    """

    id: str
    category: str
    severity: int
    reason: str
    check: Check


class GoldTurn(TypedDict):
    """One turn of the gold trajectory: calls (may be none), then text beside them."""

    calls: list[dict[str, Any]]  # {"name", "arguments"}
    text: str


class World(TypedDict):
    """How the episode's database comes about: drawn by `seed`, or `database` as it is."""

    seed: NotRequired[int]
    condition: NotRequired[str]
    options: NotRequired[dict[str, Any]]
    database: NotRequired[Database]


class Payload(TypedDict):
    """`domain` is a key of domains.DOMAINS. `patient_id` names whom the ticket is about, or ""."""

    domain: str
    purpose: str
    difficulty: Literal["easy", "moderate", "hard"]
    key_challenges: list[str]
    persona: str
    ticket: str
    patient_id: str
    world: World
    expected: list[ExpectedCall]
    assertions: list[Assertion]
    obligations: list[Obligation]
    answer: Answer
    reward_basis: list[Literal["ACTION", "NL_ASSERTION"]]
    gold: list[GoldTurn]
