"""One sub-question answered from sources, with the model calling tools where they do not suffice."""

from __future__ import annotations

from collections.abc import Sequence

from agent.citations import MARK, Checked, check, locate, strip_marks
from agent.errors import ReplyTruncated, ToolsRefused
from agent.llm.port import Completion, Message
from agent.llm.replies.schema import read_reply
from agent.llm.tokens import count_messages
from agent.prompted.fence import fenced, rounded
from agent.prompted.forms import AnswerReply, ClosedAnswerReply
from agent.prompted.inquiry import EVIDENCE_TOKENS, Asking
from agent.prompted.sources import Sources
from agent.prompted.tool_calls import TOOLS, ToolMode, ToolUse, calls_in, results_as_messages
from agent.reasoner import Finding
from agent.tools import Toolbox
from agent.types import SubAnswer, SubQuestion
from retrieval.types import Hit

ANSWER_TOKENS = 1024
RESULT_TOKENS = 4000
"""Tokens of sources that the tool calls of one reply may bring."""
MOST_ITEMS = 200
LONGEST_ITEM = 200
RESULT_OVERHEAD = 160
"""Tokens around a tool's results, beside their text."""
UNSUPPORTED = "the model's answer quotes nothing that stands in the sources"


Given = tuple[AnswerReply, Checked | None]
"""A reply with its answer as checked; None where it says that nothing was found."""


