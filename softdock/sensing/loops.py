"""Compiled loops over the points of a scan. Scans have hundreds of points, and a registration looks at them dozens of
times: as expressions of NumPy, the calls took longer than their arithmetic."""

import math
from typing import NamedTuple

import numpy as np

from softdock.contact.vectors import cross, dot, minus, norm, of_transposed, plus, row, times, upright, vector
from softdock.contact.vectors import turned as turned_by
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, cholesky, cholesky_solve

FLAT = 1e-9
"""Distance (m) of an edge below which a point lies on it."""
NEIGHBOURS = 3
"""Samples of the visible surface whose triangles may hold the nearest point."""
CELLS, SHELLS = 32, 5
"""Of a grid, along its longest side; shells of cells that are looked at about a point."""
GRAZING = 1e-3
"""Least cosine of incidence that heights above curved facets are divided by."""


class Facets(NamedTuple):
    """The triangles of a surface, of n each."""

    corners: np.ndarray
    """(n, 3, 3) (m)."""
    edges: np.ndarray
    """(n, 3, 3): from each corner to the next (m)."""
    normals: np.ndarray
    """(n, 3): outward unit vectors (-)."""
    offsets: np.ndarray
    """(n): of their planes from the origin along them (m)."""
    inward: np.ndarray
    """(n, 3, 3): unit vectors in the plane, off each edge (-)."""
    least: np.ndarray
    """(n, 3): what a point within has along those at least (m)."""
    smooth: np.ndarray
    """(n, 3, 3): normals at the corners of the surface that they stand for (-)."""
    is_curved: np.ndarray
    """(n): whether those differ from their own."""


@njit(cache=True, nogil=True)
def _about(axis, c, s, a):
    """a turned about a unit axis, by an angle with that cosine and sine: Rodrigues' formula."""
    along, across = times(dot(axis, a), axis), cross(axis, a)
    return plus(plus(along, c, minus(a, along)), s, across)


