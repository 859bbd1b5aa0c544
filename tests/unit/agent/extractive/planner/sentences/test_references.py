"""What a question points back at is named in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.sentences.references import pointed_out


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        # People speak of themselves.
        ("I'm going to hear Medea on Friday. Who composed it, and when was it first heard?",
         "Who composed Medea, and when was it first heard?"),
        ("My aunt crossed the Tay bridge twice. How long is it?", "How long is the Tay bridge?"),
        ("My friend is from Uri. Which river flows there?", "Which river flows in Uri?"),
        ("I read a novel by Ann Lee. When was she born?", "When was Ann Lee born?"),
        ("We looked at the gates of Metz. How old are they?", "the gates of Metz: how old are they?"),
        ("I collect coins. I need Uri, Zug and Bern. When did each of them join?",
         "Uri, Zug and Bern: when did each of them join?"),
        ("Someone told me about trials with kites. Where were these trials run?",
         "Where were the trials with kites run?"),
        ("I heard about a ship that sank at Wick. When was it built?",
         "the ship that sank at Wick: when was it built?"),
        # Something is told.
        ("Uri has an old bell. Who cast it?", "Who cast Uri's old bell?"),
        ("Uri has seven lakes. Which of them is the widest?", "Which of Uri's seven lakes is the widest?"),
        ("A rich painter burned his own mill. In what year did he die?",
         "the rich painter who burned his own mill: in what year did he die?"),
        ("Some lakes lie in Uri. How deep is each of them?", "How deep is each of the lakes that lie in Uri?"),
        ("I've heard that Ann Lee lost her lute. Where was it found?", "Where was Ann Lee's lute found?"),
        ("The Fram had an accident. Who was its captain?", "Who was the Fram's captain?"),
        ("Uri is the oldest town in Zug. How large is it?", "How large is Uri?"),
        ("Ann Lee painted four bells in 1610. What are they called?", "Which bells did Ann Lee paint in 1610?"),
        ("The first man in Uri was a baker. What was his name?",
         "the first man in Uri: what was his name?"),
        ("Bell Mill was once famous. Who owns it now?", "Who owns Bell Mill now?"),
        ("Uri, Zug and Bern all built a fort. Which of the three was the last to do so?",
         "Which of Uri, Zug and Bern was the last to build a fort?"),
        ("There are two forts. One is called Wick, the other Thurso. Which is the older?",
         "Which of Wick and Thurso is the older?"),
        ("The Fram sank late. In what year was that?", "In what year did the Fram sink?"),
        ("Ann Lee wrote several plays. Which ones were they?", "Which plays did Ann Lee write?"),
        ("My son asks how deep the Mere is. And what about the Tarn?",
         "How deep the Mere is and how deep the Tarn is?"),
        # Nothing is pointed at.
        ("Uri is known for its lakes. Its roads are steep. How many of the five Wick forts are old?",
         "How many of the five Wick forts are old?"),
        ("The Mere is said to be deeper than the Tarn. By how much is the Tarn wider?",
         "By how much is the Tarn wider than the Mere?"),
        ("We are off to Metz and Lyon and love trams. In what year did each get one?",
         "Metz and Lyon: in what year did each get one?"),
        ("Everybody knows Ann Lee. Did Bob Fry sail as well?", "Did Bob Fry sail as well?"),
        ("Last summer we visited the Fram Museum in Oslo. When was it opened?",
         "When was the Fram Museum in Oslo opened?"),
        ("I am off to see old forts. Wick would be on my way. Has it ever held a king?",
         "Has Wick ever held a king?"),
        # What is meant is not made out.
        ("I've heard that Ann Lee sank a ship. What was the ship called?",
         "I've heard that Ann Lee sank a ship. What was the ship called?"),
        ("I'm reading about the Tour. Who won in France?", "I'm reading about the Tour. Who won in France?"),
        ("Women came late to Uri. For Zug I know the year. When did Bern first admit them?",
         "Women came late to Uri. For Zug I know the year. When did Bern first admit them?"),
        ("Ann Lee met Bob Fry at Wick. What did it cost?", "Ann Lee met Bob Fry at Wick. What did it cost?"),
        ("Ann Lee won a prize. Who was the second?", "Ann Lee won a prize. Who was the second?"),
        ("Uri gave a bell to Zug. Who cast it?", "Uri gave a bell to Zug. Who cast it?"),
        ("My aunt says that Uri is old. Is she right?", "My aunt says that Uri is old. Is she right?"),
        ("Where is Uri? And who founded it?", "Where is Uri? And who founded it?"),
        ("Uri, Zug and Bern were each founded by somebody. Which of these dukes got oldest?",
         "Uri, Zug and Bern were each founded by somebody. Which of these dukes got oldest?"),
    ],
)  # fmt: skip
def test_what_is_pointed_at_is_named(question: str, plain: str) -> None:
    assert pointed_out(question) == plain


@given(st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(pointed_out(text), str)


@given(st.text(alphabet="Aab ItT.he?sw", max_size=80))
def test_any_sentences_can_be_read(text: str) -> None:
    assert isinstance(pointed_out(text), str)
