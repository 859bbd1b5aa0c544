from __future__ import annotations

import pytest

from agent.llm.traits import Refusal, ServerTraits, read_refusal


@pytest.mark.parametrize(
    ("body", "message", "parameter", "code"),
    [
        ({"error": {"message": "no", "param": "seed", "code": "x"}}, "no", "seed", "x"),
        ({"message": "no", "param": "", "code": 400}, "no", None, "400"),
        ({"error": "model does not support tools"}, "model does not support tools", None, None),
        ({"detail": "not found"}, "not found", None, None),
        (
            {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}, "odd"]},
            "body.seed: Extra inputs are not permitted; odd",
            None,
            None,
        ),
        ("plain words", "plain words", None, None),
        ("", "fallback", None, None),
        (None, "fallback", None, None),
        ({"error": None}, "fallback", None, None),
        ({"error": {}}, "fallback", None, None),
    ],
)
def test_errors_are_read_in_every_shape(
    body: object, message: str, parameter: str | None, code: str | None
) -> None:
    assert read_refusal(body, "fallback") == Refusal(
        message=message, parameter=parameter, code=code
    )


def refuse(traits: ServerTraits, message: str, parameter: str | None = None) -> bool:
    refusal = Refusal(message=message, parameter=parameter)
    return traits.refused(refusal, with_schema=True)


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(message="Unsupported value", parameter="temperature"),
        Refusal(message="temperature does not support 0.0 with this model"),
        Refusal(message="body.temperature: Extra inputs are not permitted"),
    ],
)
def test_a_refused_parameter_is_left_out_from_now_on(refusal: Refusal) -> None:
    traits = ServerTraits()
    assert traits.refused(refusal, with_schema=True)
    assert traits.dropped == {"temperature"}
    assert not traits.refused(refusal, with_schema=False)


def test_the_name_for_the_length_of_a_reply_is_changed_once() -> None:
    traits = ServerTraits()
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    assert refuse(traits, words, "max_tokens")
    assert traits.tokens_field == "max_completion_tokens"
    assert not refuse(traits, "Unknown parameter: max_completion_tokens")


def test_the_schema_is_asked_for_less_strictly_step_by_step() -> None:
    traits = ServerTraits()
    assert refuse(traits, "Invalid parameter: 'response_format' of type 'json_schema'")
    assert traits.schema_mode == "json_object"
    assert refuse(traits, "unknown field", "response_format")
    assert traits.schema_mode == "text"
    assert not refuse(traits, "unknown field", "response_format")


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens, you asked for 9000 (max_tokens=1024)",
        "max_tokens is too large: 100000",
        "Please reduce the length of the messages",
    ],
)
def test_what_does_not_fit_is_no_matter_of_parameters(message: str) -> None:
    traits = ServerTraits()
    assert not refuse(traits, message)
    assert not traits.refused(Refusal(message=message, parameter="max_tokens"), with_schema=False)
    assert traits == ServerTraits()
    assert Refusal(message="", code="context_length_exceeded").too_long


def test_an_unknown_complaint_changes_nothing() -> None:
    traits = ServerTraits()
    assert not refuse(traits, "the model is not loaded")
    assert traits == ServerTraits()


def test_a_server_that_ignores_schemas_is_told_in_words_unless_it_has_followed_one() -> None:
    traits = ServerTraits()
    traits.without_following("json_schema")
    traits.without_following("json_schema")
    assert traits.schema_mode == "json_object"
    traits.proven = True
    traits.without_following("json_object")
    assert traits.schema_mode == "json_object"
    traits.proven = False
    traits.without_following("json_object")
    traits.without_following("text")
    assert traits.schema_mode == "text"


@pytest.mark.parametrize(
    ("refusal", "tools"),
    [
        (Refusal(message="llama2 does not support tools"), True),
        (Refusal(message="x", parameter="tools[0]"), True),
        (Refusal(message='"auto" tool choice requires --enable-auto-tool-choice'), True),
        (Refusal(message="stool is no parameter"), False),
    ],
)
def test_a_refusal_of_tools_is_recognised(refusal: Refusal, tools: bool) -> None:
    assert refusal.about_tools is tools


def test_a_content_filter_is_recognised() -> None:
    assert Refusal(message="", code="content_filter").about_content