@njit(cache=True, nogil=True)
def _rate_of(w):
    """|w| and the unit vector along w."""
    rate = norm(vector(w))
    return rate, times(1.0 / rate, vector(w)) if rate > 0.0 else (0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def _part(A, f, k):
    """Row k of facet f: without a view, whose making would take longer than what is done with it."""
    return (A[f, k, 0], A[f, k, 1], A[f, k, 2])


@njit(cache=True, nogil=True)
def _set(A, i, a):
    A[i, 0], A[i, 1], A[i, 2] = a[0], a[1], a[2]


@njit(cache=True, nogil=True)
def turned(x, w, t):
    """exp(w t) x for each row."""
    rate, axis = _rate_of(w)
    out = np.empty(x.shape)
    for i in range(len(x)):
        angle = rate * t[i]
        _set(out, i, _about(axis, math.cos(angle), math.sin(angle), row(x, i)) if rate > 0.0 else row(x, i))
    return out


class Beams(NamedTuple):
    """Rays that leave a camera one after the other, while the target's frame B turns about an axis and drifts, and what
    is at their ranges: m of each."""

    directions: np.ndarray
    """(m, 3): in the camera's frame (-)."""
    ranges: np.ndarray
    """(m) (m)."""
    times: np.ndarray
    """(m) (s)."""
    axis: np.ndarray
    """(3): the unit vector in B about which it turns (-)."""
    cosines: np.ndarray
    """(m): of how far it has turned by then (-)."""
    sines: np.ndarray
    """(m) (-)."""
    drift: np.ndarray
    """(3): the velocity of B in the camera's frame (m/s)."""


@njit(cache=True, nogil=True)
def beams(directions, ranges, t, w, v):
    """Of a target that moves by w and v."""
    rate, along = _rate_of(w)
    axis, cosines, sines = np.empty(3), np.ones(len(t)), np.zeros(len(t))
    axis[0], axis[1], axis[2] = along
    if rate > 0.0:
        for i in range(len(t)):
            cosines[i], sines[i] = math.cos(rate * t[i]), math.sin(rate * t[i])
    return Beams(directions, ranges, t, axis, cosines, sines, v)


@njit(cache=True, nogil=True)
def ray_at(beams, R, p, i):
    """Origin and direction in B of a ray that leaves the camera at its time t, when B moves from (R, p), and what is at
    its range.

    R(t) = R exp(w t) and p(t) = p + v t, so that a vector of the camera's is exp(−w t) Rᵀ of it in B.
    """
    axis, c, s = vector(beams.axis), beams.cosines[i], -beams.sines[i]
    origin = of_transposed(R, times(-1.0, plus(vector(p), beams.times[i], vector(beams.drift))))
    origin, direction = _about(axis, c, s, origin), _about(axis, c, s, of_transposed(R, row(beams.directions, i)))
    return origin, direction, plus(origin, beams.ranges[i], direction)


@njit(cache=True, nogil=True)
def rays(beams, R, p, part):
    """Origins and directions in B of the rays `part`, and what is at their ranges."""
    o, d, x = np.empty((len(part), 3)), np.empty((len(part), 3)), np.empty((len(part), 3))
    for k in range(len(part)):
        origin, direction, point = ray_at(beams, R, p, part[k])
        _set(o, k, origin)
        _set(d, k, direction)
        _set(x, k, point)
    return o, d, x


@njit(cache=True, nogil=True)
def begin_at(o, d, center, radius, begin, single):
    """As `begun`, of one ray."""
    towards = minus(vector(center), o)
    start = plus(times(-1.0, towards), max(dot(towards, d) - 1.01 * radius, 0.0), d)
    for k in range(3):
        begin[k], single[k] = start[k], d[k]


@njit(cache=True, nogil=True)
def begun(origins, directions, center, radius):
    """Where rays may first meet a mesh within that ball, about its centre, and their directions, in single precision.
    The origins are (n, 3), or (1, 3) for all."""
    begin, single = np.empty(directions.shape, np.float32), np.empty(directions.shape, np.float32)
    for i in range(len(directions)):
        begin_at(row(origins, i if len(origins) > 1 else 0), row(directions, i), center, radius, begin[i], single[i])
    return begin, single


@njit(cache=True, nogil=True)
def _is_within(facets, f, x):
    inward, least = facets.inward, facets.least
    return (
        dot(_part(inward, f, 0), x) >= least[f, 0]
        and dot(_part(inward, f, 1), x) >= least[f, 1]
        and dot(_part(inward, f, 2), x) >= least[f, 2]
    )


@njit(cache=True, nogil=True)
def reached(facets, triangle, origins, directions):
    """Distance of the plane of each ray's triangle along it (inf where it has none), and whether the triangle is there
    as single precision had it."""
    distance, is_sure = np.empty(len(directions)), np.empty(len(directions), np.bool_)
    for i in range(len(directions)):
        f = triangle[i]
        distance[i], is_sure[i] = np.inf, True
        if f >= 0:
            o, d, n = row(origins, i if len(origins) > 1 else 0), row(directions, i), row(facets.normals, f)
            distance[i] = (facets.offsets[f] - dot(n, o)) / dot(n, d)
            is_sure[i] = _is_within(facets, f, plus(o, distance[i], d))
    return distance, is_sure


@njit(cache=True, nogil=True)
def _normal_at(facets, f, x):
    """Of the surface that facet f stands for, at a point of it."""
    if not facets.is_curved[f]:
        return row(facets.normals, f)
    total = (0.0, 0.0, 0.0)
    for k in range(3):  # edge k is opposite to corner k + 2
        inward, corner, opposite = _part(facets.inward, f, k), _part(facets.corners, f, k), (k + 2) % 3
        height = dot(inward, minus(_part(facets.corners, f, opposite), corner))
        weight = dot(inward, minus(x, corner)) / max(height, 1e-12)
        total = plus(total, min(max(weight, 0.0), 1.0), _part(facets.smooth, f, opposite))
    return times(1.0 / max(norm(total), 1e-12), total)


@njit(cache=True, nogil=True)
def normals_at(facets, triangles, points):
    """As `Surface.normal_at`."""
    out = np.empty(points.shape)
    for i in range(len(points)):
        _set(out, i, _normal_at(facets, triangles[i], row(points, i)))
    return out


@njit(cache=True, nogil=True)
def heights(facets, triangle, d, x):
    """Of points above the facets that their rays meet (m; inf where none), and cosines of incidence (< 0)."""
    above, slope = np.empty(len(x)), np.empty(len(x))
    for i in range(len(x)):
        f = triangle[i]
        above[i], slope[i] = np.inf, -1.0
        if f >= 0:
            n = row(facets.normals, f)
            above[i], slope[i] = dot(n, row(x, i)) - facets.offsets[f], dot(n, row(d, i))
    return above, slope


@njit(cache=True, nogil=True)
def _off_edge(facets, f, k, x):
    """From the nearest point of edge k of facet f to x."""
    edge, away = _part(facets.edges, f, k), minus(x, _part(facets.corners, f, k))
    along = min(max(dot(away, edge) / dot(edge, edge), 0.0), 1.0)
    return plus(away, -along, edge)


class Binned(NamedTuple):
    """Points in the order of the cells of a grid about them: those of cell c are from `begins[c]` on, to before
    `begins[c + 1]`."""

    points: np.ndarray
    """(n, 3) (m)."""
    low: np.ndarray
    """Where the grid begins (m)."""
    size: float
    """Of a cell (m)."""
    counts: np.ndarray
    """Of cells along each axis (-)."""
    begins: np.ndarray
    order: np.ndarray
    """Which point each of them is."""


@njit(cache=True, nogil=True)
def _cell_along(x, count):
    """Of a place in units of cells, the nearest that there is; the first of no number."""
    return 0 if not x > 0.0 else (count - 1 if x >= count else int(x))


@njit(cache=True, nogil=True)
def _cell_of(binned, x):
    low, counts = binned.low, binned.counts
    return (
        _cell_along((x[0] - low[0]) / binned.size, counts[0]),
        _cell_along((x[1] - low[1]) / binned.size, counts[1]),
        _cell_along((x[2] - low[2]) / binned.size, counts[2]),
    )


@njit(cache=True, nogil=True)
def _place_of(counts, a, b, c):
    return (a * counts[1] + b) * counts[2] + c


@njit(cache=True, nogil=True)
def binned_of(points):
    """Of at least one point."""
    low, high, counts = np.empty(3), np.empty(3), np.empty(3, np.int64)
    for k in range(3):
        low[k] = high[k] = points[0, k]
        for i in range(len(points)):
            low[k], high[k] = min(low[k], points[i, k]), max(high[k], points[i, k])
    size = max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-9) / CELLS
    for k in range(3):
        counts[k] = int((high[k] - low[k]) / size) + 1
    begins, order = np.zeros(counts[0] * counts[1] * counts[2] + 1, np.int64), np.empty(len(points), np.int64)
    ordered, cells = np.empty(points.shape), np.empty(len(points), np.int64)
    binned = Binned(ordered, low, size, counts, begins, order)
    for i in range(len(points)):
        a, b, c = _cell_of(binned, row(points, i))
        cells[i] = _place_of(counts, a, b, c)
        begins[cells[i]] += 1
    total = 0
    for c in range(len(begins)):  # the ends of the cells, from which they are filled down to where they begin
        total += begins[c]
        begins[c] = total
    for i in range(len(points) - 1, -1, -1):
        begins[cells[i]] -= 1
        order[begins[cells[i]]] = i
        _set(ordered, begins[cells[i]], row(points, i))
    return binned


