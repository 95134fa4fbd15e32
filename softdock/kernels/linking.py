"""Compiled functions, each optimised once.

Left to itself, Numba optimises every function on its own, makes machine code of it, and links the result into each
function that calls it, where all of it is optimised again: at the top of eight levels of calls, eight times. Options
that change the code (inlining, fast arithmetic) pass from a function to those that it happens to compile first, so
that what a function is depends on who called it first.

Here a function that others call is only translated to LLVM's language (`Part`). What is entered from Python or by
address (`Whole`) takes all parts below it into one module, hides them, optimises that and makes machine code of it. A
large function that several such modules call can be compiled `apart`: they then only know its name.
"""
# mypy: disable-error-code="attr-defined, override"

from __future__ import annotations

import gc
import importlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial, update_wrapper
from typing import Any

import llvmlite.binding as llvm
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack

from softdock.kernels import machine
from softdock.kernels.fingerprint import described
from softdock.kernels.loop_cache import LoopCache, Outdated
from softdock.kernels.signals import unbroken


class _Library(JITCodeLibrary):
    """What one module takes of another is freed with it: a signal in between would let both free it."""

    def add_llvm_module(self, module: Any) -> None:
        self._take(module)

    def _take(self, module: Any, *, preserve: bool = False) -> None:
        with unbroken():
            self._final_module.link_in(module, preserve=preserve)

    def _finalize_final_module(self) -> None:
        with unbroken():
            super()._finalize_final_module()


class Part(_Library):
    """Code of a function that others call, as it was translated."""

    def finalize(self) -> None:
        _mark(self._final_module, "linkonce_odr")  # parts may have helpers of one name
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return _Nowhere

    def _get_module_for_linking(self) -> Any:
        """All that a library of Numba's own needs of it: parts below it, too."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in below(self):
                if isinstance(library, Apart):
                    raise RuntimeError(
                        f"{self.name} calls {library.name}: decorate its caller with softdock's own njit"
                    )
                with unbroken():
                    module.link_in(_linkable(library), preserve=True)
            self._shared_module = module
        return self._shared_module


class _Nowhere:
    """Where a part is in memory."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Not yet: `Whole.finalize` does it."""


class Whole(_Library):
    """Machine code of a function with all that it calls."""

    def finalize(self) -> None:
        require_global_compiler_lock()
        self._raise_if_finalized()
        self._entries = [f.name for f in self._final_module.functions if not f.is_declaration and self._enters(f.name)]
        for library in below(self):
            if isinstance(library, Apart):
                self._reload_init.add(library.load)
            else:
                self._reload_init.update(library._reload_init)
                self._take(_linkable(library), preserve=True)
        _mark(self._final_module, "internal", self._entries)
        with _made_for(_target_machine(), self._codegen):
            self._optimize_final_module()
        self._final_module.verify()
        self._object = self._compiled_object = bytes(_target_machine().emit_object(self._final_module))
        self._finalize_final_module()  # which takes the object
        for name in (variable.name for variable in self._final_module.global_variables):
            environment = lookup_environment(name) if name.startswith("_ZN08NumbaEnv") else None
            if environment is not None:
                self._codegen.set_env(name, environment)

    def _optimize_final_module(self) -> None:
        """LLVM's own sequence. Counts of references are pruned first, function by function: they hinder all else."""
        if any(function.name == "NRT_incref" for function in self._final_module.functions):
            self._optimize_functions(self._final_module)
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    @staticmethod
    def _enters(name: str) -> bool:
        """Is that function of its own entered from outside?"""
        return name.startswith(("_ZN7cpython", "cfunc."))

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """Its code, and the names of its entries: nothing is ever linked into this again."""
        self._ensure_finalized()
        stub = "".join(f'define void @"{name}"() {{ call void @llvm.trap() ret void }}\n' for name in self._entries)
        names = llvm.parse_assembly(f"declare void @llvm.trap()\n{stub}")
        return self.name, "object", (self._object, names.as_bitcode())


class Apart(Whole):
    """Machine code of a function with all that it calls, for others to call by name."""

    load: Any
    """Makes sure that the code is in memory."""

    @staticmethod
    def _enters(name: str) -> bool:
        return name.startswith("_ZN") and not name.startswith("_ZN08NumbaEnv")


def below(library: Any) -> Iterator[Any]:
    """All libraries that a library calls, directly or not; each once."""
    seen, waiting = {library}, [*library._linking_libraries]
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            yield found
            if isinstance(found, Part):
                waiting += found._linking_libraries


def _linkable(library: Any) -> Any:
    return library._final_module if isinstance(library, Part) else library._get_module_for_linking()


def _mark(module: Any, linkage: str, but: Collection[str] = ()) -> None:
    """Set the linkage of functions; of those that count references (NRT_…), Numba's own is needed."""
    for function in module.functions:
        own = function.is_declaration or function.linkage.name in ("internal", "private")
        if not (own or function.name in but or function.name.startswith(("NRT_", "nrt_"))):
            function.linkage = linkage


@contextmanager
def _made_of(kind: type, codegen: Any) -> Iterator[None]:
    """Libraries that Numba makes meanwhile, for its own functions, are of that kind."""
    before = codegen._library_class
    codegen._library_class = kind
    try:
        yield
    finally:
        codegen._library_class = before