class Answering:
    """Answers sub-questions; remembers whether the server takes tools."""

    def __init__(self, asking: Asking, toolbox: Toolbox | None, tools: ToolMode) -> None:
        self._asking = asking
        self._toolbox = toolbox
        self._strict = tools == "native"
        self._mode: ToolMode = "text" if tools == "text" else "native"

    async def from_memory(self, question: SubQuestion) -> Finding:
        """Answer without sources: the closed setting."""
        messages = self._asking.prompts.messages(
            "answer_closed",
            question=fenced(question.text),
            data_rule=self._asking.prompts.text("data_rule"),
        )
        reply = await self._asking.ask(
            "answer", messages, ClosedAnswerReply, max_tokens=ANSWER_TOKENS
        )
        if not reply.found or not reply.answer.strip():
            return _not_found(question, ())
        answer = SubAnswer(
            sub_question_id=question.id,
            status="answered",
            text=strip_marks(reply.answer).strip(),
            items=tidy_items(reply.items),
        )
        return Finding(sub_answer=answer, hits=())

    async def from_sources(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        """Answer from hits, and from what tools bring."""
        sources = Sources(hits)
        given: Given | None = None
        if self._toolbox is not None:
            given = await self._with_tools(question, sources, self._toolbox)
        if given is None and sources.hits:
            given = await self._without_tools(question, sources)
        reply, checked = given or (None, None)
        if reply is None or checked is None:
            return _not_found(question, sources.hits)
        if not checked.citations:
            answer = SubAnswer(sub_question_id=question.id, status="failed", error=UNSUPPORTED)
        else:
            answer = SubAnswer(
                sub_question_id=question.id,
                status="answered",
                text=checked.text,
                citations=checked.citations,
                items=tidy_items(reply.items),
            )
        return Finding(sub_answer=answer, hits=tuple(sources.hits), struck=checked.struck)

    async def _without_tools(self, question: SubQuestion, sources: Sources) -> Given:
        """Ask for an answer from what there is; once more where nothing it quotes is found."""
        asked_again = False
        checked: Checked | None = None

        def fault(reply: AnswerReply) -> str:
            nonlocal asked_again, checked
            checked = _checked(reply, sources)
            if asked_again or checked is None or checked.citations:
                return ""
            asked_again = True
            return (
                "No quote stands word for word in the source it names. Copy quotes letter by "
                "letter, or set found to false."
            )

        reply = await self._asking.ask(
            "answer",
            self._opening(question, sources, tools=""),
            AnswerReply,
            max_tokens=ANSWER_TOKENS,
            check=fault,
        )
        return reply, checked

    async def _with_tools(
        self, question: SubQuestion, sources: Sources, toolbox: Toolbox
    ) -> Given | None:
        """Return the answer of a conversation with tools; None where it must be asked without."""
        use = ToolUse(toolbox)
        messages = self._opening(question, sources, tools=f"tools_{self._mode}")
        while not use.over:
            try:
                reply = await self._reply(messages)
            except ToolsRefused:
                if self._strict:
                    raise
                self._mode = "text"
                messages = self._opening(question, sources, tools="tools_text")
                continue
            except ReplyTruncated:
                # Without tools it is asked for again, and shorter.
                return None
            calls = calls_in(reply, self._mode, use.rounds)
            if not calls:
                answer = reply.parsed or read_reply(reply.text, AnswerReply)[0]
                if not isinstance(answer, AnswerReply):
                    return None
                checked = _checked(answer, sources)
                usable = checked is None or checked.citations
                return (answer, checked) if usable else None
            results = await use.run(calls)
            room = self._room_after(messages, reply) // len(results)
            bodies = []
            for result in results:
                numbers = sources.add(result.hits)
                bodies.append(self._shown(sources, numbers, room) if numbers else result.notice)
            if room <= 0:
                return None
            messages = [*messages, *results_as_messages(reply, results, bodies, self._mode)]
        return None

    async def _reply(self, messages: Sequence[Message]) -> Completion:
        native = self._mode == "native"
        return await self._asking.reply(
            "answer",
            messages,
            # A server that enforces a schema would not let the model write a call as text.
            schema=AnswerReply if native else None,
            max_tokens=ANSWER_TOKENS,
            tools=TOOLS if native else (),
        )

    def _opening(self, question: SubQuestion, sources: Sources, tools: str) -> list[Message]:
        prompts = self._asking.prompts
        values = {
            "question": fenced(question.text),
            "data_rule": prompts.text("data_rule"),
            "tools": prompts.text(tools) if tools else "",
        }
        room = EVIDENCE_TOKENS
        if self._asking.context_limit is not None:
            bare = prompts.messages("answer", evidence="", **values)
            room = self._asking.room(bare, ANSWER_TOKENS)
            if tools:
                # Half of the room stays free for what tools bring.
                room //= 2
        sources.shown.clear()
        return prompts.messages("answer", evidence=sources.show(room, self._asking.count), **values)

    def _room_after(self, messages: Sequence[Message], reply: Completion) -> int:
        limit = self._asking.context_limit
        if limit is None:
            return RESULT_TOKENS
        turn = [*messages, Message(role="assistant", content=reply.text)]
        used = count_messages(turn, self._asking.count) + self._asking.longest_reply(ANSWER_TOKENS)
        return min(RESULT_TOKENS, limit - used - RESULT_OVERHEAD)

    def _shown(self, sources: Sources, numbers: Sequence[int], room: int) -> str:
        return self._asking.prompts.text(
            "tool_result", evidence=sources.show(room, self._asking.count, numbers)
        )


def checked_answer(reply: AnswerReply, sources: Sources) -> Checked:
    """Return the answer with its marks checked against the sources.

    A model that quotes but writes no marks gets them at the end of its answer.
    """
    quotes = sources.quotes(reply.quotes)
    text = rounded(reply.answer.strip() or "; ".join(tidy_items(reply.items)))
    if not MARK.search(text):
        text += " " + "".join(
            f"[{number}]"
            for number, quote in quotes
            if 1 <= number <= len(sources.hits)
            and locate(quote, sources.hits[number - 1].chunk) is not None
        )
    return check(text, sources.chunks, quotes=quotes, bare_values=True)


def tidy_items(items: Sequence[str]) -> tuple[str, ...]:
    """Return the entities an answer names, one line each, without what later steps would misread.

    They end up inside other sub-questions, so braces (placeholders) and marks go.
    """
    tidy = (
        " ".join(strip_marks(rounded(item)).translate(_NO_BRACES).split())[:LONGEST_ITEM]
        for item in items
    )
    return tuple(dict.fromkeys(item for item in tidy if item))[:MOST_ITEMS]


_NO_BRACES = str.maketrans("{}", "()")


def _checked(reply: AnswerReply, sources: Sources) -> Checked | None:
    return checked_answer(reply, sources) if reply.found else None


def _not_found(question: SubQuestion, hits: Sequence[Hit]) -> Finding:
    answer = SubAnswer(sub_question_id=question.id, status="not_found")
    return Finding(sub_answer=answer, hits=tuple(hits))
