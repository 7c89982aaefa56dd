"""Reads YAML: finds a config file, follows its `base:`, and parses text safely (no tags, no duplicates)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from distrl.config.errors import ConfigError, did_you_mean

PACKAGE = Path(__file__).resolve().parent.parent
MAX_BYTES = 1 << 20  # a config is written by hand; anything larger is the wrong file


class _Loader(yaml.SafeLoader):
    """YAML's safe loader, with `1e-5` as a number, dates as text, and a duplicate key as an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key in seen:
                mark = key_node.start_mark
                raise yaml.MarkedYAMLError(problem=f"key {key!r} stands twice", problem_mark=mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if not tag.endswith(("timestamp", "float"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_FLOAT = re.compile(
    r"^[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*"
    r"(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))


def parse_yaml(text: str, source: str) -> Any:
    """The value of a YAML text; a `ConfigError` names `source`, the line and the fault."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506  (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ConfigError(f"{source}{where}: not valid YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: not valid YAML: {error}") from None


def conf_folders() -> list[Path]:
    """Where a config's bare name is looked for: here, ./conf, the checkout's conf, the package's conf."""
    return [Path(), Path("conf"), PACKAGE.parent / "conf", PACKAGE / "conf"]


def find_conf(name: str, folders: list[Path] | None = None) -> Path:
    """The file that `conf=name` means (with or without `.yaml`); an error suggests near names."""
    places = conf_folders() if folders is None else folders
    for folder in places:
        for candidate in (folder / name, folder / f"{name}.yaml"):
            if name and candidate.is_file():
                return candidate
    asked = Path(name)
    near = {p.name for folder in (*places, asked.parent) for p in folder.glob("*.yaml")}
    hint = did_you_mean(asked.name, sorted(near)) or (
        f"; there is: {', '.join(sorted(near)[:8])}" if near else ""
    )
    raise ConfigError(f"config file {name!r} not found{hint}")


def read_conf(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """A config file and its bases as (label, mapping), bases first; `base:` is relative to its file."""
    return _read(path, ())


def _read(path: Path, above: tuple[Path, ...]) -> list[tuple[str, dict[str, Any]]]:
    here = path.resolve()
    if here in above:
        ring = " -> ".join(p.name for p in (*above[above.index(here) :], here))
        raise ConfigError(f"{path}: `base:` goes in a circle: {ring}")
    content = parse_yaml(_text(path), str(path))
    if content is None:
        content = {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a config is a mapping of keys, this is a {type(content).__name__}")
    bases = content.pop("base", [])
    names = [bases] if isinstance(bases, str) else bases
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise ConfigError(f"{path}: base={bases!r} is neither a file name nor a list of file names")
    layers: list[tuple[str, dict[str, Any]]] = []
    for name in names:
        try:
            base = find_conf(name, [path.parent])
        except ConfigError as error:
            raise ConfigError(f"{path}: base: {error}") from None
        layers += _read(base, (*above, here))
    return [*layers, (str(path), content)]


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(
                f"{path}: {path.stat().st_size} bytes is too large for a config; is it the right file?"
            )
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; is it the right file?") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
