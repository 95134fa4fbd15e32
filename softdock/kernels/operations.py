"""What each CasADi scalar operation becomes in LLVM IR.

A template is one or more IR lines: `{r}` the result, `{a}` and `{b}` the operands, `{t}` and `{f}` the types of numbers
and flags, `{s}` the suffix of intrinsics, `{zero}`, `{one}`, `{minus}` the numbers 0, 1, −1 (lanes.py). `contract`
(fused multiply-add where the machine has it) is the only fast-math flag: it loses no digits, and a NaN stays a NaN, by
which a kernel says that it failed. The meanings are CasADi's own, which are C's: comparisons give 1 or 0 and are false
of NaN except `!=`; any number other than 0, NaN too, is true; fmin and fmax prefer the operand that is not a NaN.
"""

from functools import cache

from softdock.kernels.lanes import FOUR, ONE, Kind

_ARITHMETIC = {
    "ADD": "{r} = fadd contract {t} {a}, {b}",
    "SUB": "{r} = fsub contract {t} {a}, {b}",
    "MUL": "{r} = fmul contract {t} {a}, {b}",
    "DIV": "{r} = fdiv contract {t} {a}, {b}",
    "SQ": "{r} = fmul contract {t} {a}, {a}",
    "TWICE": "{r} = fadd contract {t} {a}, {a}",
    "NEG": "{r} = fneg {t} {a}",
    "INV": "{r} = fdiv contract {t} {one}, {a}",
}

_LOGIC = {
    "LT": "{r}.c = fcmp olt {t} {a}, {b}",
    "LE": "{r}.c = fcmp ole {t} {a}, {b}",
    "EQ": "{r}.c = fcmp oeq {t} {a}, {b}",
    "NE": "{r}.c = fcmp une {t} {a}, {b}",
    "NOT": "{r}.c = fcmp oeq {t} {a}, {zero}",
    "AND": "{r}.a = fcmp une {t} {a}, {zero}\n{r}.b = fcmp une {t} {b}, {zero}\n{r}.c = and {f} {r}.a, {r}.b",
    "OR": "{r}.a = fcmp une {t} {a}, {zero}\n{r}.b = fcmp une {t} {b}, {zero}\n{r}.c = or {f} {r}.a, {r}.b",
}

_CHOICE = {
    "IF_ELSE_ZERO": "{r}.c = fcmp une {t} {a}, {zero}\n{r} = select {f} {r}.c, {t} {b}, {t} {zero}",
    "SIGN": (
        "{r}.p = fcmp ogt {t} {a}, {zero}\n{r}.n = fcmp olt {t} {a}, {zero}\n"
        "{r}.s = select {f} {r}.p, {t} {one}, {t} {a}\n{r} = select {f} {r}.n, {t} {minus}, {t} {r}.s"
    ),
}

# Intrinsics that every processor does in a few instructions; floor and ceil are calls on older ones, so not here.
_INTRINSIC = {"SQRT": "sqrt", "FABS": "fabs"}
_INTRINSIC2 = {"FMIN": "minnum", "FMAX": "maxnum", "COPYSIGN": "copysign"}

# Functions of the C library, called through a table that is filled when the code is linked: then the object code needs
# no symbol from outside, which llvmlite's memory manager has no room for (it aborts), and a missing function is an
# error in Python. Rare in mechanics, so the indirection does not matter.
_LIBM = {
    name: name.lower()
    for name in (
        *("EXP", "LOG", "EXPM1", "LOG1P", "ERF", "TAN", "ASIN", "ACOS", "ATAN", "FLOOR", "CEIL"),
        *("SINH", "COSH", "TANH", "ASINH", "ACOSH", "ATANH"),
    )
}
_LIBM2 = {
    "POW": "pow",
    "CONSTPOW": "pow",
    "ATAN2": "atan2",
    "FMOD": "fmod",
    "REMAINDER": "remainder",
    "HYPOT": "hypot",
}

LIBM = tuple(sorted({*_LIBM.values(), *_LIBM2.values()}))
LIBM_TABLE = "softdock.libm"


def _called(function: str, operands: str, kind: Kind) -> str:
    """A call for each lane."""
    if kind.lanes == 1:
        return f"{_ENTRY}{{r}} = call double {{r}}.f({', '.join(f'double {{{x}}}' for x in operands)})".replace(
            "INDEX", str(LIBM.index(function))
        )
    lines, last = [_ENTRY.replace("INDEX", str(LIBM.index(function)))], "zeroinitializer"
    for k in range(kind.lanes):
        lines += [f"{{r}}.{x}{k} = extractelement {{t}} {{{x}}}, i32 {k}\n" for x in operands]
        lines.append(f"{{r}}.o{k} = call double {{r}}.f({', '.join(f'double {{r}}.{x}{k}' for x in operands)})\n")
        result = "{r}" if k == kind.lanes - 1 else f"{{r}}.v{k}"
        lines.append(f"{result} = insertelement {{t}} {last}, double {{r}}.o{k}, i32 {k}\n")
        last = result
    return "".join(lines).rstrip()


_ENTRY = f"{{r}}.f = load ptr, ptr getelementptr (ptr, ptr @{LIBM_TABLE}, i64 INDEX)\n"


@cache
def templates(kind: Kind = ONE) -> dict[str, str]:
    """By CasADi's name of the operation."""
    raw = {
        **_ARITHMETIC,
        **{op: f"{lines}\n{{r}} = select {{f}} {{r}}.c, {{t}} {{one}}, {{t}} {{zero}}" for op, lines in _LOGIC.items()},
        **_CHOICE,
        **{op: f"{{r}} = call {{t}} @llvm.{f}.{{s}}({{t}} {{a}})" for op, f in _INTRINSIC.items()},
        **{op: f"{{r}} = call {{t}} @llvm.{f}.{{s}}({{t}} {{a}}, {{t}} {{b}})" for op, f in _INTRINSIC2.items()},
        **{op: _called(f, "a", kind) for op, f in _LIBM.items()},
        **{op: _called(f, "ab", kind) for op, f in _LIBM2.items()},
    }
    words = {"t": kind.number, "f": kind.flag, "s": kind.suffix}
    words |= {name: kind.constant(value) for name, value in (("zero", "0.0"), ("one", "1.0"), ("minus", "-1.0"))}
    for word, meaning in words.items():
        raw = {op: text.replace(f"{{{word}}}", meaning) for op, text in raw.items()}
    return raw


DECLARATIONS = "".join(
    [
        f"@{LIBM_TABLE} = dso_local global [{len(LIBM)} x ptr] zeroinitializer\n",
        *(
            f"declare {kind.number} @llvm.{f}.{kind.suffix}({', '.join([kind.number] * count)})\n"
            for kind in (ONE, FOUR)
            for count, names in ((1, _INTRINSIC), (2, _INTRINSIC2))
            for f in sorted(names.values())
        ),
    ]
)
