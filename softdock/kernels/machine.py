"""LLVM IR to object code for this processor, and object code into this process.

Kernels are made for this processor. Their arithmetic is as written, so they give the same numbers on all; made for
`LEVEL`, those of planar-iss and free-arm-7 took 4 to 7 % longer. Loops are made for `LEVEL` if this processor has it:
so they are the same code, whose sums are added in the same order, on every such processor, and can come with the
package (shipped.py); their time is the same within 2 % (rows impacts of `softdock bench`).

Measured on one core of an AMD EPYC (Zen 3), LLVM 22: residual and mass matrix of a free body with an arm of n joints,
and the residual's Jacobian. Compile time in seconds per 10,000 CasADi instructions; run time in ns.

    settings                             n=7 residual   n=7 mass      n=7 Jacobian   n=32 residual   n=32 mass
    (CasADi instructions)                1261           5086          11,841         4110            64,236
    -O2 with SLP vectoriser, inlined     4.1    235     1.5   1010    2.3   2785     4.7   1032
    -O2, inlined                         1.0    240     0.9   1004    1.3   2633     1.5   1194      2.4   15,800
    no IR passes, inlined, codegen 2     0.9    238     0.6    862    1.0   2574     0.6   1218      2.3   13,900
    no IR passes, called, codegen 2      0.5    245     0.6    830    0.9   2574     0.5   1103      2.6   13,060
    no IR passes, called, codegen 1      0.4    246     0.5    836    0.7   2587     0.5   1093      2.0   12,930
    the same in pieces of 8000           0.4    243     0.5    831    0.6   2480     0.5   1120      0.8   12,890
    no IR passes, called, codegen 0      0.1    578     0.1   2393    0.1   5927     0.1   2229      0.1   37,000

("inlined" and "called": the sine and cosine. Minima of runs on a shared machine, good to about 3 %; the empty place
was not measured.) IR passes find little in CasADi's code: the best gain is 6 %, on one kernel, for ten times the
compile time, and some kernels lose. So there are none, and code generation is at level 1: the row "in pieces of 8000",
which are shorter now (split.py).
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from softdock.kernels.operations import LIBM, LIBM_TABLE
from softdock.kernels.signals import unbroken

_CODEGEN_LEVEL = 1


LEVEL = "x86-64-v3"
"""Processors from about 2013 on (x86-64 psABI)."""
_NEEDED = (
    "cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3",  # v2
    "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave",
)  # fmt: skip


@cache
def common() -> tuple[str, str, str]:
    """What loops are made for: platform, processor, and features that do not follow from it."""
    features = llvm.get_host_cpu_features()
    triple = str(llvm.get_process_triple())
    if triple.startswith("x86_64") and all(features.get(name) for name in _NEEDED):
        return triple, LEVEL, ""
    return triple, str(llvm.get_host_cpu_name()), str(features.flatten())


@cache
def host() -> str:
    """All that a kernel's object code depends on besides its IR: the compiler's version and this processor."""
    return f"{compiler()}, {_triple()}, {', '.join(_processor())}"


def compiler() -> str:
    """Its version."""
    return f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(str(part) for part in llvm.llvm_version_info)}"


def object_code(ir: str) -> bytes:
    """Compile a module."""
    machine = _target_machine()
    module = llvm.parse_assembly(ir)
    module.verify()
    return bytes(machine.emit_object(module))


def linked(code: bytes) -> Any:
    """An execution engine that holds the object code, ready to run; the code lives as long as the engine.

    llvmlite's memory manager (`use_lmm`) places all sections in one reservation. The small code model relies on it:
    constants are addressed relative to the instruction, within 2 GB.
    """
    with unbroken():  # the engine frees its module, and nobody else may
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine(), use_lmm=True)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    table = (ctypes.c_void_p * len(LIBM)).from_address(engine.get_global_value_address(LIBM_TABLE))
    table[:] = [_address_in_process(function) for function in LIBM]
    return engine


def _address_in_process(function: str) -> int:
    address = llvm.address_of_symbol(function)
    if address is None:
        raise RuntimeError(f"this platform's C library has no function {function!r}")
    return int(address)


def _target_machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = _processor()
    return llvm.Target.from_triple(_triple()).create_target_machine(
        cpu=cpu, features=features, opt=_CODEGEN_LEVEL, reloc="pic", codemodel="small"
    )


def _triple() -> str:
    """This process's platform; in-process linking on Windows takes ELF objects only."""
    return str(llvm.get_process_triple()) + ("-elf" if os.name == "nt" else "")


@cache
def _processor() -> tuple[str, str]:
    """Its name and features. (A virtual machine takes 0.2 ms to tell.)"""
    return str(llvm.get_host_cpu_name()), str(llvm.get_host_cpu_features().flatten())
