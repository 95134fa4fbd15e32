"""Pages as programs: their blocks run in order, beside the files that they hold.

A TOML or XML block whose first line is a comment with a file name is that file. In a tutorial, `softdock` commands are
run too, and a block of plain text right after a program or a command is what it prints; "…" there stands for whatever
differs from machine to machine.
"""

import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from typer.testing import CliRunner

from softdock.cli.app import app

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted(ROOT.glob("docs/tutorials/*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"(?:#|<!--) ([\w-]+\.(?:toml|urdf|xml))\b")
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path) -> list[tuple[str, str, int]]:
    """Language, text and line number of every fenced block."""
    text = page.read_text(encoding="utf-8")
    return [(found[1], found[2], text.count("\n", 0, found.start(2))) for found in BLOCK.finditer(text)]


def performed(page: Path) -> Iterator[tuple[int, str, str]]:
    """Run a page in the current directory: line, expected and actual words of each block that says what is printed."""
    known: dict[str, object] = {"__name__": "__main__"}
    said = ""
    for language, text, line in blocks(page):
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile("\n" * line + text, str(page), "exec"), known)
            said = out.getvalue()
            assert "softdock" in text or "sd" in known
        elif file := FILE.match(text):
            Path(file[1]).write_text(text, encoding="utf-8")
        elif page in TUTORIALS and language == "sh":
            said = "".join(answer(command) for command in text.splitlines() if command.startswith("softdock "))
        elif page in TUTORIALS and language == "text":
            yield line, text, said


def answer(command: str) -> str:
    """What a command prints on standard output."""
    with patch("softdock.cli.app.opened", Path.exists):  # instead of a browser
        result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, f"{command}: {result.output}"
    return result.stdout


def alike(expected: str, said: str) -> bool:
    """Is that what was printed?"""
    return doctest.OutputChecker().check_output(expected.replace("…", "..."), said, LIKE)
