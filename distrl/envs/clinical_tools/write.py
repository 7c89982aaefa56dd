"""`distrl data clinical_tools`: a generated set in the card's schema, to train on elsewhere or to publish.

GeneratedTasks -> [write_dataset] -> folder of JSONL, Parquet and a dataset card -> FileTasks
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.envs.clinical_tools.tasks import GeneratedTasks, one_of
from distrl.envs.contract import Task

TEST_SHARE = 0.1
SPLIT_OF = {"train": "train", "test": "heldout"}  # the card's split names -> ours
MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
SCHEMA = pa.schema([("prompt", MESSAGES), ("answer", pa.string()), ("ground_truth", pa.string())])


def write_dataset(
    out_dir: str | os.PathLike[str],
    count: int,
    seed: int,
    formats: Sequence[str] = ("jsonl", "parquet"),
    *,
    system_prompt: str = "card",
    style: str = "varied",
) -> list[Path]:
    """Write `count` tasks, a tenth of them as the test split, and a README.md; give the paths written.

    The test split is the generator's `heldout`: phrases and value bands that the training split never shows.
    The same arguments write the same bytes. Every file is written aside and then renamed.

    Raises ValueError for a count below 2, an unknown format, prompt or style, or a folder that cannot be
    written.
    """
    if count < 2:
        raise ValueError(f"count is {count}; at least 2 rows are needed, one for each split")
    if not formats:
        raise ValueError(f"no format given; known: {', '.join(_WRITERS)}")
    writers = [(name, _WRITERS[one_of("format", name, _WRITERS)]) for name in dict.fromkeys(formats)]
    source = GeneratedTasks(system_prompt=system_prompt, style=style)
    test = max(1, round(count * TEST_SHARE))
    rows = {
        split: source.tasks(ours, test if split == "test" else count - test, seed)
        for split, ours in SPLIT_OF.items()
    }
    folder, paths = Path(out_dir), []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for split, tasks in rows.items():
            for extension, write in writers:
                paths.append(folder / f"{split}.{extension}")
                with _aside(paths[-1]) as path:
                    write(path, tasks)
        paths.append(folder / "README.md")
        with _aside(paths[-1]) as path:
            path.write_text(_card(rows, [name for name, _ in writers], seed, style), encoding="utf-8")
    except OSError as error:
        raise ValueError(
            f"cannot write to {folder}: {error.strerror or error}; choose another --out"
        ) from None
    return paths


def _write_jsonl(path: Path, tasks: Sequence[Task]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(task.payload, ensure_ascii=False) + "\n" for task in tasks)


def _write_parquet(path: Path, tasks: Sequence[Task]) -> None:
    table = pa.Table.from_pylist([task.payload for task in tasks], schema=SCHEMA)
    pq.write_table(table, path, compression="zstd", write_page_checksum=True)


_WRITERS: dict[str, Callable[[Path, Sequence[Task]], None]] = {
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; renamed at the end, so that no half-written file bears the name."""
    aside = path.with_name(f".{path.name}.partial")
    yield aside
    os.replace(aside, path)


def _card(rows: dict[str, list[Task]], formats: Sequence[str], seed: int, style: str) -> str:
    """The dataset card: front matter, schema, counts, how it was made, the reward rule, limits."""
    extension = "parquet" if "parquet" in formats else "jsonl"
    by_tool = {
        s: Counter(json.loads(t.payload["ground_truth"])["name"] for t in ts) for s, ts in rows.items()
    }
    lines = [f"| {tool} | {by_tool['train'][tool]} | {by_tool['test'][tool]} |" for tool in by_tool["train"]]
    example = next(iter(rows["train"])).payload
    total = sum(map(len, rows.values()))
    size = next(name for limit, name in _SIZES if total < limit)
    return _CARD.format(
        extension=extension,
        size=size,
        train=len(rows["train"]),
        test=len(rows["test"]),
        table="\n".join(lines),
        count=total,
        seed=seed,
        style=style,
        formats=" ".join(formats),
        question=example["prompt"][-1]["content"],
        answer=example["answer"],
        ground_truth=example["ground_truth"],
    )


_SIZES = ((1e3, "n<1K"), (1e4, "1K<n<10K"), (1e5, "10K<n<100K"), (1e6, "100K<n<1M"), (1e12, "n>1M"))
_CARD = """\
---
license: apache-2.0
language: [en]
pretty_name: Synthetic clinical tool calling
task_categories: [text-generation]
tags: [synthetic, medical, tool-calling, reinforcement-learning]
size_categories: ["{size}"]
configs:
- config_name: default
  data_files:
  - split: train
    path: train.{extension}
  - split: test
    path: test.{extension}
---

# Synthetic clinical tool calling

Questions that one call of one of eight clinical decision-support tools answers, with the call and its output.
**All patients are synthetic; nothing here is for care.**

## Schema
| column | type | meaning |
|---|---|---|
| prompt | list of {{role, content}} | a system message with the conventions, a user message with the case |
| answer | string | what the tool says to the gold call, one line |
| ground_truth | string | JSON {{"name", "arguments"}}; a string, so that no reader merges the tools |

## Rows
| tool | train | test |
|---|---|---|
{table}
| all | {train} | {test} |

Example: {question}
Gold call: `{ground_truth}`
Answer: `{answer}`

## How it was made
`distrl data clinical_tools --out DIR --count {count} --seed {seed}` (style {style}; {formats}). Values are
drawn from plausible ranges and written with phrases from tables, in varied units and order, among distracting
sentences. Each argument stands in the text or is the default that the system message states. The answer is
the tool's own output for the gold call. The test split uses phrases, sentence frames and value bands (age,
weight, cholesterol, eGFR) that the training split never shows.

## Reward
The last tool response against `answer`, both trimmed and in lower case: equal 1.0; another response 0.1; no
call 0.0.

## Limits
English; one call a question; phrases come from tables and are plainer than clinical notes. Doses and scores
are teaching material computed from published formulas, not advice.

## Licence
Apache-2.0.
"""
