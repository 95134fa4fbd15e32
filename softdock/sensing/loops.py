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


@njit(cache=True, nogil=True)
def rays(R, p, w, v, t, directions, ranges, part):
    """Origins and directions in B of the rays `part` that leave the camera at their times t, when B moves by w and v
    from (R, p), and what is at their ranges.

    R(t) = R exp(w t) and p(t) = p + v t, so that a vector of C is exp(−w t) Rᵀ of it in B.
    """
    rate, axis = _rate_of(w)
    o, d, x = np.empty((len(part), 3)), np.empty((len(part), 3)), np.empty((len(part), 3))
    for k in range(len(part)):
        i = part[k]
        origin = of_transposed(R, times(-1.0, plus(vector(p), t[i], vector(v))))
        direction = of_transposed(R, row(directions, i))
        if rate > 0.0:
            c, s = math.cos(rate * t[i]), -math.sin(rate * t[i])
            origin, direction = _about(axis, c, s, origin), _about(axis, c, s, direction)
        _set(o, k, origin)
        _set(d, k, direction)
        _set(x, k, plus(origin, ranges[i], direction))
    return o, d, x


@njit(cache=True, nogil=True)
def begun(origins, directions, center, radius):
    """Where rays may first meet a mesh within that ball, about its centre, and their directions, in single precision.
    The origins are (n, 3), or (1, 3) for all."""
    begin, single = np.empty(directions.shape, np.float32), np.empty(directions.shape, np.float32)
    for i in range(len(directions)):
        d, towards = row(directions, i), minus(vector(center), row(origins, i if len(origins) > 1 else 0))
        start = plus(times(-1.0, towards), max(dot(towards, d) - 1.01 * radius, 0.0), d)
        for k in range(3):
            begin[i, k], single[i, k] = start[k], d[k]
    return begin, single


