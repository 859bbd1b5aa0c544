"""Loading a model by folder or by name: from disk, from the local cache, from the hub at last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from corpus.errors import InputError

Model = TypeVar("Model")
PATIENCE = 10.0
"""Seconds to wait for the hub's first answer."""


def load_model(name: str, kind: str, load: Callable[[bool], Model]) -> Model:
    """Load a model, from the network only where neither disk nor cache has it.

    Args:
        name: a folder, or a name of the model hub.
        kind: what it is, for messages: "embedding model", "cross-encoder".
        load: loads it; told whether to keep to local files.

    Raises:
        InputError: no such model, or one that has to be fetched and cannot be.
    """
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return load(True)
    except Exception as error:
        if Path(name).is_dir():
            raise InputError(f"{name}: no {kind} that can be loaded: {error}") from error
    reason = why_unreachable()
    if reason is None:
        try:
            return load(False)
        except Exception as error:
            reason = f"the hub did not give it ({type(error).__name__})"
            cause: Exception | None = error
    else:
        cause = None
    raise InputError(
        f"no {kind} `{name}`: it is no folder, not in the local cache, and {reason}; "
        "give a folder or a name of the model hub"
    ) from cause


def why_unreachable() -> str | None:
    """Say why the model hub cannot be asked, None where it can.

    Asked once and plainly, before its own client, which would try for a minute file by file.
    """
    import httpx
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE forbids fetching it"
    try:
        httpx.head(constants.ENDPOINT, timeout=PATIENCE)
    except (httpx.HTTPError, OSError) as error:
        return f"{constants.ENDPOINT} cannot be reached ({type(error).__name__})"
    return None
