"""The `distrl` command: what a person asks beside a run. Each command imports only what it needs.

A run itself is `python -m distrl.launch conf=…` (also `distrl train conf=…`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

EXIT_PROBLEM = 1
EXIT_BAD_INPUT = 2


def _train(args: argparse.Namespace) -> int:
    from distrl.launch import main as launch

    return launch(args.settings)


def _plan(args: argparse.Namespace) -> int:
    from distrl.launch import main as launch

    return launch(["--dry-run", *args.settings])


def _check_env(args: argparse.Namespace) -> int:
    from distrl.check_command import check, known_ids

    if args.tasks < 1:
        raise ValueError(f"--tasks={args.tasks} is too small; at least 1")
    found = check(known_ids(args.id, args.all), args.tasks, lambda line: print(_printable(line)))
    return EXIT_PROBLEM if found else 0


def _data(args: argparse.Namespace) -> int:
    from distrl.envs.clinical_tools.write import write_dataset

    if args.count < 1:
        raise ValueError(f"--count={args.count} is too small; at least 1")
    for path in write_dataset(args.out, args.count, args.seed, args.formats):
        print(path)
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from distrl.launch.doctor import examine, render

    lines = examine()
    print(render(lines))
    return EXIT_PROBLEM if any(line.mend for line in lines) else 0


def _model(args: argparse.Namespace) -> int:
    from distrl.models.resolve import resolve_model

    print(resolve_model(args.name, args.cache_dir).path)
    return 0


def _knowledge(args: argparse.Namespace) -> int:
    from distrl import knowledge_command

    action: Callable[[argparse.Namespace], int] = getattr(knowledge_command, args.action)
    return action(args)


Arguments = tuple[tuple[tuple[str, ...], dict[str, Any]], ...]


class Command(NamedTuple):
    """One subcommand: what runs, its help, its arguments as (names, options)."""

    run: Callable[[argparse.Namespace], int]
    help: str
    arguments: Arguments = ()
    actions: Mapping[str, Command] = {}  # commands below this one, found in `args.action`


_SOURCES: Arguments = (
    (
        ("sources",),
        {
            "nargs": "+",
            "metavar": "SOURCE",
            "help": "Parquet, JSONL or CSV file, or `own`: the project's passages",
        },
    ),
    (("--to",), {"required": True, "metavar": "PATH", "help": "folder of the base"}),
    (("--skip-bad",), {"action": "store_true", "help": "count and leave out rows that cannot be read"}),
    (
        ("--refuse-leaks",),
        {
            "default": "",
            "metavar": "FILE",
            "help": "leave out passages that give away an item of this JSONL file",
        },
    ),
    (
        ("--flag-leaks",),
        {"default": "", "metavar": "FILE", "help": "count and name such passages, but keep them"},
    ),
)
_BACKEND: Arguments = (
    (("--backend",), {"choices": ["fts5", "tantivy"], "default": "fts5", "help": "default: fts5"}),
)
_BASE: Arguments = (
    (
        ("--base",),
        {"default": "", "metavar": "PATH", "help": "default: the base that the project writes itself"},
    ),
)
_SEARCH: Arguments = (
    (("words",), {"nargs": "+", "help": "plain words"}),
    *_BASE,
    (("--limit",), {"type": int, "default": 10, "help": "passages, 1 to 100 (default 10)"}),
    (("--category",), {"default": "", "help": "only passages of this category"}),
    (("--source",), {"default": "", "help": "only passages of this source"}),
)

_SETTINGS: Arguments = ((("settings",), {"nargs": argparse.REMAINDER, "help": "conf=FILE key=value …"}),)

COMMANDS: dict[str, Command] = {
    "train": Command(_train, "start a run (python -m distrl.launch)", _SETTINGS),
    "plan": Command(_plan, "show the resolved config, actors and model; start nothing", _SETTINGS),
    "doctor": Command(_doctor, "examine the installation and the machine; name problems and mends"),
    "model": Command(
        _model,
        "fetch and convert a model; print its local folder",
        (
            (("name",), {"help": "known name, folder or hub id"}),
            (("--cache-dir",), {"default": "", "help": "default: $DISTRL_CACHE or ~/.cache/distrl"}),
        ),
    ),
    "check-env": Command(
        _check_env,
        "check environments against the contract; show what plays that are not the work earn",
        (
            (("id",), {"nargs": "?", "default": "", "help": "e.g. distrl/ClinicalTools-v0"}),
            (("--all",), {"action": "store_true", "help": "every environment of the project"}),
            (("--tasks",), {"type": int, "default": 20, "help": "tasks of each split (default 20)"}),
        ),
    ),
    "knowledge": Command(
        _knowledge,
        "build and search a knowledge base",
        actions={
            "build": Command(
                _knowledge, "make a base from files; goes on with a broken build", _SOURCES + _BACKEND
            ),
            "add": Command(_knowledge, "add files to a base; a known doc_id is replaced", _SOURCES),
            "search": Command(_knowledge, "search a base with plain words", _SEARCH),
            "stats": Command(_knowledge, "passages by source and category", _BASE),
        },
    ),
    "data": Command(
        _data,
        "write a generated data set",
        (
            (("kind",), {"choices": ["clinical_tools"], "help": "which data set"}),
            (("--out",), {"required": True, "help": "folder to write into"}),
            (("--count",), {"type": int, "default": 1000, "help": "rows (default 1000)"}),
            (("--seed",), {"type": int, "default": 0, "help": "seed (default 0)"}),
            (
                ("--formats",),
                {
                    "nargs": "+",
                    "choices": ["jsonl", "parquet"],
                    "default": ["jsonl", "parquet"],
                    "help": "file formats",
                },
            ),
        ),
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="distrl", description="Train tool-using clinical language agents.")
    _declare(parser, COMMANDS, "command")
    return parser


def _declare(parser: argparse.ArgumentParser, commands: Mapping[str, Command], dest: str) -> None:
    below = parser.add_subparsers(dest=dest, required=True, metavar=dest.upper())
    for name, command in commands.items():
        sub = below.add_parser(name, help=command.help, description=command.help)
        for names, options in command.arguments:
            sub.add_argument(*names, **options)
        if command.actions:
            _declare(sub, command.actions, "action")


def _printable(text: str) -> str:
    from distrl.observe.text import escape

    return escape(text)


def main(argv: list[str] | None = None) -> int:
    """Runs one command. A user's mistake is one line and exit code 2."""
    args = _parser().parse_args(argv)
    try:
        return COMMANDS[args.command].run(args)
    except BrokenPipeError:  # `distrl … | head`
        return 0
    except (ValueError, OSError) as error:
        print(_printable(f"distrl {args.command}: {' '.join(str(error).split())}"), file=sys.stderr)
        return EXIT_BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
