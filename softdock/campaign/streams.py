"""NumPy's random numbers and seeds of a run, compiled: to make a generator takes longer than to draw a few numbers.
They are those of `default_rng(SeedSequence(seed, spawn_key=key))`; a test compares them.
"""

import numpy as np

from softdock.kernels.jit import njit

_POOL = 4
_MASK, _SHIFT, _WORD, _NONE = (np.uint64(x) for x in (0xFFFFFFFF, 16, 32, 0))
_A, _MULT_A, _B, _MULT_B = (np.uint64(x) for x in (0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED))
_LEFT, _RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
"""Of SeedSequence (O'Neill's seed_seq_fe)."""
_HIGH, _LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)
"""PCG64's multiplier."""
_ONE, _TEN, _ELEVEN, _TOP = (np.uint64(x) for x in (1, 10, 11, 63))


class Streams:
    """The random numbers of a seed, by keys."""

    def __init__(self, seed: int) -> None:
        own = _words(seed)
        self._own = np.array(own + [0] * (_POOL - len(own)), dtype=np.uint64)

    def random(self, width: int, *key: int) -> np.ndarray:
        """So many numbers from 0 to 1, as `default_rng(…).random(width)`."""
        out = np.empty(width)
        draw(self._own, _key(key), out)
        return out

    def word(self, *key: int) -> int:
        """32 bits, as `SeedSequence(…).generate_state(1)`."""
        out = np.empty(1, dtype=np.uint64)
        state(self._own, _key(key), out)
        return int(out[0])


def _key(numbers: tuple[int, ...]) -> np.ndarray:
    return np.array([word for number in numbers for word in _words(number)], dtype=np.uint64)


def _words(number: int) -> list[int]:
    """A number in words of 32 bits, the least first."""
    found = [number & 0xFFFFFFFF]
    while number := number >> 32:
        found.append(number & 0xFFFFFFFF)
    return found


@njit(forceinline=True)
def hashed(value, constant):  # type: ignore[no-untyped-def]
    """A value hashed, and the next constant."""
    constant, value = (constant * _MULT_A) & _MASK, value ^ constant
    value = (value * constant) & _MASK
    return value ^ (value >> _SHIFT), constant


@njit(forceinline=True)
def mixed(x, y):  # type: ignore[no-untyped-def]
    value = (_LEFT * x - _RIGHT * y) & _MASK
    return value ^ (value >> _SHIFT)


@njit(cache=True, nogil=True)
def state(own, key, out):  # type: ignore[no-untyped-def]
    """SeedSequence's state of as many words as `out` has."""
    pool, constant = np.zeros(_POOL, dtype=np.uint64), _A
    for i in range(_POOL):
        pool[i], constant = hashed(own[i], constant)
    for source in range(_POOL):
        for to in range(_POOL):
            if to != source:
                value, constant = hashed(pool[source], constant)
                pool[to] = mixed(pool[to], value)
    for source in range(_POOL, own.size + key.size):
        word = own[source] if source < own.size else key[source - own.size]
        for to in range(_POOL):
            value, constant = hashed(word, constant)
            pool[to] = mixed(pool[to], value)
    constant = _B
    for i in range(out.size):
        value = pool[i % _POOL] ^ constant
        constant = (constant * _MULT_B) & _MASK
        value = (value * constant) & _MASK
        out[i] = value ^ (value >> _SHIFT)


@njit(forceinline=True)
def stepped(high, low, up, down):  # type: ignore[no-untyped-def]
    """(high, low) × PCG64's multiplier + (up, down), of 128 bits each."""
    a, b, c, d = low >> _WORD, low & _MASK, _LOW >> _WORD, _LOW & _MASK
    middle = a * d + ((b * d) >> _WORD)
    other = b * c + (middle & _MASK)
    carried = a * c + (middle >> _WORD) + (other >> _WORD)
    product = low * _LOW
    total = product + down
    return carried + high * _LOW + low * _HIGH + up + (_ONE if total < product else _NONE), total


@njit(cache=True, nogil=True)
def draw(own, key, out):  # type: ignore[no-untyped-def]
    """PCG64's numbers from 0 to 1."""
    seed = np.empty(8, dtype=np.uint64)
    state(own, key, seed)
    first, low = seed[0] | (seed[1] << _WORD), seed[2] | (seed[3] << _WORD)
    up, down = seed[4] | (seed[5] << _WORD), seed[6] | (seed[7] << _WORD)
    up, down = (up << _ONE) | (down >> _TOP), (down << _ONE) | _ONE
    low = down + low
    high, low = stepped(up + first + (_ONE if low < down else _NONE), low, up, down)
    for k in range(out.size):
        high, low = stepped(high, low, up, down)
        turn, both = high >> (_WORD + _TEN + _SHIFT), high ^ low
        drawn = (both >> turn) | (both << ((_TOP + _ONE - turn) & _TOP))
        out[k] = np.float64(drawn >> _ELEVEN) * 2.0**-53
