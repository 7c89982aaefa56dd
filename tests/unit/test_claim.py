"""Claimed folders: a living owner's stays, a dead one's goes, and nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from distrl.weights.claim import claim_folder, sweep

OWNER = "import sys, time; from distrl.weights.claim import claim_folder; claim_folder(sys.argv[1]); print()"


def owner_of(folder: Path) -> subprocess.Popen[bytes]:
    """A process that holds `folder` and sleeps."""
    command = [sys.executable, "-c", f"{OWNER}; sys.stdout.flush(); time.sleep(60)", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline()
    return process


def test_the_next_claim_removes_what_a_killed_owner_left(tmp_path: Path) -> None:
    killed, living = owner_of(tmp_path / "distrl-killed"), owner_of(tmp_path / "distrl-living")
    try:
        (tmp_path / "distrl-killed" / "weights").mkdir()
        (tmp_path / "distrl-killed" / "weights" / "part").write_bytes(b"1" * 100)
        (tmp_path / "distrl-notes").mkdir()
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / ".owner").write_text("")
        assert sweep(str(tmp_path)) == [], "both owners live"
        killed.send_signal(signal.SIGKILL)
        killed.wait(timeout=10)
        os.close(claim_folder(str(tmp_path / "distrl-mine")))
        left = sorted(p.name for p in tmp_path.iterdir())
        assert left == ["distrl-living", "distrl-mine", "distrl-notes", "other"]
        assert (tmp_path / "distrl-mine" / ".owner").exists()
    finally:
        for process in (killed, living):
            process.kill()
            process.wait(timeout=10)
            process.stdout.close()


def test_a_claim_ends_when_its_descriptor_is_closed(tmp_path: Path) -> None:
    descriptor = claim_folder(str(tmp_path / "distrl-a"))
    assert sweep(str(tmp_path)) == []
    os.close(descriptor)
    assert sweep(str(tmp_path)) == [str(tmp_path / "distrl-a")]
    assert sweep(str(tmp_path / "nowhere")) == []
