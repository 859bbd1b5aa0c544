"""The models that `train_reader.py` trains: the reader that the engine carries, and larger ones.

All take the token ids of the embedded encoder and score every token, so that a larger model can
teach the small one token by token.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoModelForQuestionAnswering, AutoTokenizer
from weighing import mean_of

from agent.extractive.weights.store import open_tokenizer, read_layers, write_layers
from retrieval.dense.embedders import embedded_folder

DROPPED = 0.1
"""Share of the encoder's states that is dropped while it learns."""


class Reader(torch.nn.Module):
    """The embedded encoder and three scores a token. Embeddings are not trained.

    Of where an answer starts, where it ends, and, read where it starts, whether it says yes.
    """

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
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, 3)
        self.trunk.embeddings.requires_grad_(False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores, [texts, tokens, 3], for token ids and a mask, [texts, tokens]."""
        states = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        scores: torch.Tensor = self.head(states)
        return scores

    def take(self, path: Path) -> None:
        """Take the weights that an earlier training wrote."""
        state = {name: torch.tensor(value) for name, value in read_layers(path).items()}
        renamed = {n if n.startswith("head.") else f"trunk.{n}": v for n, v in state.items()}
        for name in ("head.weight", "head.bias"):
            # An earlier training may know no yes and no.
            own = torch.zeros_like(self.state_dict()[name])
            own[: len(renamed[name])] = renamed[name]
            renamed[name] = own
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


class LargerReader(torch.nn.Module):
    """Any encoder of the same word pieces, as transformers' question answering. Embeddings stay."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.model = AutoModelForQuestionAnswering.from_pretrained(
            str(folder), hidden_dropout_prob=DROPPED, attention_probs_dropout_prob=0.0
        )
        self.model.base_model.embeddings.requires_grad_(False)
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        small = open_tokenizer()
        own = tokenizer.get_vocab()
        special = {
            "[CLS]": tokenizer.cls_token, "[SEP]": tokenizer.sep_token,
            "[PAD]": tokenizer.pad_token, "[UNK]": tokenizer.unk_token,
            "[MASK]": tokenizer.mask_token,
        }  # fmt: skip
        pieces = sorted(small.get_vocab().items(), key=lambda one: one[1])
        try:
            known = [own[special.get(piece, piece)] for piece, _ in pieces]
        except KeyError as error:
            raise SystemExit(f"{folder}: its tokenizer has no word piece {error}") from None
        self.own_ids = torch.tensor(known)
        self.separator = small.token_to_id("[SEP]")
        pair = tokenizer("a", "b")["input_ids"]
        self.separators = pair.count(tokenizer.sep_token_id) - 1
        """Between question and text: two where the model follows RoBERTa."""

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores of start and end, [texts, tokens, 2], for the ids of the embedded encoder."""
        ids = ids.to(self.own_ids.device)
        firsts = (ids == self.separator).int().argmax(dim=1)
        spread = self.separators - 1
        places = torch.arange(ids.shape[1]).expand_as(ids)
        # Where each token of the small model's stands in this one's line.
        moved = places + spread * (places > firsts[:, None])
        line = torch.full((len(ids), ids.shape[1] + spread), int(self.own_ids[self.separator]))
        line.scatter_(1, moved, self.own_ids[ids])
        seen = torch.ones_like(line)
        seen.scatter_(1, moved, mask)
        out = self.model(input_ids=line, attention_mask=seen)
        scores = torch.stack([out.start_logits, out.end_logits], dim=2)
        return scores.gather(1, moved[:, :, None].expand(-1, -1, 2))

    def save(self, folder: Path) -> None:
        """Write a folder that `--reader` of the agent opens."""
        self.model.save_pretrained(str(folder))
        AutoTokenizer.from_pretrained(str(self.folder)).save_pretrained(str(folder))


def mean_reader(paths: list[Path]) -> Reader:
    """The reader with the mean of the weights that several trainings wrote."""
    readers = [Reader() for _ in paths]
    for reader, path in zip(readers, paths, strict=True):
        reader.take(path)
    readers[0].load_state_dict(mean_of([reader.state_dict() for reader in readers]))
    return readers[0]
