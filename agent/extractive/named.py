"""Models that a user names, by a folder or a hub's name, as transformers loads them."""

from __future__ import annotations

from logging import ERROR
from pathlib import Path
from typing import Any

from corpus.errors import InputError


def open_named(name: str, role: str, kind: str) -> tuple[Any, Any, list[str]]:
    """Load a model and its tokenizer.

    Args:
        name: a folder, or what a hub calls it.
        role: what messages call it, such as "reader".
        kind: the class of transformers that loads it.

    Returns:
        The tokenizer, the model, and the names of the model's weights that were not found there.

    Raises:
        InputError: nothing there that can be loaded, or no torch.
    """
    if Path(name).exists() and not (Path(name) / "config.json").is_file():
        raise InputError(f"{name}: no model there (it has no config.json)")
    try:
        import torch  # noqa: F401  # transformers loads without it, and its models do not
        import transformers
        from transformers.utils import logging
    except ImportError:
        raise InputError(
            f"the {role} {name!r} needs torch and transformers: pip install 'fanfold[cpu]', or "
            "leave it out"
        ) from None

    shown = logging.get_verbosity()
    logging.set_verbosity(ERROR)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        loader = getattr(transformers, kind)
        model, loaded = loader.from_pretrained(name, output_loading_info=True)
    except (OSError, ValueError) as error:
        reason = str(error).split("\n")[0]
        raise InputError(f"{name}: the {role} cannot be loaded ({reason})") from error
    finally:
        logging.set_verbosity(shown)
    return tokenizer, model.eval(), [str(key) for key in loaded["missing_keys"]]
