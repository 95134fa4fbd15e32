"""Sine and cosine of one angle as LLVM IR, together and without libm.

Kernels of mechanics need both of nearly every joint angle. A libm call for each costs a call, a second argument
reduction, and every floating-point register that is live (the System V convention saves none), and its digits
differ from machine to machine. This is fdlibm's method with the branches taken out, shared by the pair.

Reduction: x = n π/2 + (r + t) with π/2 in three parts of 33 bits and a tail (fdlibm `e_rem_pio2.c`, `pio2_1` to
`pio2_3t`), so that n times each part is exact for |n| < 2²⁰, that is |x| < 1.6e6. Each difference is a Fast2Sum whose
error goes into t; contraction or reassociation there would throw those digits away, hence no fast-math flags. Beyond
1.6e6 the error is that of moving x by about one unit in its last place. From 2⁵⁰ on, where neighbouring numbers are
0.25 rad apart, and for infinities and NaN, the answer is NaN: the caller must see that the angle has lost its meaning.

Adding 1.5 · 2⁵² rounds to the nearest integer and leaves n in the low bits of the sum; unlike `llvm.rint` it gives
n = +0 for x = -0, which keeps sin(-0) = -0.

Polynomials on |r| < π/4: fdlibm `k_sin.c` and `k_cos.c` (error below 2⁻⁵⁸), which take the tail t to first order.
"""

from softdock.kernels.lanes import FOUR, ONE, Kind, literal

NAME = "softdock.sincos"
NAME_OF_FOUR = "softdock.sincos.4"
"""Of vectors: on a processor with AVX it takes about the time of one."""


_CONSTANTS = {
    "TWO_OVER_PI": "0x1.45f306dc9c883p-1",
    "ROUND": "0x1.8p+52",
    "P1": "0x1.921fb54400000p+0",
    "P2": "0x1.0b4611a600000p-34",
    "P3": "0x1.3198a2e000000p-69",
    "P4": "0x1.b839a252049c1p-104",
    "LIMIT": "0x1p+50",
    "NAN": "nan",
    "HALF": "0x1p-1",
    "ONE": "0x1p+0",
    "S1": "-0x1.5555555555549p-3",
    "S2": "0x1.111111110f8a6p-7",
    "S3": "-0x1.a01a019c161d5p-13",
    "S4": "0x1.71de357b1fe7dp-19",
    "S5": "-0x1.ae5e68a2b9cebp-26",
    "S6": "0x1.5d93a5acfd57cp-33",
    "C1": "0x1.555555555554cp-5",
    "C2": "-0x1.6c16c16c15177p-10",
    "C3": "0x1.a01a019cb1590p-16",
    "C4": "-0x1.27e4f809c52adp-22",
    "C5": "0x1.1ee9ebdb4b1c4p-29",
    "C6": "-0x1.8fae9be8838d4p-37",
}

# One line per operation: "result = operation operands". A star marks the operations that may be contracted.
_REDUCTION = """
    scaled = fmul x TWO_OVER_PI
    shifted = fadd scaled ROUND
    n = fsub shifted ROUND
    n1 = fmul n P1
    d1 = fsub x n1
    n2 = fmul n P2
    d2 = fsub d1 n2
    g2 = fsub d1 d2
    e2 = fsub g2 n2
    n3 = fmul n P3
    r = fsub d2 n3
    g3 = fsub d2 r
    e3 = fsub g3 n3
    e23 = fadd e2 e3
    n4 = fmul n P4
    tail = fsub e23 n4
"""
# sin = r - ((z (t/2 - v s) - t) - v S1), with z = r², v = r³
_SINE = """
    z = fmul* r r
    w = fmul* z z
    v = fmul* z r
    s34 = fmul* z S4
    s3 = fadd* s34 S3
    s23 = fmul* z s3
    s2 = fadd* s23 S2
    s56 = fmul* z S6
    s5 = fadd* s56 S5
    zw = fmul* z w
    s25 = fmul* zw s5
    s = fadd* s2 s25
    vs = fmul* v s
    ht = fmul* t HALF
    hv = fsub* ht vs
    zhv = fmul* z hv
    zt = fsub* zhv t
    vS1 = fmul* v S1
    zv = fsub* zt vS1
    sine = fsub r zv
"""
# cos = a + (((1 - a) - z/2) + (z c - r t)), with a = 1 - z/2 rounded
_COSINE = """
    c23 = fmul* z C3
    c2 = fadd* c23 C2
    c12 = fmul* z c2
    c1 = fadd* c12 C1
    zc1 = fmul* z c1
    c56 = fmul* z C6
    c5 = fadd* c56 C5
    c45 = fmul* z c5
    c4 = fadd* c45 C4
    ww = fmul* w w
    wc4 = fmul* ww c4
    c = fadd* zc1 wc4
    hz = fmul z HALF
    a = fsub ONE hz
    b = fsub ONE a
    lost = fsub b hz
    zc = fmul* z c
    rt = fmul* r t
    low = fsub* zc rt
    both = fadd lost low
    cosine = fadd a both
"""


