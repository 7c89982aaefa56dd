"""Weight sets as files: written aside, hashed in the same pass, renamed; read only when every byte is right.

Learner -> [parts, then manifest.json] -> Engine[M]

A set lies in `<folder>/<kind>-<version>/` as `part-00000.safetensors`, … and `manifest.json`. The set is
written in a folder beside it, so a reader sees all of it or nothing. Put `folder` in /dev/shm when reader and
writer share a machine: no disk is then touched.

Not covered: a writer with root rights who changes both a part and the manifest object that was announced.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch

from distrl.weights.manifest import WeightError, WeightManifest, WeightPart

MANIFEST = "manifest.json"
KEEP_VERSIONS = 2  # the one that is served while the next is read
MAX_PART_BYTES = 2 << 30
ST_DTYPES = {
    torch.float64: "F64",
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.int32: "I32",
    torch.int16: "I16",
    torch.int8: "I8",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}  # the names of the safetensors format

Named = list[tuple[str, torch.Tensor]]


def write_weights(
    tensors: Mapping[str, torch.Tensor],
    folder: str,
    *,
    version: int,
    kind: str,
    source_version: int,
    max_part_bytes: int = MAX_PART_BYTES,
    keep: int = KEEP_VERSIONS,
) -> WeightManifest:
    """Write one weight set below `folder` and return its manifest; older sets of `kind` beyond `keep` go.

    Tensors may lie on any device and have any strides; a shared (tied) tensor is given once. Their order is
    kept: give a module's tensors side by side, so that a reader can finish one layer before the next.
    Raises ValueError for an empty mapping or a dtype unknown to the format, OSError when the disk is full.
    """
    if not tensors:
        raise ValueError("write_weights: no tensors were given")
    root = Path(folder)
    final, aside = root / f"{kind}-{version:08d}", root / f".{kind}-{version:08d}.{os.getpid()}.tmp"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    durable = not _is_tmpfs(aside)
    try:
        parts = []
        for index, group in enumerate(_split(tensors.items(), max_part_bytes)):
            name = f"part-{index:05d}.safetensors"
            size, sha256 = _write_part(aside / name, group, durable)
            parts.append(WeightPart(path=str(final / name), bytes=size, sha256=sha256))
        manifest = WeightManifest(
            version=version,
            kind=kind,
            source_version=source_version,
            digest=digest_of(parts),
            parts=tuple(parts),
        )
        _write_text(aside / MANIFEST, manifest_to_json(manifest), durable)
        shutil.rmtree(final, ignore_errors=True)  # the same version again: a resumed run
        aside.rename(final)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    if durable:
        _sync_folder(root)
    prune(folder, kind, keep)
    return manifest


def read_weights(manifest: WeightManifest) -> dict[str, torch.Tensor]:
    """The tensors of a set, on the CPU, mapped from its files without a copy: read only.

    Every part's size and sha256 and the set's digest are checked before the first tensor is handed out.
    Raises WeightError naming the part that is missing, cut, or changed.
    """
    verify(manifest)
    tensors: dict[str, torch.Tensor] = {}
    for part in manifest.parts:
        try:
            with safetensors.safe_open(part.path, framework="pt") as file:
                for name in file.offset_keys():
                    if name in tensors:
                        raise WeightError(f"{part.path}: tensor {name} is in two parts")
                    tensors[name] = file.get_tensor(name)
        except (OSError, safetensors.SafetensorError) as error:
            raise WeightError(f"{part.path}: not a readable safetensors file ({error})") from error
    return tensors


def receive_weights(manifest: WeightManifest, parts: Sequence[np.ndarray], folder: str) -> WeightManifest:
    """Store part bytes (uint8 arrays) that came from another machine; the same manifest with the paths here.

    Nothing is trusted: a reader checks sizes and hashes as for any set. The previous set in `folder` goes.
    """
    final = Path(folder) / f"{manifest.kind}-{manifest.version:08d}"
    shutil.rmtree(final, ignore_errors=True)
    final.mkdir(parents=True)
    local = []
    for part, data in zip(manifest.parts, parts, strict=True):
        path = final / Path(part.path).name
        path.write_bytes(data.data)
        local.append(replace(part, path=str(path)))
    prune(folder, manifest.kind, 1)
    return replace(manifest, parts=tuple(local))


def verify(manifest: WeightManifest) -> None:
    """Raise WeightError unless every part is whole and its bytes, and the digest, are those announced."""
    if not manifest.parts or manifest.digest != digest_of(manifest.parts):
        raise WeightError(
            f"weights version {manifest.version}: digest {manifest.digest[:12]} is not that of its "
            f"{len(manifest.parts)} parts"
        )
    for part in manifest.parts:
        size, sha256 = hash_file(part.path)
        if size != part.bytes:
            raise WeightError(f"{part.path}: {size} bytes, but {part.bytes} were announced")
        if sha256 != part.sha256:
            raise WeightError(f"{part.path}: sha256 {sha256[:12]}, but {part.sha256[:12]} was announced")


def require_newer(manifest: WeightManifest, served_version: int) -> None:
    """Versions only rise: raise WeightError when `manifest` is not newer than what is served."""
    if manifest.version <= served_version:
        raise WeightError(
            f"weights version {manifest.version} is not newer than {served_version}, which is served"
        )


def digest_of(parts: Iterable[WeightPart]) -> str:
    """sha256 over the parts' hashes in order (hex)."""
    return hashlib.sha256("".join(part.sha256 for part in parts).encode()).hexdigest()


