"""The agent's own errors, under the tree of `corpus.errors`.

    BackendError 4
    └── ModelError            the model endpoint, after its retries; never shows a key
        ├── ModelRefused      it declined to answer
        ├── ReplyMalformed    the reply still broke the schema after one repair
        ├── ReplyTruncated    cut off at the token limit (finish_reason "length")
        └── ReplayMiss        replay was asked for and this call is not in the cache
    BudgetExhausted           ends a step in good order; never leaves the agent
"""

from __future__ import annotations

from corpus.errors import BackendError


class ModelError(BackendError):
    """The model endpoint failed after its bounded retries."""


class ModelRefused(ModelError):
    """The model declined to answer."""


class ReplyMalformed(ModelError):
    """The reply broke the schema, and so did its one repair."""


class ReplyTruncated(ModelError):
    """The reply was cut off at the token limit."""


class ReplayMiss(ModelError):
    """Replay never opens a socket; the message names the request hash that is missing."""


class BudgetExhausted(Exception):  # noqa: N818 - an outcome, not a fault
    """A budget ran out: the step that asked ends with what there is."""
