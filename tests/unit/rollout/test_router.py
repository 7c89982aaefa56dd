"""Routing: sticky, least-loaded, and never to an engine that is behind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.rollout.router import Router


def test_first_choice_is_the_least_loaded_and_then_it_sticks() -> None:
    router = Router(["a", "b"])
    router.set_versions({"a": 0, "b": 0})
    homes = [router.acquire(f"c{i}") for i in range(4)]
    assert sorted(homes) == ["a", "a", "b", "b"]
    for home in homes:
        router.release(home)
    assert router.acquire("c1") == homes[1] and router.acquire("c1") == homes[1], "load does not move it"
    router.forget("c1")
    assert router.acquire("c1") != homes[1]


def test_only_engines_at_the_newest_version_are_admitted() -> None:
    router = Router(["a", "b"])
    assert router.acquire("c") is None and "not announced" in router.describe()
    router.set_versions({"a": 4, "b": 4})
    home = router.acquire("c")
    other = "b" if home == "a" else "a"
    router.set_versions({home: 4, other: 5})
    assert router.acquire("c") == other and router.moves == 1
    assert router.describe() == "a at 4, b at 5; current version 5" or other == "a"
    router.set_versions({home: 5})
    assert router.acquire("c") == home, "an engine that is left out serves nobody"
    with pytest.raises(ValueError, match=r"unknown engines \['z'\]; known: \['a', 'b'\]"):
        router.set_versions({"z": 1})


def test_a_dead_engine_serves_nobody_until_it_is_announced_again() -> None:
    """Its requests fail at once, so by its load alone it would draw every new conversation."""
    router = Router(["a", "b"])
    assert not router.all_lost, "nothing was announced: that is a reason to wait"
    router.set_versions({"a": 1, "b": 1})
    home = router.acquire("c")
    other = "b" if home == "a" else "a"
    router.lose(home)
    assert router.acquire("c") == other and router.acquire("d") == other and not router.all_lost
    router.lose(other)
    assert router.acquire("e") is None and router.all_lost
    assert "a dead, b dead" in router.describe()
    router.set_versions({"a": 2, "b": 2})
    assert router.acquire("e") is not None


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["acquire", "release", "versions"]), st.integers(0, 5)), max_size=50)
)
def test_loads_are_the_requests_in_flight(operations: list[tuple[str, int]]) -> None:
    router, flying = Router(["a", "b", "c"]), []
    for name, number in operations:
        if name == "acquire":
            engine = router.acquire(f"c{number}")
            if engine is not None:
                assert engine in router.admissible()
                flying.append(engine)
        elif name == "release" and flying:
            router.release(flying.pop(number % len(flying)))
        elif name == "versions":
            router.set_versions({e: (number + k) % 2 for k, e in enumerate("abc") if (number >> k) & 1 == 0})
        assert router.loads() == {e: flying.count(e) for e in "abc"}
