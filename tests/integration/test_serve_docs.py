"""What docs/serving.md tells a reader to run, run: curl, Python clients, a desktop client's file."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.serve.options import Options
from tests.serving import Running, serving

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
CURL = [
    line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines() if "curl" in line
]
ROOT = Path(__file__).parents[2]
COMMAND = f"""\
#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from agent.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving(Options()) as server:
        yield server


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where the command `fanfold` is found, as installing this tree would put it."""
    command = tmp_path / "fanfold"
    command.write_text(COMMAND)
    command.chmod(0o755)
    return os.pathsep.join((str(tmp_path), os.environ["PATH"]))


def at(text: str, running: Running) -> str:
    return text.replace("localhost:8765", f"127.0.0.1:{running.port}").replace(
        "127.0.0.1:8765", f"127.0.0.1:{running.port}"
    )


def test_there_is_something_to_try() -> None:
    assert len(PYTHON) >= 4
    assert len(CURL) >= 2


@pytest.mark.parametrize("line", CURL)
def test_a_line_of_curl_gets_an_answer(line: str, running: Running) -> None:
    done = subprocess.run(
        shlex.split(at(line, running)), capture_output=True, text=True, timeout=60, check=True
    )
    assert "Saturn" in done.stdout or "Huygens" in done.stdout
    assert '"status":4' not in done.stdout


@pytest.mark.parametrize("text", PYTHON, ids=range(len(PYTHON)))
def test_an_example_in_python_runs(
    text: str, running: Running, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in re.findall(r"^from ([\w.]+) import", text, re.MULTILINE):
        pytest.importorskip(name)
    monkeypatch.setenv("PATH", path)
    names: dict[str, Any] = {}
    body = textwrap.indent(at(text, running), "    ")
    exec(f"async def example():\n{body}\n    return locals()\n", names)
    made = asyncio.run(names["example"]())
    for tools in [made["tools"]] if "tools" in made else []:
        assert len(tools) >= 4
    if "reply" in made:
        assert "Huygens" in made["reply"].choices[0].message.content


def test_a_desktop_clients_file_starts_the_server(path: str) -> None:
    from mcp import Client, StdioServerParameters

    (found,) = re.findall(r"`(\{\"mcpServers\": .*?\})`", PAGE)
    (told,) = json.loads(found)["mcpServers"].values()

    async def ask() -> list[str]:
        server = StdioServerParameters(**told, env={**os.environ, "PATH": path})
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert {"search", "fetch", "ask", "verify"} <= set(asyncio.run(ask()))
