"""`distrl knowledge`: what a person does with a knowledge base. Lines for people, one progress bar.

files -> [build, add] -> folder of a base -> [search, stats] -> a person
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from distrl.envs.healthcare.knowledge import build as building
from distrl.envs.healthcare.knowledge.default import own_base
from distrl.envs.healthcare.knowledge.guard import LeakGuard, read_items
from distrl.envs.healthcare.knowledge.place import BackendName
from distrl.envs.healthcare.knowledge.protocol import KnowledgeBase
from distrl.observe.text import escape

LINE_EVERY_S = 10.0  # between plain lines, where there is no terminal
SNIPPET_CHARS = 200


def build(args: argparse.Namespace) -> int:
    """A new base from files."""
    backend: BackendName = args.backend
    with _progress(f"build {args.to}") as on_progress:
        report = building.build(args.sources, Path(args.to), backend, _options(args), on_progress)
    _tell(report, args.to)
    return 0


def add(args: argparse.Namespace) -> int:
    """More passages for a base."""
    with _progress(f"add to {args.to}") as on_progress:
        report = building.add(args.sources, Path(args.to), _options(args), on_progress)
    _tell(report, args.to)
    return 0


def search(args: argparse.Namespace) -> int:
    """The best passages for some words."""
    hits = _base(args).search(" ".join(args.words), args.limit, category=args.category, source=args.source)
    for n, hit in enumerate(hits, start=1):
        found = hit.passage
        text = " ".join(found.content.split())
        more = "…" if len(text) > SNIPPET_CHARS else ""
        print(
            escape(
                f"{n:>2}. {hit.score:6.2f}  {found.title}  [{found.doc_id}; {found.source}, {found.category}]"
            )
        )
        print(escape(f"    {text[:SNIPPET_CHARS]}{more}"))
    if not hits:
        print("no passage holds any of these words")
    return 0


def stats(args: argparse.Namespace) -> int:
    """How many passages, by source and category."""
    for name, count in _base(args).stats().items():
        print(escape(f"{name:<40} {count:>10,}"))
    return 0


def _base(args: argparse.Namespace) -> KnowledgeBase:
    return building.open_base(args.base) if args.base else own_base()


def _options(args: argparse.Namespace) -> building.Options:
    file = args.refuse_leaks or args.flag_leaks
    if not file:
        return building.Options(skip_bad=args.skip_bad)
    guard = LeakGuard(read_items(Path(file)))
    if not len(guard):
        raise ValueError(f"{file}: no item whose answer could be recognised in a passage")
    facts = Path(file).stat()
    name = f"{Path(file).absolute()} {facts.st_size} {facts.st_mtime_ns}"
    refuse = bool(args.refuse_leaks)
    return building.Options(skip_bad=args.skip_bad, guard=guard, guard_name=name, refuse=refuse)


def _tell(report: building.Report, to: str) -> None:
    parts = [f"{report.rows:,} rows", f"{report.indexed:,} passages indexed"]
    for count, what in (
        (report.resumed, "rows done by the former build"),
        (report.bad, "bad rows left out"),
        (report.twice, "passages that came twice"),
        (report.leaks, "passages that give an evaluation item away"),
    ):
        parts += [f"{count:,} {what}"] if count else []
    for note in report.notes:
        print(escape(note))
    print(escape(f"{to}: {', '.join(parts)}"))


@contextmanager
def _progress(what: str) -> Iterator[building.Progress]:
    """A bar with the time left on a terminal; a plain line every ten seconds elsewhere."""
    console = Console(file=sys.stderr, markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        yield _lines(what)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(escape(what), total=1.0)

        def show(share: float, report: building.Report) -> None:
            bar.update(task, completed=share, description=escape(f"{what}: {report.rows:,} rows"))

        yield show


def _lines(what: str) -> building.Progress:
    start = last = time.monotonic()

    def line(share: float, report: building.Report) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < LINE_EVERY_S:
            return
        last = now
        left = (now - start) * (1 - share) / share if share else 0.0
        text = f"{what}: {report.rows:,} rows, {share:.0%}, about {left:.0f} s left"
        print(escape(text), file=sys.stderr, flush=True)

    return line
