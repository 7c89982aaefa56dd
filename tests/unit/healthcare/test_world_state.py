"""Digest and diff of a database."""

import copy
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.state import ABSENT, Change, diff, digest

DB = make_database(1, "stemi", others=1)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner, max_size=3),
    max_leaves=8,
)


def test_copy_has_the_digest_and_no_difference():
    other = copy.deepcopy(DB)
    assert digest(other) == digest(DB) and diff(DB, other) == []


def test_order_of_keys_does_not_matter():
    turned = json.loads(json.dumps(DB, sort_keys=True))
    assert list(turned) != list(DB) and digest(turned) == digest(DB)


def test_each_change_changes_the_digest_and_shows_in_the_diff():
    after = copy.deepcopy(DB)
    pid = target_of(DB)
    after["patients"][pid]["weight_kg"] = 1.5
    after["orders"].append({"order_id": "O1"})
    del after["unmeasured"][pid][0]
    changes = {c.path: c for c in diff(DB, after)}
    assert digest(after) != digest(DB)
    weight = changes[f"patients.{pid}.weight_kg"]
    assert (weight.before, weight.after) == (DB["patients"][pid]["weight_kg"], 1.5)
    assert changes["orders[0]"] == Change(path="orders[0]", before=ABSENT, after={"order_id": "O1"})
    assert any(c.after == ABSENT and c.path.startswith(f"unmeasured.{pid}[") for c in changes.values())


def test_true_and_one_differ():
    assert diff({"a": 1}, {"a": True}) != []


@given(VALUES, VALUES)
@settings(max_examples=30, deadline=None)
def test_diff_is_empty_exactly_when_the_digest_agrees(a, b):
    before, after = {"v": a}, {"v": b}
    assert (diff(before, after) == []) == (digest(before) == digest(after))
