"""The notebook goes from a snapshot to a significance test, executed as Jupyter would."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

import evals

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
nbformat = pytest.importorskip("nbformat")

NOTEBOOK = Path(__file__).parents[2] / "docs/experiment.ipynb"
# The kernel's client leaves sockets and loops of its own to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_it_runs_to_a_test_of_significance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(NOTEBOOK.parents[1]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    shutil.copy(NOTEBOOK, tmp_path)
    notebook = nbformat.read(tmp_path / NOTEBOOK.name, as_version=4)
    nbformat.validate(notebook)
    given = {"metadata": {"path": str(tmp_path)}}
    done = nbclient.NotebookClient(notebook, timeout=120, resources=given).execute()
    told = [
        output["data"]
        for cell in done.cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "execute_result"
    ]
    _, frame, tests, figure = told
    assert "agentic" in frame["text/plain"]
    assert "baseline" in frame["text/plain"]
    [tested] = ast.literal_eval(tests["text/plain"])
    assert {tested["a"], tested["b"]} == {"agentic", "baseline"}
    assert tested["n"] == 5
    assert tested["low"] <= tested["mean"] <= tested["high"]
    assert 0 < tested["p_value"] <= tested["p_holm"] <= 1
    assert "image/svg+xml" in figure


def test_it_uses_public_names_alone_and_holds_no_output() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    used = {
        node.attr
        for node in ast.walk(ast.parse("\n".join(code)))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "evals"
    }
    assert used == {"run", "score", "compare"}
    assert used <= set(evals.__all__)
    assert not any(cell.get("outputs") for cell in notebook.cells)