@njit(cache=True, nogil=True)
def _look_into(binned, first, last, x, found, square):
    """Put the points of cells, which follow each other, that are nearer than those found before into their order."""
    for k in range(binned.begins[first], binned.begins[last + 1]):
        a, b, c = binned.points[k, 0] - x[0], binned.points[k, 1] - x[1], binned.points[k, 2] - x[2]
        d = a * a + b * b + c * c
        if d < square[NEIGHBOURS - 1]:
            place = NEIGHBOURS - 1
            while place > 0 and d < square[place - 1]:
                square[place], found[place] = square[place - 1], found[place - 1]
                place -= 1
            square[place], found[place] = d, binned.order[k]


@njit(cache=True, nogil=True)
def _beyond(binned, x, axis, cell):
    """How far a place is off a layer of cells across an axis."""
    low = binned.low[axis] + cell * binned.size
    return max(low - x[axis], x[axis] - low - binned.size, 0.0)


@njit(cache=True, nogil=True)
def _look_about(binned, x, found, square):
    """The nearest points to x, the first first, in shells of cells about the one that is nearest to x; or among all, if
    there may be nearer ones than those in the first shells.

    Points beyond r shells are at least r cells from the place in the grid that is nearest to x, and by the angle there
    that much farther from x than that is.
    """
    counts = binned.counts
    for k in range(NEIGHBOURS):
        found[k], square[k] = -1, np.inf
    a, b, c = _cell_of(binned, x)
    outside = 0.0
    for k in range(3):
        beyond = max(binned.low[k] - x[k], x[k] - binned.low[k] - counts[k] * binned.size, 0.0)
        outside += beyond * beyond
    for r in range(SHELLS):
        below, above = max(c - r, 0), min(c + r, counts[2] - 1)
        for i in range(max(a - r, 0), min(a + r + 1, counts[0])):
            across = _beyond(binned, x, 0, i)
            for j in range(max(b - r, 0), min(b + r + 1, counts[1])):
                aside = _beyond(binned, x, 1, j)
                if across * across + aside * aside > square[NEIGHBOURS - 1]:
                    continue
                line = _place_of(counts, i, j, 0)
                if r == 0 or abs(i - a) == r or abs(j - b) == r:
                    _look_into(binned, line + below, line + above, x, found, square)
                    continue
                if c - r >= 0:
                    _look_into(binned, line + below, line + below, x, found, square)
                if c + r < counts[2]:
                    _look_into(binned, line + above, line + above, x, found, square)
        if square[NEIGHBOURS - 1] <= outside + (r * binned.size) ** 2:
            return
    if max(counts[0], counts[1], counts[2]) > SHELLS:
        for k in range(NEIGHBOURS):
            found[k], square[k] = -1, np.inf
        _look_into(binned, 0, len(binned.begins) - 2, x, found, square)


