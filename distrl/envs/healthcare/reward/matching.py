"""Maximum matching of a bipartite graph: how many expected calls were made, each by a call of its own.

edges -> [maximum_matching] -> process
"""

from __future__ import annotations

from collections.abc import Sequence


def maximum_matching(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """Left to right nodes of a largest matching; `edges[left]` lists the right nodes it may take.

    Augmenting paths (Kuhn 1955), O(left x edges). Which of several largest matchings is unsaid.
    """
    taken: dict[int, int] = {}  # right -> left
    for start in range(len(edges)):
        _augment(start, edges, taken)
    return {left: right for right, left in taken.items()}


def _augment(start: int, edges: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Breadth first from one left node to a free right node, then turn the path over."""
    came: dict[int, int] = {}  # right -> the left node it was reached from
    queue = [start]
    for left in queue:
        for right in edges[left]:
            if right in came:
                continue
            came[right] = left
            if right in taken:
                queue.append(taken[right])
                continue
            _turn(start, right, came, taken)
            return


def _turn(start: int, right: int, came: dict[int, int], taken: dict[int, int]) -> None:
    held = {left: r for r, left in taken.items()}
    while True:
        left = came[right]
        taken[right] = left
        if left == start:
            return
        right = held[left]