@njit(cache=True, nogil=True)
def _is_within(facets, f, x):
    inward, least = facets.inward[f], facets.least[f]
    return (
        dot(row(inward, 0), x) >= least[0] and dot(row(inward, 1), x) >= least[1] and dot(row(inward, 2), x) >= least[2]
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
        inward, corner, opposite = row(facets.inward[f], k), row(facets.corners[f], k), (k + 2) % 3
        height = dot(inward, minus(row(facets.corners[f], opposite), corner))
        weight = dot(inward, minus(x, corner)) / max(height, 1e-12)
        total = plus(total, min(max(weight, 0.0), 1.0), row(facets.smooth[f], opposite))
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
def compared(facets, is_smooth, triangle, d, x, sigma, incidence):
    """Points against the facets that their rays meet: normals, heights in units of the noise along them (inf where a
    ray meets none), that noise (m), and where rays meet the facets, or the points. `is_smooth` says that some facets
    stand for curved surfaces."""
    normals, e, s, met = np.empty(x.shape), np.empty(len(x)), np.empty(len(x)), x.copy()
    for i in range(len(x)):
        f = triangle[i]
        e[i], s[i] = np.inf, sigma
        if f >= 0:
            n, ray, point = row(facets.normals, f), row(d, i), row(x, i)
            above, slope = dot(n, point) - facets.offsets[f], dot(n, ray)
            steep = min(slope, -GRAZING)
            _set(met, i, plus(point, -above / steep, ray))
            if is_smooth:
                n = _normal_at(facets, f, row(met, i))
                slope = dot(n, ray)
                above *= min(max(slope / steep, 0.2), 5.0)
            s[i] = sigma * max(-slope, incidence)
            e[i] = above / s[i]
            _set(normals, i, n)
    return normals, e, s, met


@njit(cache=True, nogil=True)
def _off_edge(facets, f, k, x):
    """From the nearest point of edge k of facet f to x."""
    edge, away = row(facets.edges[f], k), minus(x, row(facets.corners[f], k))
    along = min(max(dot(away, edge) / dot(edge, edge), 0.0), 1.0)
    return plus(away, -along, edge)


class Binned(NamedTuple):
    """Points by the cells of a grid about them: those of cell c are `order[begins[c] : begins[c + 1]]`."""

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
    binned, cells = Binned(points, low, size, counts, begins, order), np.empty(len(points), np.int64)
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
    return binned


@njit(cache=True, nogil=True)
def _look_into(binned, cell, x, found, square):
    """Put the points of a cell that are nearer than those found before into their order."""
    for k in range(binned.begins[cell], binned.begins[cell + 1]):
        i = binned.order[k]
        away = minus(row(binned.points, i), x)
        d = dot(away, away)
        if d < square[NEIGHBOURS - 1]:
            place = NEIGHBOURS - 1
            while place > 0 and d < square[place - 1]:
                square[place], found[place] = square[place - 1], found[place - 1]
                place -= 1
            square[place], found[place] = d, i


@njit(cache=True, nogil=True)
def _look_about(binned, x, found, square):
    """The nearest points to x, the first first, in shells of cells about the one that is nearest to x; False if there
    may be nearer ones than those in the first shells.

    Points beyond r shells are at least r cells from the place in the grid that is nearest to x, and by the angle there
    that much farther from x than that is.
    """
    counts = binned.counts
    a, b, c = _cell_of(binned, x)
    outside = 0.0
    for k in range(3):
        beyond = max(binned.low[k] - x[k], x[k] - binned.low[k] - counts[k] * binned.size, 0.0)
        outside += beyond * beyond
    for r in range(SHELLS):
        for i in range(max(a - r, 0), min(a + r + 1, counts[0])):
            for j in range(max(b - r, 0), min(b + r + 1, counts[1])):
                stride = 1 if r == 0 or abs(i - a) == r or abs(j - b) == r else 2 * r
                for k in range(c - r, c + r + 1, stride):
                    if 0 <= k < counts[2]:
                        _look_into(binned, _place_of(counts, i, j, k), x, found, square)
        if square[NEIGHBOURS - 1] <= outside + (r * binned.size) ** 2:
            return True
    return max(counts[0], counts[1], counts[2]) <= SHELLS


@njit(cache=True, nogil=True)
def neighbours(binned, points):
    """Indices (n, NEIGHBOURS) of the nearest of binned points, nearest first, that again where there are fewer; and
    whether they are: of what is far from all, too many cells would have to be looked at."""
    out, is_sure = np.empty((len(points), NEIGHBOURS), np.int64), np.empty(len(points), np.bool_)
    square = np.empty(NEIGHBOURS)
    for i in range(len(points)):
        found = out[i]
        for k in range(NEIGHBOURS):
            found[k], square[k] = -1, np.inf
        is_sure[i] = _look_about(binned, row(points, i), found, square)
        for k in range(NEIGHBOURS):
            if found[k] < 0:
                found[k] = max(found[0], 0)
    return out, is_sure


@njit(cache=True, nogil=True)
def closest(facets, points, candidates):
    """As `Surface.closest`."""
    distance, gradient = np.empty(len(points)), np.empty(points.shape)
    for i in range(len(points)):
        x, best, found, lies_over, off = row(points, i), np.inf, candidates[i, 0], False, (0.0, 0.0, 0.0)
        for c in range(candidates.shape[1]):
            f = candidates[i, c]
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
            distance[i] = dot(row(facets.normals, found), x) - facets.offsets[found]
            _set(gradient, i, _normal_at(facets, found, x))
        else:
            distance[i] = length
            _set(gradient, i, times(1.0 / length, off))
    return distance, gradient


@njit(cache=True, nogil=True)
def equations(R, n, x, e, w, s):
    """H, g and the weighted rows of H: of residuals e with weights w, whose derivatives are those of n·x over s.

    d(n·x)/d(δ, ε) of points x = exp(−δ) Rᵀ (x_C − p − ε) in B is (n × x, −R n).
    """
    H, g, rows = np.zeros((6, 6)), np.zeros(6), np.empty((len(x), 6))
    for i in range(len(x)):
        normal, root = row(n, i), math.sqrt(w[i])
        turn = cross(normal, row(x, i))
        for k in range(3):
            rows[i, k] = turn[k] / s[i] * root
            rows[i, 3 + k] = -(R[k, 0] * normal[0] + R[k, 1] * normal[1] + R[k, 2] * normal[2]) / s[i] * root
        for j in range(6):
            g[j] += rows[i, j] * (root * e[i])
            for k in range(j + 1):
                H[j, k] += rows[i, j] * rows[i, k]
    for j in range(6):
        for k in range(j):
            H[k, j] = H[j, k]
    return H, g, rows


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
def step_of(H, g, scale, hold):
    """−(H + hold)⁻¹ g of scaled unknowns; the hold is relative to the mean of H's diagonal."""
    A, step, trace = np.empty((6, 6)), np.empty(6), 0.0
    for i in range(6):
        step[i] = -g[i] * scale[i]
        for j in range(6):
            A[i, j] = H[i, j] * scale[i] * scale[j]
        trace += A[i, i]
    for i in range(6):
        A[i, i] += hold * trace / 6 + 1e-300
    if not cholesky(A):
        step[:] = np.nan
    cholesky_solve(A, step)
    return step


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