@njit(cache=True, nogil=True)
def _neighbours_of(binned, x, found, square):
    """The nearest of binned points, nearest first, that again where there are fewer."""
    _look_about(binned, x, found, square)
    for k in range(NEIGHBOURS):
        if found[k] < 0:
            found[k] = max(found[0], 0)


@njit(cache=True, nogil=True)
def neighbours(binned, points):
    """Indices (n, NEIGHBOURS) of the nearest of binned points."""
    out, square = np.empty((len(points), NEIGHBOURS), np.int64), np.empty(NEIGHBOURS)
    for i in range(len(points)):
        _neighbours_of(binned, row(points, i), out[i], square)
    return out


@njit(cache=True, nogil=True)
def _closest_of(facets, x, candidates):
    """Signed distance of a point to the nearest of some triangles, and its gradient."""
    best, found, lies_over, off = np.inf, candidates[0], False, (0.0, 0.0, 0.0)
    for c in range(len(candidates)):
        f = candidates[c]
        if c > 0 and (f == candidates[c - 1] or f == candidates[0]):  # samples on one facet
            continue
        least, away = np.inf, (0.0, 0.0, 0.0)
        for k in range(3):
            to = _off_edge(facets, f, k, x)
            square = dot(to, to)
            if square < least:
                least, away = square, to
        is_over = _is_within(facets, f, x)
        height = dot(row(facets.normals, f), x) - facets.offsets[f]
        square = height * height if is_over else least
        if square < best:
            best, found, lies_over, off = square, f, is_over, away
    length = norm(off)
    if lies_over or length < FLAT:
        return dot(row(facets.normals, found), x) - facets.offsets[found], _normal_at(facets, found, x)
    return length, times(1.0 / length, off)


@njit(cache=True, nogil=True)
def closest(facets, points, candidates):
    """As `Surface.closest`."""
    distance, gradient = np.empty(len(points)), np.empty(points.shape)
    for i in range(len(points)):
        distance[i], off = _closest_of(facets, row(points, i), candidates[i])
        _set(gradient, i, off)
    return distance, gradient


class Visible(NamedTuple):
    """Samples of a surface that is seen, and its facets."""

    facets: Facets
    samples: Binned
    triangles: np.ndarray
    """The facet that each sample is on."""


@njit(cache=True, nogil=True)
def drawn_to(visible, x, found, square):
    """Distance of a point to the visible surface, and its gradient, by the facets of the nearest samples."""
    _neighbours_of(visible.samples, x, found, square)
    for k in range(NEIGHBOURS):
        found[k] = visible.triangles[found[k]]
    return _closest_of(visible.facets, x, found)


@njit(cache=True, nogil=True)
def add_row(R, normal, x, e, w, s, rows, H, g):
    """One row of normal equations, added to the lower half of H and to g: of a residual e with a weight w, whose
    derivative is that of n·x over s.

    d(n·x)/d(δ, ε) of points x = exp(−δ) Rᵀ (x_C − p − ε) in B is (n × x, −R n).
    """
    root, turn = math.sqrt(w), cross(normal, x)
    for k in range(3):
        rows[k] = turn[k] / s * root
        rows[3 + k] = -(R[k, 0] * normal[0] + R[k, 1] * normal[1] + R[k, 2] * normal[2]) / s * root
    for j in range(6):
        g[j] += rows[j] * (root * e)
        for k in range(j + 1):
            H[j, k] += rows[j] * rows[k]


