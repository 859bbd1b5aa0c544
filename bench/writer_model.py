"""The writer of steps as a torch model: the embedded encoder, and the decoder over its states."""

from __future__ import annotations

import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

import torch  # noqa: E402
from transformers import AutoModel  # noqa: E402

from agent.extractive.planner.writer.decoder import HEADS  # noqa: E402
from agent.extractive.planner.writer.forms import CASES, FORMS  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402

LAYERS, WIDE = 5, 1024
LONGEST_ROW = 160
"""Words of a plan that there are places for."""
FORGOTTEN = 0.08
"""Share of the words written before that are hidden while it learns (Bowman et al. 2016)."""
COUNT_OF_FORMS = len(FORMS)


class Block(torch.nn.Module):
    """One layer of the decoder, its norms in front."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.inner_norm = torch.nn.LayerNorm(size)
        self.inner_in = torch.nn.Linear(size, 3 * size)
        self.inner_out = torch.nn.Linear(size, size)
        self.outer_norm = torch.nn.LayerNorm(size)
        self.outer_query = torch.nn.Linear(size, size)
        self.outer_in = torch.nn.Linear(size, 2 * size)
        self.outer_out = torch.nn.Linear(size, size)
        self.wide_norm = torch.nn.LayerNorm(size)
        self.widen = torch.nn.Linear(size, WIDE)
        self.narrow = torch.nn.Linear(WIDE, size)
        self.dropout = torch.nn.Dropout(0.1)
        # A new layer passes on what it gets, so that a trained decoder can be made deeper.
        for last in (self.inner_out, self.outer_out, self.narrow):
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)

    def forward(self, x: torch.Tensor, seen: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Args: x [texts, row, size]; seen [texts, pieces, size]; hidden: bool [texts, 1, 1, pieces]."""

        def heads(one: torch.Tensor) -> torch.Tensor:
            return one.view(one.shape[0], one.shape[1], HEADS, -1).transpose(1, 2)

        def flat(one: torch.Tensor) -> torch.Tensor:
            return one.transpose(1, 2).reshape(one.shape[0], one.shape[2], -1)

        attend = torch.nn.functional.scaled_dot_product_attention
        q, k, v = self.inner_in(self.inner_norm(x)).chunk(3, -1)
        x = x + self.dropout(
            self.inner_out(flat(attend(heads(q), heads(k), heads(v), is_causal=True)))
        )
        q = self.outer_query(self.outer_norm(x))
        k, v = self.outer_in(seen).chunk(2, -1)
        x = x + self.dropout(
            self.outer_out(flat(attend(heads(q), heads(k), heads(v), attn_mask=hidden)))
        )
        wide = torch.nn.functional.gelu(self.widen(self.wide_norm(x)))
        return x + self.dropout(self.narrow(wide))


class Writer(torch.nn.Module):
    """The encoder, and a decoder that says words of a vocabulary or of the question."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        # Of attention nothing is dropped: examples differ from epoch to epoch, and are learned slowly.
        self.trunk = AutoModel.from_pretrained(
            str(embedded_folder()),
            add_pooling_layer=False,
            hidden_dropout_prob=0.1,
            attention_probs_dropout_prob=0.0,
        )
        size = self.trunk.config.hidden_size
        self.trunk.embeddings.requires_grad_(False)
        self.cases = torch.nn.Embedding(CASES, size)
        self.words = torch.nn.Embedding(vocabulary, size)
        self.words_bias = torch.nn.Parameter(torch.zeros(vocabulary))
        self.places = torch.nn.Embedding(LONGEST_ROW, size)
        self.copied = torch.nn.Linear(size, size)
        self.forms = torch.nn.Embedding(COUNT_OF_FORMS, size)
        self.blocks = torch.nn.ModuleList(Block(size) for _ in range(LAYERS))
        self.norm = torch.nn.LayerNorm(size)
        self.say = torch.nn.Linear(size, size)
        self.point = torch.nn.Linear(size, size)
        self.form_of_state = torch.nn.Linear(size, COUNT_OF_FORMS)
        self.form_of_word = torch.nn.Linear(size, COUNT_OF_FORMS)
        for part in (self.words, self.places, self.forms):
            torch.nn.init.normal_(part.weight, std=0.05)
        torch.nn.init.zeros_(self.cases.weight)

    def read(self, ids: torch.Tensor, mask: torch.Tensor, written: torch.Tensor) -> torch.Tensor:
        """States of the question's pieces, [texts, pieces, size]."""
        e = self.trunk.embeddings
        states = e.word_embeddings(ids) + e.position_embeddings.weight[: ids.shape[1]]
        states = states + self.cases(written) + e.token_type_embeddings.weight[0]
        states = e.dropout(e.LayerNorm(states))
        hidden = torch.where(mask[:, None, None, :] > 0, 0.0, -1e9)
        for layer in self.trunk.encoder.layer:
            states = layer(states, attention_mask=hidden)
            states = states[0] if isinstance(states, tuple) else states
        return states

    def forward(
        self,
        ids: torch.Tensor,
        mask: torch.Tensor,
        written: torch.Tensor,
        means: torch.Tensor,
        said: torch.Tensor,
        from_question: torch.Tensor,
        form: torch.Tensor,
    ) -> torch.Tensor:
        """Scores of what comes next, [texts, row, vocabulary + forms * words].

        Args:
            ids: the question's pieces, [texts, pieces].
            mask: which of them there are.
            written: how their words are written (`forms.cases`).
            means: [texts, words, pieces], what makes words of pieces.
            said: [texts, row], numbers of words of the vocabulary, or places of copied ones.
            from_question: [texts, row], whether they are copied.
            form: [texts, row], in which form.
        """
        seen = self.read(ids, mask, written)
        words = means @ seen
        taken = torch.gather(
            self.copied(words), 1,
            torch.where(from_question, said, 0)[..., None].expand(-1, -1, words.shape[2]),
        ) + self.forms(form)  # fmt: skip
        own = self.words(torch.where(from_question, 0, said))
        x = torch.where(from_question[..., None], taken, own)
        if self.training:  # What it will have written itself is not always right.
            x = x * (torch.rand(x.shape[:2]) >= FORGOTTEN)[..., None]
        x = x + self.places.weight[: x.shape[1]]
        hidden = mask[:, None, None, :] > 0
        for block in self.blocks:
            x = block(x, seen, hidden)
        x = self.norm(x)
        own_scores = self.say(x) @ self.words.weight.T + self.words_bias
        pointed = self.point(x) @ words.transpose(1, 2) / math.sqrt(words.shape[2])
        formed = (
            self.form_of_state(x).transpose(1, 2)[..., None]
            + self.form_of_word(words).transpose(1, 2)[:, :, None]
        )  # [texts, forms, row, words]
        copies = (pointed[:, None] + formed).transpose(1, 2).flatten(2)
        return torch.cat([own_scores, copies], -1)
