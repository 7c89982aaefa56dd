"""From the command line to a checked `Config`: files and bases, then dotted overrides, then the checks.

    load_config(["conf=quickstart.yaml", "steps=5", "env.options.difficulty=2"])

Each value is checked against the schema where it stands, so that an error names its file.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml
from omegaconf import MISSING, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from distrl.config.errors import ConfigError, did_you_mean_key
from distrl.config.keys import SHORTHANDS, Key, get, has_type, known_keys, sections
from distrl.config.schema import Config
from distrl.config.sources import find_conf, parse_yaml, read_conf
from distrl.config.validate import validate

USAGE = "usage: python -m distrl.launch conf=quickstart.yaml [key=value …] [--dry-run] [--help] [--verbose]"


def load_config(args: list[str]) -> Config:
    """The checked config that `args` (`conf=FILE` and `key=value`) mean.

    `run.name` is filled in when empty: the file's stem and the seed. Raises `ConfigError` (one line).
    """
    conf, overrides = _split(args)
    path = find_conf(conf)
    tree: dict[str, Any] = {}
    for label, content in read_conf(path):
        _merge_mapping(tree, content, f"{label}: ")
    for name, text in overrides:
        _merge_override(tree, name, text)
    for name in _required(tree, ""):
        raise ConfigError(f"{name} is required by {path} and has no default; write {name}=…")
    config = _build(tree)
    if not config.run.name:
        config.run.name = f"{path.stem}-seed{config.run.seed}"
    validate(config)
    return config


def _split(args: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """`conf` and the overrides; anything else is refused."""
    pairs: list[tuple[str, str]] = []
    for arg in args:
        name, equals, value = arg.partition("=")
        if not equals or not name or name.startswith("-"):
            raise ConfigError(f"cannot read {arg!r}: write key=value; {USAGE}")
        pairs.append((name.strip(), value))
    confs = [value for name, value in pairs if name == "conf"]
    if len(confs) != 1 or not confs[0]:
        fault = "conf= is missing" if not any(confs) else f"conf= is given {len(confs)} times"
        raise ConfigError(f"{fault}; {USAGE}")
    return confs[0], [pair for pair in pairs if pair[0] != "conf"]


def _merge_mapping(tree: dict[str, Any], content: dict[Any, Any], source: str, prefix: str = "") -> None:
    """Puts a file's mapping into `tree`, key by key."""
    for name, value in content.items():
        dotted = f"{prefix}{name}"
        if dotted in sections() and isinstance(value, dict):
            _merge_mapping(tree, value, source, f"{dotted}.")
        elif dotted in sections() and value is None:
            continue  # `learner:` with all its lines commented out
        else:
            _put(tree, dotted, value, source)


def _merge_override(tree: dict[str, Any], name: str, text: str) -> None:
    """Puts one `key=value` into `tree`. Text keys take the text as it stands; others are read as YAML."""
    key = known_keys().get(SHORTHANDS.get(name, name))
    inner = _mapping_key(name)
    value = text if key is not None and key.type is str else parse_yaml(text, f"value of {name}")
    if inner is not None:
        for part in reversed(name[len(inner.name) + 1 :].split(".")):
            value = {part: value}
        name = inner.name
    _put(tree, name, value, "")


def _mapping_key(name: str) -> Key | None:
    """The mapping key that `name` reaches into: `env.options` for `env.options.difficulty`."""
    for key in known_keys().values():
        if key.type_name == "mapping" and name.startswith(f"{key.name}."):
            return key
    return None


def _put(tree: dict[str, Any], name: str, value: Any, source: str) -> None:
    """Checks one value against the schema and stores it at its place in the nested `tree`."""
    if name in SHORTHANDS and isinstance(value, str):
        name = SHORTHANDS[name]
    if name in sections():
        raise ConfigError(
            f"{source}{name}={value!r}: '{name}' is a section; set one of its keys, e.g. {_first(name)}"
        )
    key = known_keys().get(name)
    if key is None:
        raise ConfigError(f"{source}unknown key '{name}'{did_you_mean_key(name, known_keys())}")
    later = isinstance(value, str) and ("${" in value or value == MISSING)
    if not later and not has_type(key, value):
        raise ConfigError(f"{source}{_wrong_type(key, value)}")
    *path, leaf = name.split(".")
    node = tree
    for part in path:
        node = node.setdefault(part, {})
    if key.type_name == "mapping" and isinstance(value, dict):
        _deep_update(node.setdefault(leaf, {}), value)
    else:
        node[leaf] = value


def _deep_update(into: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _deep_update(into[name], value)
        else:
            into[name] = value


def _required(tree: dict[str, Any], prefix: str) -> list[str]:
    """Dotted names whose value is still `???`: the user has to give them."""
    found = []
    for name, value in tree.items():
        if isinstance(value, dict):
            found += _required(value, f"{prefix}{name}.")
        elif value == MISSING:
            found.append(f"{prefix}{name}")
    return found


def _first(section: str) -> str:
    return next(k for k in known_keys() if k.startswith(f"{section}."))


def _wrong_type(key: Key, value: Any) -> str:
    mend = (
        "put it in quotes"
        if key.type is str and value is not None
        else f"e.g. {key.name}={_shown(key.default)}"
    )
    return f"{key.name}={value!r} has the wrong type: {key.type_name} is wanted; {mend}"


def _shown(value: Any) -> str:
    return "''" if value == "" else str(value).lower() if isinstance(value, bool) else str(value)


def _build(tree: dict[str, Any]) -> Config:
    """OmegaConf's structured merge onto the dataclasses; resolves `${…}` and checks what came out."""
    try:
        merged = OmegaConf.merge(OmegaConf.structured(Config), OmegaConf.create(tree))
        OmegaConf.resolve(merged)
        config = OmegaConf.to_object(merged)
    except (OmegaConfBaseException, RecursionError) as error:
        where = getattr(error, "full_key", None)
        reason = str(getattr(error, "msg", None) or error).splitlines()[0]
        raise ConfigError(f"{f'{where}: ' if where else ''}cannot be resolved: {reason}") from None
    assert isinstance(config, Config)
    for key in known_keys().values():
        if not has_type(key, get(config, key.name)):
            raise ConfigError(_wrong_type(key, get(config, key.name)))
    return config


def to_yaml(config: Config) -> str:
    """The whole resolved config as YAML; `load_config` reads it back to an equal config."""
    return yaml.safe_dump(asdict(config), sort_keys=False, allow_unicode=True, width=110)


def save_resolved(config: Config, folder: str) -> str:
    """Writes `config.yaml` into the run folder (aside, then renamed) and returns its path."""
    path = Path(folder) / "config.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name("config.yaml.part")
    aside.write_text(to_yaml(config), encoding="utf-8")
    os.replace(aside, path)
    return str(path)
