"""All engines of a run: rolling publish, gauges, stop.

tasks -> EnvWorker[N] <-> [Engine[M]] <- Weights <- Learner

While one engine loads, the others sample. What an engine says it serves is checked here again.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

import ray

from distrl.engine.protocol import RefreshReport
from distrl.fleet.waiting import FleetError, fetch
from distrl.weights.manifest import WeightError, WeightManifest

STOP_TIMEOUT_S = 30.0


class EnginePool:
    """`engines`: name → handle of an `EngineActor`. Every wait ends after `timeout_s`, naming the engine."""

    def __init__(self, engines: dict[str, Any], timeout_s: float) -> None:
        if not engines:
            raise ValueError("EnginePool: no engines were given")
        self.engines = dict(engines)
        self._timeout_s = timeout_s
        self._nodes: dict[str, str] = {}
        self.served: dict[str, tuple[int, str]] = {}  # version and digest that each engine confirmed

    def publish(self, manifest: WeightManifest, learner: Any, mode: str) -> list[RefreshReport]:
        """Refresh one engine after the other; raises WeightError when one serves another digest or version.

        Engines on the learner's node read its files; others get the bytes from `learner.part_bytes`. Engines
        that serve this very set already are left alone: a step that changed no weight publishes nothing.
        """
        home = self._node_of("learner", learner)
        return [self._publish_to(name, manifest, learner, home, mode) for name in self.behind(manifest)]

    def behind(self, manifest: WeightManifest) -> list[str]:
        """Engines that did not confirm this version with this digest yet."""
        wanted = (manifest.version, manifest.digest)
        return [name for name in self.engines if self.served.get(name) != wanted]

    def _publish_to(
        self, name: str, manifest: WeightManifest, learner: Any, home: str, mode: str
    ) -> RefreshReport:
        engine = self.engines[name]
        if self._node_of(name, engine) == home:
            ref = engine.refresh.remote(manifest, mode)
        else:
            ref = engine.refresh_from.remote(manifest, learner, mode)
        report: RefreshReport = fetch(ref, f"{name} to load version {manifest.version}", self._timeout_s)
        if (report.version, report.digest) != (manifest.version, manifest.digest):
            raise WeightError(
                f"{name} serves version {report.version} ({report.digest[:12]}), but version "
                f"{manifest.version} ({manifest.digest[:12]}) was published"
            )
        self.served[name] = (report.version, report.digest)
        return report

    def _node_of(self, name: str, actor: Any) -> str:
        key = actor._actor_id.hex()
        if key not in self._nodes:
            ref = actor.__ray_call__.remote(lambda self: ray.get_runtime_context().get_node_id())
            self._nodes[key] = fetch(ref, f"the node of {name}", self._timeout_s)
        return self._nodes[key]

    def gauges(self) -> dict[str, float]:
        """Every engine's gauges, as `<engine>/<gauge>`."""
        refs = {name: engine.gauges.remote() for name, engine in self.engines.items()}
        return {
            f"{name}/{gauge}": value
            for name, ref in refs.items()
            for gauge, value in fetch(ref, f"the gauges of {name}", self._timeout_s).items()
        }

    def stop(self) -> None:
        """Stop every engine in good order, then end its actor; one that is dead or silent is ended too."""
        deadline = time.monotonic() + STOP_TIMEOUT_S  # one for all of them
        refs = {name: engine.stop.remote() for name, engine in self.engines.items()}
        for name, ref in refs.items():
            with contextlib.suppress(FleetError):
                fetch(ref, f"{name} to stop", deadline - time.monotonic())
        for engine in self.engines.values():
            ray.kill(engine)
