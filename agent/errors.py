"""The agent's own errors, under the tree of `corpus.errors`.

BackendError 4
└── ModelError            the model endpoint, after its retries; never shows a key
├── ModelUnreachable      nothing is there: ends the question at once
├── ModelRefused      it declined to answer
├── ReplyMalformed    the reply still broke the schema after one repair
├── ReplyTruncated    cut off at the token limit (finish_reason "length")
├── ToolsRefused      the server takes no tools: the text protocol stands in
└── ReplayMiss        replay was asked for and this call is not in the cache
BudgetExhausted           ends a step in good order; never leaves the agent
"""

from __future__ import annotations

from agent.types import Usage
from corpus.errors import BackendError


class ModelError(BackendError):
    """The model endpoint failed after its bounded retries."""

    usage: Usage = Usage()
    """What the call had used when it failed."""
    said: str = ""
    """What the model had said, where it said something that cannot be used as it is."""


class ModelUnreachable(ModelError):  # noqa: N818 - says what happened
    """The endpoint has never answered and takes no connection: no other call would fare better."""


class ModelRefused(ModelError):  # noqa: N818 - says what happened
    """The model declined to answer."""


class ReplyMalformed(ModelError):  # noqa: N818 - says what happened
    """The reply broke the schema, and so did its one repair."""


class ReplyTruncated(ModelError):  # noqa: N818 - says what happened
    """The reply was cut off at the token limit."""


class ToolsRefused(ModelError):  # noqa: N818 - says what happened
    """The server takes no tools with this model; nothing was answered."""


class ReplayMiss(ModelError):  # noqa: N818 - says what happened
    """Replay never opens a socket; the message names the request hash that is missing."""


class BudgetExhausted(Exception):  # noqa: N818 - an outcome, not a fault
    """A budget ran out: the step that asked ends with what there is."""
