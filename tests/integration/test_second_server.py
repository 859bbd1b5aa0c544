"""The client against a server that is not ours: `transformers serve`, an independent implementation.

It needs `pip install fastapi accelerate`, and is skipped where they are missing. The model is built
by hand: whatever it is asked, it says one JSON object and stops. The server ignores
`response_format`, as many do, so the schema is asked for in words when the reply does not follow.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.errors import ReplyMalformed
from agent.llm import open_model
from agent.llm.port import Message, Request
from agent.llm.shared import traits_for
from agent.prompted.forms import OneKindReply, PlanReply
from agent.prompted.tool_calls import TOOLS
from tests.second_server import NEEDED, missing, transformers_serving

pytestmark = pytest.mark.skipif(
    bool(missing(NEEDED)),
    reason="transformers serve needs fastapi and accelerate: pip install fastapi accelerate",
)

SAID = json.dumps({"reason": "It is asked for.", "kind": "core"})
USER = (
    Message(role="system", content="Sort sub-questions."),
    Message(role="user", content="Which kind is this one?"),
)


def write_model(folder: Path) -> None:
    """Write a Llama whose layers add nothing and whose head maps each token to its successor."""
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = ["<s>", "</s>", *letters]
    tokenizer = Tokenizer(models.BPE(vocab={name: n for n, name in enumerate(names)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(SAID, normalized=False)])
    said = tokenizer.token_to_id(SAID)
    last = tokenizer.token_to_id("|")
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="</s>"
    )
    wrapped.chat_template = (
        "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant|"
    )
    size = 4 * ((said + 4) // 4)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=size, hidden_size=size, intermediate_size=8, num_hidden_layers=1,
            num_attention_heads=2, max_position_embeddings=8192, tie_word_embeddings=False,
            bos_token_id=0, eos_token_id=1, pad_token_id=1,
        )
    )  # fmt: skip
    with torch.no_grad():
        model.model.embed_tokens.weight.copy_(torch.eye(size))
        model.model.layers[0].self_attn.o_proj.weight.zero_()
        model.model.layers[0].mlp.down_proj.weight.zero_()
        model.lm_head.weight.zero_()
        model.lm_head.weight[said, last] = 1.0
        model.lm_head.weight[1, said] = 1.0
    model.save_pretrained(folder)
    wrapped.save_pretrained(folder)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A running server: (address, model's name)."""
    folder = tmp_path_factory.mktemp("model")
    script = (
        "import sys; from pathlib import Path; "
        "from tests.integration.test_second_server import write_model; "
        "write_model(Path(sys.argv[1]))"
    )
    root = Path(__file__).parents[2]
    quiet = {"cwd": root, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-c", script, str(folder)], check=True, **quiet)  # type: ignore[call-overload]
    with transformers_serving(folder) as url:
        yield url, str(folder)


@pytest.mark.parametrize("stream", [False, True])
async def test_text_schemas_and_tools(server: tuple[str, str], stream: bool) -> None:
    url, name = server
    model = open_model(name, url, stream=stream, timeout=60)
    reply = await model.complete(Request(USER, max_tokens=5, seed=1))
    assert reply.text == SAID
    assert reply.usage.tokens_in > 0
    reply = await model.complete(Request(USER, schema=OneKindReply, max_tokens=5))
    assert isinstance(reply.parsed, OneKindReply)
    reply = await model.complete(Request(USER, tools=TOOLS, schema=OneKindReply, max_tokens=5))
    assert reply.parsed is not None
    assert reply.tool_calls == ()


async def test_a_schema_it_does_not_follow_is_said_in_words(server: tuple[str, str]) -> None:
    url, name = server
    traits = traits_for(url, name)
    traits.proven, traits.schema_mode = False, "json_schema"
    with pytest.raises(ReplyMalformed, match="sub_questions: Field required"):
        await open_model(name, url, timeout=60).complete(
            Request(USER, schema=PlanReply, max_tokens=5)
        )
    assert traits.schema_mode == "text"