def hash_file(path: str) -> tuple[int, str]:
    """Size in bytes and sha256 of a file, through a memory map (no copy); WeightError if it is gone."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                return 0, hashlib.sha256().hexdigest()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                return size, hashlib.sha256(view).hexdigest()
    except OSError as error:
        raise WeightError(f"{path}: the part cannot be read ({error.strerror})") from error


def manifest_to_json(manifest: WeightManifest) -> str:
    return json.dumps(asdict(manifest), indent=1)


def manifest_from_json(text: str) -> WeightManifest:
    """The manifest that `manifest_to_json` wrote; WeightError when fields are missing or of a wrong type."""
    try:
        fields: dict[str, Any] = json.loads(text)
        fields["parts"] = tuple(WeightPart(**part) for part in fields["parts"])
        return WeightManifest(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise WeightError(f"the manifest cannot be read ({error})") from error


def prune(folder: str, kind: str, keep: int) -> None:
    """Remove all but the `keep` newest sets of `kind`. A reader that holds a map of one keeps its bytes."""
    sets = sorted(p for p in Path(folder).glob(f"{kind}-*") if p.name.removeprefix(f"{kind}-").isdigit())
    for old in sets[: max(len(sets) - keep, 0)]:
        shutil.rmtree(old, ignore_errors=True)


def _split(items: Iterable[tuple[str, torch.Tensor]], max_bytes: int) -> Iterator[Named]:
    """Groups of tensors of at most `max_bytes` each (a larger tensor stands alone), in the order given."""
    group: Named = []
    size = 0
    for name, tensor in items:
        if group and size + tensor.nbytes > max_bytes:
            yield group
            group, size = [], 0
        group.append((name, tensor))
        size += tensor.nbytes
    yield group


def _write_part(path: Path, group: Named, durable: bool) -> tuple[int, str]:
    """One safetensors file; returns its size and sha256, computed from the bytes as they are written."""
    sha = hashlib.sha256()
    size = 0
    with open(path, "wb", buffering=0) as file:
        for chunk in _chunks(group):
            sha.update(chunk)
            size += len(chunk)
            rest = chunk
            while rest:  # a raw write may take less than it was given (2 GiB at most on Linux)
                rest = rest[file.write(rest) :]
        if durable:
            os.fsync(file.fileno())
    return size, sha.hexdigest()


def _chunks(group: Named) -> Iterator[memoryview]:
    """The bytes of a part: the header, then each tensor; one tensor at a time is on the CPU."""
    yield memoryview(_header(group))
    for _, tensor in group:
        yield _bytes_of(tensor)


def _header(group: Named) -> bytes:
    """Length (8 bytes, little-endian) and JSON of the safetensors format, padded to 8 bytes with spaces."""
    entries: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, tensor in group:
        if tensor.dtype not in ST_DTYPES:
            raise ValueError(f"tensor {name}: dtype {tensor.dtype} cannot be stored")
        end = offset + tensor.nbytes
        entries[name] = {
            "dtype": ST_DTYPES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _bytes_of(tensor: torch.Tensor) -> memoryview:
    flat = tensor.detach().to("cpu").contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().data


def _write_text(path: Path, text: str, durable: bool) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _is_tmpfs(path: Path) -> bool:
    """True where nothing would survive a power cut anyway, so that fsync is idle."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return False
    points = [line.split()[1:3] for line in mounts.read_text(encoding="utf-8").splitlines()]
    real = str(path.resolve())
    inside = [p for p in points if real == p[0] or real.startswith(p[0].rstrip("/") + "/")]
    return bool(inside) and max(inside, key=lambda p: len(p[0]))[1] == "tmpfs"