@njit(cache=True, nogil=True)
def mirror(H):
    """The upper half of a symmetric matrix, by its lower."""
    for j in range(len(H)):
        for k in range(j):
            H[k, j] = H[j, k]


@njit(cache=True, nogil=True)
def shared_normals(triangles, normals, order, begins, least):
    """Normals (n, 3, 3) at the corners of triangles: means, weighted by area, of those that meet there with a cosine
    above `least`. order[begins[v]] to order[begins[v + 1] − 1] are the corners that share place v."""
    out, area = np.empty(triangles.shape), np.empty(len(triangles))
    for f in range(len(triangles)):
        a = row(triangles[f], 0)
        area[f] = norm(cross(minus(row(triangles[f], 1), a), minus(row(triangles[f], 2), a)))
    for v in range(len(begins) - 1):
        for i in range(begins[v], begins[v + 1]):
            own = row(normals, order[i] // 3)
            total = (0.0, 0.0, 0.0)
            for j in range(begins[v], begins[v + 1]):
                other = order[j] // 3
                if dot(own, row(normals, other)) > least:
                    total = plus(total, area[other], row(normals, other))
            _set(out[order[i] // 3], order[i] % 3, times(1.0 / norm(total), total))
    return out


@njit(cache=True, nogil=True)
def solve_step(H, g, scale, hold, A, step):
    """−(H + hold)⁻¹ g of scaled unknowns into `step`; the hold is relative to the mean of H's diagonal. A (6, 6) is
    room for the factor."""
    trace = 0.0
    for i in range(6):
        step[i] = -g[i] * scale[i]
        for j in range(6):
            A[i, j] = H[i, j] * scale[i] * scale[j]
        trace += A[i, i]
    for i in range(6):
        A[i, i] += hold * trace / 6 + 1e-300
    if not cholesky(A):
        for i in range(6):
            step[i] = np.nan
    cholesky_solve(A, step)


@njit(cache=True, nogil=True)
def _window(corners, eye, x, y, z, near):
    """Bounds of x/z and of y/z, along axes at `eye`, of triangles' corners; 2.5 either way if some are nearer than
    `near` along z: among the target's parts, look wide."""
    low_x, high_x, low_y, high_y = np.inf, -np.inf, np.inf, -np.inf
    for f in range(len(corners)):
        for k in range(3):
            away = minus(row(corners[f], k), eye)
            ahead = dot(z, away)
            if not ahead > near:
                return -2.5, 2.5, -2.5, 2.5
            across, down = dot(x, away) / ahead, dot(y, away) / ahead
            low_x, high_x, low_y, high_y = min(low_x, across), max(high_x, across), min(low_y, down), max(high_y, down)
    return low_x, high_x, low_y, high_y


@njit(cache=True, nogil=True)
def looking(corners, eye, center, radius, count):
    """Unit directions (n, 3) of about `count` rays from `eye`, spread evenly over a window that just holds triangles
    about a centre."""
    at = vector(eye)
    z = minus(vector(center), at)
    z = times(1.0 / max(norm(z), 1e-9), z)
    x = upright(z)
    y = cross(z, x)
    low_x, high_x, low_y, high_y = _window(corners, at, x, y, z, 0.05 * radius)
    columns = int(min(max(math.sqrt(count * (high_x - low_x) / (high_y - low_y)), 4.0), count / 4))
    lines = count // columns
    out = np.empty((columns * lines, 3))
    for i in range(lines):
        down = low_y + (high_y - low_y) * (i + 0.5) / lines
        for j in range(columns):
            across = low_x + (high_x - low_x) * (j + 0.5) / columns
            d = plus(plus(z, across, x), down, y)
            _set(out, i * columns + j, times(1.0 / norm(d), d))
    return out


@njit(cache=True, nogil=True)
def hits(eye, directions, distance, triangle):
    """Points on the triangles that rays from `eye` meet, and these triangles."""
    points, triangles, count = np.empty(directions.shape), np.empty(len(triangle), np.int64), 0
    for i in range(len(triangle)):
        if triangle[i] >= 0:
            _set(points, count, plus(vector(eye), distance[i], row(directions, i)))
            triangles[count] = triangle[i]
            count += 1
    return points[:count], triangles[:count]


BLOCK = 32
"""Points that are looked at together, side by side in the processor's vectors."""


class Views(NamedTuple):
    """Points of a surface as seen from several sides, of n blocks in all: those of view k are from block `begins[k]` to
    before block `begins[k + 1]`, of which the last is filled with points that are far away."""

    places: np.ndarray
    """(n, 3, BLOCK), of single precision (m)."""
    points: np.ndarray
    """(n BLOCK, 3) (m)."""
    normals: np.ndarray
    """(n BLOCK, 3): unit vectors (-)."""
    begins: np.ndarray


def views_of(points: list[np.ndarray], normals: list[np.ndarray]) -> Views:
    """Of the points and normals that each view has."""
    blocks = [-(-len(part) // BLOCK) for part in points]
    filled = [np.pad(part, ((0, n * BLOCK - len(part)), (0, 0)), constant_values=1e9)
              for n, part in zip(blocks, points, strict=True)]  # fmt: skip
    every = np.concatenate(filled)
    across = [np.pad(part, ((0, n * BLOCK - len(part)), (0, 0))) for n, part in zip(blocks, normals, strict=True)]
    places = np.ascontiguousarray(every.reshape(-1, BLOCK, 3).transpose(0, 2, 1), dtype=np.float32)
    return Views(places, every, np.concatenate(across), np.cumsum([0, *blocks]))


@njit(cache=True, nogil=True, fastmath=FAST | {"nnan"})  # minima are found side by side
def _nearest(views, k, x):
    """The point of view k that is nearest to x."""
    a, b, c = np.float32(x[0]), np.float32(x[1]), np.float32(x[2])
    best, found = np.float32(1e30), views.begins[k]
    for block in range(views.begins[k], views.begins[k + 1]):
        places, least = views.places[block], np.float32(1e30)
        for i in range(BLOCK):
            square = (places[0, i] - a) ** 2 + (places[1, i] - b) ** 2 + (places[2, i] - c) ** 2
            least = min(least, square)
        if least < best:
            best, found = least, block
    places, least, i = views.places[found], np.float32(1e30), 0
    for j in range(BLOCK):
        square = (places[0, j] - a) ** 2 + (places[1, j] - b) ** 2 + (places[2, j] - c) ** 2
        if square < least:
            least, i = square, j
    return found * BLOCK + i


@njit(cache=True, nogil=True, fastmath=FAST)
def descend(views, view, x, R, p, width, softly):
    """One step of Gauss and Newton (n, 6), a turn in the target's frame and a shift in the scan's (m), of every pose
    (R, p) that is believed to be seen from `view`, towards points x of a scan, and its cost (n) before it.

    Distances along normals count, and others `softly`; points off by more than `width` count little.
    """
    step, cost = np.zeros((len(p), 6)), np.zeros(len(p))
    H, J, first, second = np.empty((6, 6)), np.empty(6), np.empty(3), np.empty((3, 3))
    for s in range(len(p)):
        H[:], first[:], second[:], total, g, R_s = 0.0, 0.0, 0.0, 0.0, step[s], R[s]
        for i in range(len(x)):
            body = of_transposed(R_s, minus(row(x, i), row(p, s)))
            found = _nearest(views, view[s], body)
            n, apart = row(views.normals, found), minus(body, row(views.points, found))
            square = dot(apart, apart) / width**2
            w = 1.0 / (1.0 + square) ** 2
            cost[s] += square / (1.0 + square) / len(x)
            turn, sideways, off = cross(n, body), cross(apart, body), dot(n, apart)
            total += w
            for a in range(3):
                J[a], J[3 + a] = turn[a], -n[a]
                g[a] -= w * (off * turn[a] + softly * sideways[a])
                g[3 + a] += w * (off * n[a] + softly * apart[a])
                first[a] += w * body[a]
                for b in range(3):
                    second[a, b] += w * body[a] * body[b]
            for a in range(6):
                for b in range(a + 1):
                    H[a, b] += w * J[a] * J[b]
        # along each axis e: J = (e × body, −e), summed over the three
        size = second[0, 0] + second[1, 1] + second[2, 2]
        for a in range(3):
            H[a, a] += softly * size + 1e-6
            H[3 + a, 3 + a] += softly * total + 1e-6
            for b in range(3):
                H[a, b] -= softly * second[a, b]
            b, c = (a + 1) % 3, (a + 2) % 3
            H[3 + b, c] += softly * first[a]
            H[3 + c, b] -= softly * first[a]
        if cholesky(H):
            cholesky_solve(H, g)
        else:
            g[:] = 0.0
        shift = turned_by(R_s, vector(g[3:]))
        for a in range(3):
            g[3 + a] = shift[a]
    return step, cost
