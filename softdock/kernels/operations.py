"""What each CasADi scalar operation becomes in LLVM IR.

A template is one or more IR lines: `{r}` the result, `{a}` and `{b}` the operands. `contract` (fused multiply-add where
the machine has it) is the only fast-math flag: it loses no digits, and a NaN stays a NaN, by which a kernel says that
it failed. The meanings are CasADi's own, which are C's: comparisons give 1 or 0 and are false of NaN except `!=`;
any number other than 0, NaN too, is true; fmin and fmax prefer the operand that is not a NaN.
"""

_ARITHMETIC = {
    "ADD": "{r} = fadd contract double {a}, {b}",
    "SUB": "{r} = fsub contract double {a}, {b}",
    "MUL": "{r} = fmul contract double {a}, {b}",
    "DIV": "{r} = fdiv contract double {a}, {b}",
    "SQ": "{r} = fmul contract double {a}, {a}",
    "TWICE": "{r} = fadd contract double {a}, {a}",
    "NEG": "{r} = fneg double {a}",
    "INV": "{r} = fdiv contract double 1.0, {a}",
}

_LOGIC = {
    "LT": "{r}.c = fcmp olt double {a}, {b}",
    "LE": "{r}.c = fcmp ole double {a}, {b}",
    "EQ": "{r}.c = fcmp oeq double {a}, {b}",
    "NE": "{r}.c = fcmp une double {a}, {b}",
    "NOT": "{r}.c = fcmp oeq double {a}, 0.0",
    "AND": "{r}.a = fcmp une double {a}, 0.0\n{r}.b = fcmp une double {b}, 0.0\n{r}.c = and i1 {r}.a, {r}.b",
    "OR": "{r}.a = fcmp une double {a}, 0.0\n{r}.b = fcmp une double {b}, 0.0\n{r}.c = or i1 {r}.a, {r}.b",
}

_CHOICE = {
    "IF_ELSE_ZERO": "{r}.c = fcmp une double {a}, 0.0\n{r} = select i1 {r}.c, double {b}, double 0.0",
    "SIGN": (
        "{r}.p = fcmp ogt double {a}, 0.0\n{r}.n = fcmp olt double {a}, 0.0\n"
        "{r}.s = select i1 {r}.p, double 1.0, double {a}\n{r} = select i1 {r}.n, double -1.0, double {r}.s"
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


def _entry(function: str) -> str:
    return f"{{r}}.f = load ptr, ptr getelementptr (ptr, ptr @{LIBM_TABLE}, i64 {LIBM.index(function)})\n"


TEMPLATES: dict[str, str] = {
    **_ARITHMETIC,
    **{op: f"{lines}\n{{r}} = select i1 {{r}}.c, double 1.0, double 0.0" for op, lines in _LOGIC.items()},
    **_CHOICE,
    **{op: f"{{r}} = call double @llvm.{f}.f64(double {{a}})" for op, f in _INTRINSIC.items()},
    **{op: f"{{r}} = call double @llvm.{f}.f64(double {{a}}, double {{b}})" for op, f in _INTRINSIC2.items()},
    **{op: _entry(f) + "{r} = call double {r}.f(double {a})" for op, f in _LIBM.items()},
    **{op: _entry(f) + "{r} = call double {r}.f(double {a}, double {b})" for op, f in _LIBM2.items()},
}

DECLARATIONS = "".join(
    [
        f"@{LIBM_TABLE} = dso_local global [{len(LIBM)} x ptr] zeroinitializer\n",
        *(f"declare double @llvm.{f}.f64(double)\n" for f in sorted(_INTRINSIC.values())),
        *(f"declare double @llvm.{f}.f64(double, double)\n" for f in sorted(_INTRINSIC2.values())),
    ]
)