def _lines(program: str, kind: Kind) -> list[str]:
    def operand(name: str) -> str:
        return _constant(_CONSTANTS[name], kind) if name in _CONSTANTS else f"%{name}"

    lines = []
    for line in program.strip().splitlines():
        result, _, operation, left, right = line.split()
        flagged = operation.replace("*", " contract")
        lines.append(f"%{result} = {flagged} {kind.number} {operand(left)}, {operand(right)}")
    return lines


def _constant(digits: str, kind: Kind) -> str:
    return kind.constant(literal(float.fromhex(digits)))


def definitions(kernels: str) -> str:
    """The functions `{double, double} @softdock.sincos(double)` and, of vectors of four, `@softdock.sincos.4`, as far
    as kernels call them: to compile both takes longer than to compile a small kernel.

    They are called, not inlined: measured on arms of 7 and 32 joints (table in `machine.py`), kernels run from 3 %
    slower to 10 % faster so, and compile in half to nine tenths of the time.
    """
    both = {NAME: ONE, NAME_OF_FOUR: FOUR}
    return "".join(_definition(name, kind) for name, kind in both.items() if f"@{name}(" in kernels)


def _definition(name: str, kind: Kind) -> str:
    number, integer, flag, suffix = kind.number, kind.integer, kind.flag, kind.suffix
    limit, nan = (_constant(_CONSTANTS[constant], kind) for constant in ("LIMIT", "NAN"))
    zero, one, sixty_two, sign = (kind.constant(value, "i64") for value in ("0", "1", "62", "-9223372036854775808"))
    both = f"{{{number}, {number}}}"
    body = [
        *_lines(_REDUCTION, kind),
        f"%size = call {number} @llvm.fabs.{suffix}({number} %x)",
        f"%known = fcmp olt {number} %size, {limit}",
        f"%t = select {flag} %known, {number} %tail, {number} {nan}",
        *_lines(_SINE, kind),
        *_lines(_COSINE, kind),
        # n mod 4 = 0: (s, c); 1: (c, -s); 2: (-s, -c); 3: (-c, s).
        f"%bits = bitcast {number} %shifted to {integer}",
        f"%odd = and {integer} %bits, {one}",
        f"%swap = icmp ne {integer} %odd, {zero}",
        f"%smix = select {flag} %swap, {number} %cosine, {number} %sine",
        f"%cmix = select {flag} %swap, {number} %sine, {number} %cosine",
        f"%sbit = shl {integer} %bits, {sixty_two}",
        f"%ssign = and {integer} %sbit, {sign}",
        f"%next = add {integer} %bits, {one}",
        f"%cbit = shl {integer} %next, {sixty_two}",
        f"%csign = and {integer} %cbit, {sign}",
        f"%sraw = bitcast {number} %smix to {integer}",
        f"%sint = xor {integer} %sraw, %ssign",
        f"%sout = bitcast {integer} %sint to {number}",
        f"%craw = bitcast {number} %cmix to {integer}",
        f"%cint = xor {integer} %craw, %csign",
        f"%cout = bitcast {integer} %cint to {number}",
        f"%p0 = insertvalue {both} poison, {number} %sout, 0",
        f"%p1 = insertvalue {both} %p0, {number} %cout, 1",
        f"ret {both} %p1",
    ]
    text = "\n  ".join(body)
    return f"define internal {both} @{name}({number} %x) noinline nounwind {{\n  {text}\n}}\n"
