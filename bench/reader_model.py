"""The model that `train_reader.py` trains, as torch has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel
from weighing import mean_of

from agent.extractive.weights.store import read_layers, write_layers
from retrieval.dense.embedders import embedded_folder

DROPPED = 0.1
"""Share of the encoder's states that is dropped while it learns."""


class Reader(torch.nn.Module):
    """The embedded encoder and two scores a token: start and end. Embeddings are not trained."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(
            str(embedded_folder()),
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=DROPPED,
            # Drawing the masks of attention would take as long as the layers do.
            attention_probs_dropout_prob=0.0,
        )
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, 2)
        self.trunk.embeddings.requires_grad_(False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores, [texts, tokens, 2], for token ids and a mask, [texts, tokens]."""
        states = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        scores: torch.Tensor = self.head(states)
        return scores

    def take(self, path: Path) -> None:
        """Take the weights that an earlier training wrote."""
        state = {name: torch.tensor(value) for name, value in read_layers(path).items()}
        renamed = {n if n.startswith("head.") else f"trunk.{n}": v for n, v in state.items()}
        unknown = self.load_state_dict(renamed, strict=False).unexpected_keys
        if unknown:
            raise SystemExit(f"{path}: not this model's weights: {unknown[0]}")

    def save(self, folder: Path) -> None:
        """Write the layers and the head."""
        state = self.state_dict().items()
        write_layers(
            folder / "reader.safetensors",
            {name: value.detach().numpy().astype(np.float32) for name, value in state},
        )


def mean_reader(paths: list[Path]) -> Reader:
    """The reader with the mean of the weights that several trainings wrote."""
    readers = [Reader() for _ in paths]
    for reader, path in zip(readers, paths, strict=True):
        reader.take(path)
    readers[0].load_state_dict(mean_of([reader.state_dict() for reader in readers]))
    return readers[0]
