"""What softdock uses of Numba and llvmlite that they do not promise to keep. If one of these fails, a new version has
changed it: mend the module that is named before raising the upper bounds in pyproject.toml."""

from importlib import import_module

import pytest

PARTS = [
    ("numba.core.typing.templates", "AttributeTemplate", "kernels/struct.py"),
    ("numba.extending", "infer_getattr", "kernels/struct.py"),
    ("numba.extending", "lower_getattr_generic", "kernels/struct.py"),
    ("numba.extending", "lower_setattr_generic", "kernels/struct.py"),
    ("numba.np.arrayobj", "populate_array", "kernels/struct.py"),
    ("numba.np.numpy_support", "from_dtype", "kernels/struct.py"),
    ("numba.core.cgutils", "pack_array", "kernels/struct.py"),
    ("numba.core.codegen", "JITCodeLibrary", "kernels/linking.py"),
    ("numba.core.compiler", "Compiler", "kernels/linking.py"),
    ("numba.core.environment", "lookup_environment", "kernels/linking.py"),
    ("numba.core.registry", "CPUDispatcher", "kernels/linking.py"),
    ("numba.core.targetconfig", "ConfigStack", "kernels/linking.py"),
    ("numba.core.caching", "_Cache", "kernels/loop_cache.py"),
    ("numba.core.ccallback", "CFunc", "kernels/jit.py"),
    ("numba.core.compiler", "CompileResult", "kernels/loop_cache.py"),
    ("numba.core.serialize", "dumps", "kernels/loop_cache.py"),
    ("numba.core.runtime.nrt", "rtsys", "kernels/loop_cache.py"),
    ("numba.core.sigutils", "normalize_signature", "kernels/jit.py"),
    ("llvmlite.binding", "create_mcjit_compiler", "kernels/machine.py"),
    ("llvmlite.binding", "ObjectFileRef", "kernels/machine.py"),
    ("llvmlite.binding", "address_of_symbol", "kernels/machine.py"),
]


@pytest.mark.parametrize(("module", "name", "user"), PARTS)
def test_there_is_still(module: str, name: str, user: str) -> None:
    assert hasattr(import_module(module), name), f"{module}.{name} is gone; softdock/{user} uses it"


def test_loops_may_do_without_reference_counts() -> None:
    from numba.core.options import DefaultOptions, TargetOptions  # noqa: F401
    from numba.core.registry import cpu_target

    assert hasattr(cpu_target.options, "_nrt") or hasattr(cpu_target.options, "nrt"), (
        "the option _nrt is gone; softdock/kernels/loop.py uses it"
    )


def test_parts_may_take_the_place_of_numbas_libraries() -> None:
    from numba.core.codegen import CPUCodegen, JITCodeLibrary

    names = ("_final_module", "_linking_libraries", "_reload_init", "_shared_module")
    library = JITCodeLibrary.__init__.__code__.co_names + JITCodeLibrary.__mro__[2].__init__.__code__.co_names
    assert set(names) <= set(library), "softdock/kernels/linking.py uses these"
    assert "_library_class" in CPUCodegen.create_library.__code__.co_names
    for method in ("add_llvm_module", "_optimize_final_module", "_finalize_final_module", "_get_compiled_object"):
        assert hasattr(JITCodeLibrary, method), f"JITCodeLibrary.{method} is gone; softdock/kernels/linking.py uses it"