@contextmanager
def _made_for(machine: Any, codegen: Any) -> Iterator[None]:
    """LLVM optimises meanwhile for that machine."""
    before = codegen._tm
    codegen._tm = machine
    try:
        yield
    finally:
        codegen._tm = before


@cache
def _target_machine() -> Any:
    """As Numba's, which knows the place of everything in memory, but for more processors than this one."""
    triple, cpu, features = machine.common()
    reloc = "static" if triple.startswith(("x86_64", "i")) else "default"
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=config.OPT, reloc=reloc, codemodel="jitdefault", jit=True
    )


class _Compiler(Compiler):
    library: type

    def compile_extra(self, function: Any) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = self.library(codegen, function.__qualname__)
        self.state.library.enable_object_caching()
        with _made_of(Part, codegen):
            return super().compile_extra(function)


class _PartCompiler(_Compiler):
    library = Part


class WholeCompiler(_Compiler):
    library = Whole

    def compile_extra(self, function: Any) -> Any:
        with _no_collection():
            return super().compile_extra(function)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Numba makes very many objects that stay: to look for garbage among them takes an eighth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _ApartCompiler(_Compiler):
    library = Apart

    def _compile_bytecode(self) -> Any:
        self.state.func_id.unique_id = 0  # others find it by name, in other processes too
        return super()._compile_bytecode()


class _Callee(CPUDispatcher):
    """A function as others call it: one translation for those that count references, one for those that do not."""

    def __init__(self, function: Any, options: dict[str, Any], compiler: type = _PartCompiler) -> None:
        self._known: dict[bool, dict[Any, Any]] = {False: {}, True: {}}
        hidden = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=hidden, pipeline_class=compiler)

    @property
    def overloads(self) -> dict[Any, Any]:
        return self._known[bool(ConfigStack.top_or_none().nrt)] if ConfigStack() else {}

    @overloads.setter
    def overloads(self, _: Any) -> None: ...

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result


class _ApartCallee(_Callee):
    """A function compiled apart; whether it counts references is its own matter."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, {"_nrt": True, **options}, _ApartCompiler)

    def enable_caching(self) -> None:
        self._cache = LoopCache(self.py_func, self.targetoptions, "apart")

    @property
    def overloads(self) -> dict[Any, Any]:
        return self._known[True]

    @overloads.setter
    def overloads(self, _: Any) -> None: ...

    def compile(self, signature: Any) -> Any:
        with _made_of(Apart, self.targetctx.codegen()), _releasing(self._cache):
            return super().compile(signature)

    def add_overload(self, result: Any) -> None:
        super().add_overload(result)
        signature, function = result.signature, self.py_func
        returned = described(signature.return_type)
        result.library.load = partial(_load, function.__module__, function.__qualname__, signature.args, returned)


@contextmanager
def _releasing(cache: Any) -> Iterator[None]:
    """However compiling ends, others may then do it."""
    try:
        yield
    finally:
        if isinstance(cache, LoopCache):
            cache.release()


def _load(module: str, name: str, arguments: tuple[Any, ...], returned: str) -> None:
    """Make sure that code compiled apart is in memory, and that it returns what its callers were compiled for."""
    callee = getattr(importlib.import_module(module), name).callee
    callee.compile(arguments)
    if described(callee.overloads[arguments].signature.return_type) != returned:
        raise Outdated(f"{module}.{name}")


OPTIONS = {"nopython": True, "boundscheck": None, "error_model": "numpy", "fastmath": False, "forceinline": False}
"""Said, so that they do not pass from caller to callee. Division by zero is no exception."""


class _Entry(CPUDispatcher):
    """A function as Python calls it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=WholeCompiler)

    def enable_caching(self) -> None:
        self._cache = LoopCache(self.py_func, self.targetoptions)

    def compile(self, sig: Any) -> Any:
        with _releasing(self._cache):
            return super().compile(sig)


class Compiled:
    """A compiled function: entered from Python, a `Whole`; called by others, a `Part` of theirs, or `Apart`.

    Numba's dispatchers are made when they are needed: softdock has hundreds of compiled functions, and a cached run
    enters few.
    """

    def __init__(self, function: Any, options: dict[str, Any], *, cached: bool) -> None:
        update_wrapper(self, function)
        self.py_func, self._cached, self._options = function, cached, {**OPTIONS, **options}
        self._kind = _ApartCallee if self._options.pop("apart", False) else _Callee

    @cached_property
    def entry(self) -> _Entry:
        entry = _Entry(self.py_func, {"no_cfunc_wrapper": True, **self._options})
        if self._cached:
            entry.enable_caching()
        return entry

    @cached_property
    def callee(self) -> _Callee:
        callee = self._kind(self.py_func, self._options)
        if self._cached and isinstance(callee, _ApartCallee):
            callee.enable_caching()
        return callee

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.entry(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """What Numba's have."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.entry, name)

    @property
    def _numba_type_(self) -> Any:
        return self.callee._numba_type_

    @property
    def ingredients(self) -> tuple[Any, ...]:
        """What it puts into those that call it (fingerprint.py)."""
        function = self.py_func
        apart = (function.__module__, function.__qualname__) if self._kind is _ApartCallee else function
        return apart, self._options
