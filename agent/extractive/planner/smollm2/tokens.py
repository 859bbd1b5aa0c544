"""The tokens of SmolLM2: byte-level BPE, each digit alone, made of what its GGUF file says of it."""

from __future__ import annotations

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from agent.extractive.planner.smollm2.gguf import GgufFile

VOCABULARY = "tokenizer.ggml.tokens"
MERGES = "tokenizer.ggml.merges"


def tokenizer_of(file: GgufFile) -> Tokenizer:
    """Return the tokenizer of a model; it adds nothing before or after a text.

    Texts have no control tokens: `<|im_start|>` in a question is what its author typed. Who builds a
    prompt of control tokens takes their numbers from `token_to_id`.
    """
    numbers = {token: number for number, token in enumerate(file.strings(VOCABULARY))}
    # A token has no space in it: the byte of a space is written as a letter.
    pairs = (pair.partition(" ") for pair in file.strings(MERGES))
    merges = [(first, second) for first, _, second in pairs]
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
