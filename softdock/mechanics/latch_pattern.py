"""Which velocities each latch acts on, and an order of latches in which their system stays sparse.

S = A W⁻¹ Aᵀ couples two latches only if a tree of bodies carries both. With their rows ordered after Cuthill & McKee
(1969), its Cholesky factor is zero before the first latch that each is coupled with (its envelope).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softdock.mechanics.tree import WORLD_LINK, Tree

WRITTEN_OUT = 12
"""Up to so many rows the inverse of S is written out: a product with it takes less time than a solution with the
factor, each number of which waits for the one before."""


class LatchPattern(NamedTuple):
    """Lists of several latches stand one after the other: those of latch k from start[k] on."""

    order: np.ndarray
    """Rows of c in the order in which they are eliminated."""
    first: np.ndarray
    """Of every row in that order: where its envelope begins, likewise."""
    path_start: np.ndarray
    path: np.ndarray
    """Of every latch: velocities of the joints between its frames, on which c depends, as ranges (from, to before)."""
    reach_start: np.ndarray
    reach: np.ndarray
    """Likewise all velocities of the trees that carry its frames, where W⁻¹Aᵀ is not zero."""
    group_start: np.ndarray
    group: np.ndarray
    """Latches that share no tree, group by group: one solution with W serves a row of each."""


def latch_pattern(tree: Tree) -> LatchPattern:
    """Of a tree's latches, all engaged."""
    paths = [latch_path(tree, *(tree.places[end].link for end in ends)) for ends in _ends(tree)]
    root = _roots(tree)
    trees = [{root[k] for k in path} for path in paths]
    neighbours = _sharing(trees)
    order = _cuthill_mckee(neighbours)
    place = {latch: i for i, latch in enumerate(order)}
    counts = [len(rows) for rows in tree.latch_rows()]
    start, begins = np.cumsum([0, *counts]), np.cumsum([0, *(counts[k] for k in order)])
    first = [begins[min(place[other] for other in (k, *neighbours[k]))] for k in order]
    velocities = [[v for k in path for v in _own(tree, k)] for path in paths]
    reaches = [[v for k in range(len(tree.links)) if root[k] in own for v in _own(tree, k)] for own in trees]
    return LatchPattern(
        np.array([row for k in order for row in range(start[k], start[k + 1])], dtype=np.int64),
        np.array([at for k, at in zip(order, first, strict=True) for _ in range(counts[k])], dtype=np.int64),
        *_ranged(velocities),
        *_ranged(reaches),
        *_listed(_groups(trees)),
    )


def latch_path(tree: Tree, a: int, b: int) -> list[int]:
    """Links from the last that carries both a and b, which is not among them, to each of the two."""
    above = [set(_chain(tree, end)) for end in (a, b)]
    return sorted(above[0] ^ above[1])


def shared_base(tree: Tree, a: int, b: int) -> int:
    """The last link that carries both."""
    return max(set(_chain(tree, a)) & set(_chain(tree, b)), default=WORLD_LINK)


def _ends(tree: Tree) -> list[tuple[str, str]]:
    return [(latch.frame_a, latch.frame_b) for latch in tree.world.latches]


def _chain(tree: Tree, link: int) -> list[int]:
    """A link and all that carry it."""
    found = []
    while link != WORLD_LINK:
        found.append(link)
        link = tree.links[link].parent
    return found


def _roots(tree: Tree) -> list[int]:
    """The first link of every link's tree."""
    found: list[int] = []
    for k, link in enumerate(tree.links):
        found.append(k if link.parent == WORLD_LINK else found[link.parent])
    return found


def _own(tree: Tree, k: int) -> range:
    return range(tree.links[k].v, tree.links[k].v + tree.links[k].dof)


def _sharing(trees: list[set[int]]) -> list[set[int]]:
    """Of every latch: the others that a tree carries too."""
    of_tree: dict[int, set[int]] = {}
    for latch, own in enumerate(trees):
        for root in own:
            of_tree.setdefault(root, set()).add(latch)
    return [{other for root in own for other in of_tree[root]} - {k} for k, own in enumerate(trees)]


def _cuthill_mckee(neighbours: list[set[int]]) -> list[int]:
    """Breadth first from a latch with few neighbours, those with few first."""
    found: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(neighbours)), key=lambda k: len(neighbours[k])):
        queue = [] if start in seen else [start]
        seen.add(start)
        for k in queue:
            more = sorted(neighbours[k] - seen, key=lambda other: (len(neighbours[other]), other))
            seen.update(more)
            queue += more
        found += queue
    return found


def _groups(trees: list[set[int]]) -> list[list[int]]:
    """Each latch into the first group with which it shares no tree."""
    groups: list[tuple[list[int], set[int]]] = []
    for k, own in enumerate(trees):
        for members, taken in groups:
            if not taken & own:
                members.append(k)
                taken.update(own)
                break
        else:
            groups.append(([k], set(own)))
    return [members for members, _ in groups]


def _ranged(lists: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Lists of increasing numbers as lists of ranges. They have no sign: of an index that may be negative the compiler
    asks every time whether it is, and does not vectorise."""
    ranges = []
    for one in lists:
        found: list[list[int]] = []
        for x in one:
            if found and found[-1][1] == x:
                found[-1][1] += 1
            else:
                found.append([x, x + 1])
        ranges.append(found)
    start = np.cumsum([0, *map(len, ranges)], dtype=np.int64)
    return start, np.array([pair for found in ranges for pair in found], dtype=np.uint64).reshape(-1, 2)


def _listed(lists: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.cumsum([0, *map(len, lists)], dtype=np.int64),
        np.array([x for one in lists for x in one], dtype=np.int64),
    )
