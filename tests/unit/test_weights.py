"""Weight sets on disk: what was written is what is read, and nothing else is ever read."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from distrl.weights.files import (
    digest_of,
    manifest_from_json,
    manifest_to_json,
    read_weights,
    receive_weights,
    require_newer,
    write_weights,
)
from distrl.weights.manifest import WeightError, WeightManifest

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool]


def some_tensors(seed: int = 0) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return {
        "b.weight": torch.randn(7, 5, generator=generator),
        "a.weight": torch.randn(300, generator=generator).to(torch.bfloat16),
        "a.bias": torch.randn(3, 2, 2, generator=generator, dtype=torch.float64).transpose(0, 2),
    }


def write(folder: Path, version: int = 0, seed: int = 0, **options: int) -> WeightManifest:
    return write_weights(
        some_tensors(seed), str(folder), version=version, kind="policy", source_version=version, **options
    )


def same(left: dict[str, torch.Tensor], right: dict[str, torch.Tensor]) -> bool:
    return left.keys() == right.keys() and all(
        left[k].dtype == right[k].dtype and torch.equal(left[k], right[k]) for k in left
    )


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shapes=st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=1, max_size=5),
    dtypes=st.lists(st.sampled_from(DTYPES), min_size=5, max_size=5),
    max_part_bytes=st.integers(1, 400),
)
def test_any_tensors_in_any_number_of_parts_come_back_bit_for_bit(tmp_path, shapes, dtypes, max_part_bytes):
    tensors = {
        f"t{i}": torch.randint(0, 2, shape).to(dtype)
        for i, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=False))
    }
    manifest = write_weights(
        tensors, str(tmp_path), version=1, kind="policy", source_version=1, max_part_bytes=max_part_bytes
    )
    assert same(read_weights(manifest), tensors)
    order = [name for name, tensor in read_weights(manifest).items() if tensor.numel()]
    assert order == [name for name, tensor in tensors.items() if tensor.numel()]  # that of the layers
    assert manifest.bytes == sum(os.path.getsize(p.path) for p in manifest.parts)


def test_the_files_are_safetensors_and_the_hash_is_of_their_bytes(tmp_path):
    import hashlib

    manifest = write(tmp_path)
    (part,) = manifest.parts
    assert same(load_file(part.path), some_tensors())
    assert hashlib.sha256(Path(part.path).read_bytes()).hexdigest() == part.sha256


def test_equal_weights_have_equal_digests_and_other_weights_another(tmp_path):
    first, again, other = (
        write(tmp_path / "a"),
        write(tmp_path / "b", version=4),
        write(tmp_path / "c", seed=1),
    )
    assert first.digest == again.digest != other.digest


@pytest.mark.parametrize("place", ["header", "middle", "last byte"])
def test_a_flipped_bit_anywhere_is_refused(tmp_path, place):
    manifest = write(tmp_path, max_part_bytes=200)
    path = Path(manifest.parts[-1].path)
    data = bytearray(path.read_bytes())
    data[{"header": 20, "middle": len(data) // 2, "last byte": -1}[place]] ^= 1
    path.write_bytes(data)
    with pytest.raises(WeightError, match="sha256"):
        read_weights(manifest)


def test_a_torn_part_is_refused(tmp_path):
    manifest = write(tmp_path)
    os.truncate(manifest.parts[0].path, manifest.bytes - 1)
    with pytest.raises(WeightError, match=f"{manifest.bytes} were announced"):
        read_weights(manifest)
    os.truncate(manifest.parts[0].path, 0)
    with pytest.raises(WeightError, match="0 bytes"):
        read_weights(manifest)


def test_a_missing_part_is_refused(tmp_path):
    manifest = write(tmp_path, max_part_bytes=200)
    Path(manifest.parts[1].path).unlink()
    with pytest.raises(WeightError, match="part-00001"):
        read_weights(manifest)


def test_a_set_without_one_of_its_parts_is_refused(tmp_path):
    manifest = write(tmp_path, max_part_bytes=200)
    with pytest.raises(WeightError, match="digest"):
        read_weights(replace(manifest, parts=manifest.parts[:-1]))
    with pytest.raises(WeightError, match="digest"):
        read_weights(replace(manifest, parts=(), digest=digest_of(())))


def test_parts_in_another_order_are_refused(tmp_path):
    manifest = write(tmp_path, max_part_bytes=200)
    with pytest.raises(WeightError, match="digest"):
        read_weights(replace(manifest, parts=manifest.parts[::-1]))


def test_an_older_set_under_a_newer_name_is_refused(tmp_path):
    old, new = write(tmp_path, version=1), write(tmp_path, version=2, seed=1)
    Path(new.parts[0].path).write_bytes(Path(old.parts[0].path).read_bytes())
    with pytest.raises(WeightError, match="sha256"):
        read_weights(new)


def test_versions_only_rise(tmp_path):
    manifest = write(tmp_path, version=3)
    require_newer(manifest, 2)
    for served in (3, 4):
        with pytest.raises(WeightError, match=f"version 3 is not newer than {served}"):
            require_newer(manifest, served)


def test_the_manifest_on_disk_is_the_manifest_that_was_returned(tmp_path):
    manifest = write(tmp_path, version=5)
    assert manifest_from_json((tmp_path / "policy-00000005" / "manifest.json").read_text()) == manifest


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 1}', manifest_to_json.__name__])
def test_a_torn_manifest_is_refused(text):
    with pytest.raises(WeightError, match="manifest"):
        manifest_from_json(text)


def test_a_write_that_fails_leaves_the_older_set_and_no_half_set(tmp_path):
    manifest = write(tmp_path, version=1)
    with pytest.raises(ValueError, match="complex64"):
        write_weights(
            {"good": torch.ones(2), "bad": torch.ones(2, dtype=torch.complex64)},
            str(tmp_path),
            version=2,
            kind="policy",
            source_version=2,
        )
    assert same(read_weights(manifest), some_tensors())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["policy-00000001"]


def test_nothing_to_write_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no tensors"):
        write_weights({}, str(tmp_path), version=0, kind="policy", source_version=0)


def test_the_last_two_versions_of_each_kind_are_kept(tmp_path):
    teacher = write_weights(some_tensors(), str(tmp_path), version=0, kind="teacher", source_version=0)
    manifests = [write(tmp_path, version=v, seed=v) for v in range(5)]
    assert sorted(p.name for p in tmp_path.glob("policy-*")) == ["policy-00000003", "policy-00000004"]
    assert same(read_weights(manifests[3]), some_tensors(3))
    assert same(read_weights(teacher), some_tensors())


def test_a_reader_keeps_its_tensors_when_the_set_is_removed(tmp_path):
    read = read_weights(write(tmp_path, version=0))
    for version in (1, 2, 3):
        write(tmp_path, version=version, seed=version)
    assert same(read, some_tensors())


def test_publishing_the_same_version_again_replaces_it(tmp_path):
    write(tmp_path, version=1)
    again = write(tmp_path, version=1, seed=9)
    assert same(read_weights(again), some_tensors(9))


def test_parts_that_came_over_the_network_are_verified_like_any_other(tmp_path):
    import numpy as np

    manifest = write(tmp_path / "home", version=2, max_part_bytes=200)
    parts = [np.fromfile(p.path, dtype=np.uint8) for p in manifest.parts]
    local = receive_weights(manifest, parts, str(tmp_path / "away"))
    assert local.digest == manifest.digest and all("away" in p.path for p in local.parts)
    assert same(read_weights(local), some_tensors())
    parts[0][-1] ^= 1
    with pytest.raises(WeightError, match="sha256"):
        read_weights(receive_weights(manifest, parts, str(tmp_path / "away")))
