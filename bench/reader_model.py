"""The models that `train_reader.py` trains: the reader that the engine carries, and larger ones.

All take the token ids of the embedded encoder and score every token, so that a larger model can
teach the small one token by token.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoTokenizer
from weighing import mean_of

from agent.extractive.weights.store import open_tokenizer, read_layers, write_layers
from retrieval.dense.embedders import embedded_folder

DROPPED = 0.1
"""Share of the encoder's states that is dropped while it learns."""
_DRAWN = 1 << 25
"""Numbers of which masks are cut: more than the states of any step."""


class DrawnOnce(torch.nn.Module):
    """Dropout with masks cut out of one long line: drawing each would take as long as the layers do."""

    line: torch.Tensor | None = None

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """The states without those that are dropped, the others that much larger; all while not training."""
        if not self.training:
            return states
        if DrawnOnce.line is None:
            DrawnOnce.line = (torch.rand(_DRAWN) >= DROPPED).to(torch.bfloat16) / (1 - DROPPED)
        at = int(torch.randint(_DRAWN - states.numel(), (1,)))
        mask = DrawnOnce.line[at : at + states.numel()].view(states.shape)
        return states * mask.to(states)


class Scorer(torch.nn.Module):
    """An encoder and two scores a token, of where an answer starts and ends. Embeddings are not trained."""

    def __init__(self, folder: Path, frozen: int = 0) -> None:
        """Open an encoder.

        Args:
            folder: with its weights, as transformers has them.
            frozen: how many of its lower layers are not trained.
        """
        super().__init__()
        self.trunk = AutoModel.from_pretrained(
            str(folder),
            add_pooling_layer=False,
            attn_implementation="eager",
            # As the other masks, those of attention would have to be drawn.
            attention_probs_dropout_prob=0.0,
        )
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, 2)
        self.trunk.embeddings.requires_grad_(False)
        for layer in self.trunk.encoder.layer[:frozen]:
            layer.requires_grad_(False)
        for module in list(self.trunk.modules()):
            for name, part in module.named_children():
                if isinstance(part, torch.nn.Dropout) and part.p:
                    setattr(module, name, DrawnOnce())

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores, [texts, tokens, 2], for token ids and a mask, [texts, tokens]."""
        states = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        scores: torch.Tensor = self.head(states)
        return scores


class Reader(Scorer):
    """The reader that the engine carries: layers over the embedded encoder."""

    def __init__(self) -> None:
        super().__init__(embedded_folder())

    def take(self, path: Path) -> None:
        """Take the weights that an earlier training wrote."""
        state = {name: torch.tensor(value) for name, value in read_layers(path).items()}
        renamed = {n if n.startswith("head.") else f"trunk.{n}": v for n, v in state.items()}
        unknown = self.load_state_dict(renamed, strict=False).unexpected_keys
        if unknown:
            raise SystemExit(f"{path}: not this model's weights: {unknown[0]}")

    def save(self, folder: Path) -> None:
        """Write the layers and the head in few bits, as the engine reads them."""
        state = self.state_dict().items()
        write_layers(
            folder / "reader.safetensors",
            {name: value.detach().numpy().astype(np.float32) for name, value in state},
        )


class Teacher(Scorer):
    """A larger encoder of the same word pieces, which learns the same and is learned from."""

    def __init__(self, folder: Path, frozen: int = 0) -> None:
        super().__init__(folder, frozen)
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        known = tokenizer.get_vocab()
        special = {
            "[CLS]": tokenizer.cls_token, "[SEP]": tokenizer.sep_token,
            "[PAD]": tokenizer.pad_token, "[UNK]": tokenizer.unk_token,
            "[MASK]": tokenizer.mask_token,
        }  # fmt: skip
        pieces = sorted(open_tokenizer().get_vocab().items(), key=lambda one: one[1])
        try:
            own = [known[special.get(piece, piece)] for piece, _ in pieces]
        except KeyError as error:
            raise SystemExit(f"{folder}: its tokenizer has no word piece {error}") from None
        self.own_ids = torch.tensor(own)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores, [texts, tokens, 2], for the embedded encoder's ids and a mask, [texts, tokens].

        Question and text are parted by one separator, as in the small reader's line, also where the
        encoder was trained with two: it learns that soon, and every token stays at its place.
        """
        return super().forward(self.own_ids[ids], mask)

    def take(self, path: Path) -> None:
        """Take the weights that its training wrote."""
        self.load_state_dict(load_file(str(path)))

    def save(self, folder: Path) -> None:
        """Write all weights."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {name: value.detach().contiguous() for name, value in self.state_dict().items()}
        save_file(state, str(folder / "teacher.safetensors"))


def mean_reader(paths: list[Path]) -> Reader:
    """The reader with the mean of the weights that several trainings wrote."""
    readers = [Reader() for _ in paths]
    for reader, path in zip(readers, paths, strict=True):
        reader.take(path)
    readers[0].load_state_dict(mean_of([reader.state_dict() for reader in readers]))
    return readers[0]
