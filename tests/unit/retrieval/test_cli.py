from __future__ import annotations

import errno
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from corpus.errors import InputError
from corpus.files import sha256_of
from retrieval.bm25 import segment
from retrieval.bm25.store import write_manifest
from retrieval.cli import main
from retrieval.trials import read_topics
from tests.unit.retrieval.wiki import small_snapshot


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command line; return its exit code, standard output and standard error."""
    before = sys.argv
    sys.argv = ["retrieval", *map(str, arguments)]
    try:
        with pytest.raises(SystemExit) as left:
            main()
    finally:
        sys.argv = before
    captured = capsys.readouterr()
    return int(left.value.code or 0), captured.out, captured.err


def test_build_search_info(
    capsys: pytest.CaptureFixture[str], bare_wiki: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "wiki"
    shutil.copytree(bare_wiki, folder)
    code, out, err = run(capsys, "build", folder, "--bm25-only")
    assert (code, out) == (0, "")
    assert err.endswith("built bm25\n")
    # What a hybrid needs of vectors it makes itself.
    assert json.loads(run(capsys, "info", folder, "--json")[1])["modes"] == ["bm25", "hybrid"]
    code, out, err = run(capsys, "build", folder, "--faiss", "SQfp16")
    assert err.endswith("built dense\n")
    assert run(capsys, "build", folder, "--faiss", "SQfp16")[2].endswith("all is up to date\n")

    code, out, _ = run(capsys, "info", folder, "--json")
    record = json.loads(out)
    assert record["modes"] == ["bm25", "dense", "hybrid"]
    assert [index["name"] for index in record["indexes"]] == ["bm25", "dense"]
    code, out, _ = run(capsys, "info", folder, "--verify")
    assert "modes: bm25, dense, hybrid" in out
    assert out.count("ready") == 2


def test_search_prints_one_object_a_query(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path, tmp_path: Path
) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("river through Vienna\n\nGuido van Rossum\n", encoding="utf-8")
    code, out, err = run(
        capsys, "search", indexed_wiki, "largest moon", "--queries", queries, "-k", 2, "--json"
    )
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["query"] for record in records] == [
        "largest moon",
        "river through Vienna",
        "Guido van Rossum",
    ]
    assert list(records[0]) == ["query", "hits"]
    assert list(records[1]["hits"][0]) == [
        "rank",
        "score",
        "chunk_id",
        "page_id",
        "rev_id",
        "title",
        "section",
        "start",
        "end",
        "text",
    ]
    assert records[1]["hits"][0]["title"] == "Danube"


def test_search_of_given_articles(capsys: pytest.CaptureFixture[str], indexed_wiki: Path) -> None:
    for mode in ("bm25", "dense", "hybrid"):
        options = ("--mode", mode, "--json", "--article", "Mars", "--article", "Huygens")
        code, out, err = run(capsys, "search", indexed_wiki, "largest moon", *options)
        assert (code, err) == (0, "")
        titles = {hit["title"] for hit in json.loads(out)["hits"]}
        assert "Mars" in titles <= {"Mars", "Christiaan Huygens"}
    code, out, err = run(capsys, "search", indexed_wiki, "moon", "--article", "Marz")
    assert (code, out) == (2, "")
    assert "did you mean 'Mars'" in err


def test_queries_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = "\ufeffbread\r\n\r\nplanet\x0cring\u2028moon\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    arguments = ("search", indexed_wiki, "--queries", "-", "--mode", "bm25", "--json")
    code, out, _ = run(capsys, *arguments)
    asked = [json.loads(line)["query"] for line in out.splitlines()]
    assert (code, asked) == (0, ["bread", "planet\x0cring\u2028moon"])


def test_strange_queries_are_answered(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path
) -> None:
    strange = {
        "": False,
        "   ": False,
        "!!! ???": False,
        "🪐🌙": False,
        "moon\udcff": True,
        "\ud83c\udf19 moon": True,
        "moon " * 20_000: True,
        "moon AND (NOT planet) OR title:*": True,
        "\x00moon": True,
        "月": False,
    }
    code, out, err = run(
        capsys, "search", indexed_wiki, *strange, "--mode", "bm25", "-k", 1, "--json"
    )
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.encode().decode().splitlines()]
    assert [bool(record["hits"]) for record in records] == list(strange.values())
    assert records[4]["query"] == "moon\ufffd"
    assert records[5]["query"] == "🌙 moon"
    assert run(capsys, "search", indexed_wiki, *strange, "--mode", "hybrid", "-k", 1)[0] == 0


def test_search_prints_for_people(capsys: pytest.CaptureFixture[str], indexed_wiki: Path) -> None:
    code, out, _ = run(
        capsys, "search", indexed_wiki, "moons of Saturn", "xyzzy", "--mode", "bm25", "-k", 1
    )
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "# moons of Saturn"
    assert "Saturn > Moons  [11:1100:1]" in lines[1]
    assert lines[-1].strip() == "nothing found"


def test_the_words_that_are_asked_can_be_chosen(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path
) -> None:
    asked = ("search", indexed_wiki, "moons of Saturn", "--mode", "bm25", "-k", 1)
    # The article of Titan says "of" twice, which counts only where all words are asked.
    assert "Titan  [14:1400:0]" in run(capsys, *asked, "--wording", "all")[1]
    assert "Saturn > Moons" in run(capsys, *asked, "--wording", "content")[1]
    code, _, err = run(capsys, *asked, "--wording", "some")
    assert code == 2
    assert "unknown wording 'some': choose content or all" in err


def test_eval_measures_and_writes_a_run(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path, tmp_path: Path
) -> None:
    topics, qrels, run_file = tmp_path / "q.tsv", tmp_path / "qrels", tmp_path / "run"
    topics.write_text("1\triver through Vienna\n2\twho was born in Pisa\n3\tbread\n")
    qrels.write_text("1 0 Danube 1\n2 0 Galileo_Galilei 1\n")
    arguments = ("eval", indexed_wiki, "--queries", topics, "--qrels", qrels, "--run", run_file)
    code, out, _ = run(capsys, *arguments, "--json")
    record = json.loads(out)
    assert code == 0
    assert (record["mode"], record["wording"]) == ("hybrid", "all")
    assert (record["topics"], record["unjudged"], record["unasked"]) == (3, 1, 0)
    assert record["metrics"]["mrr"] == 1.0
    first = run_file.read_text().splitlines()[0].split()
    assert first[:4] == ["1", "Q0", "Danube", "1"]
    code, out, err = run(capsys, *arguments, "--mode", "bm25")
    assert "ndcg@10" in out
    assert "1 of 3 topics have no judgments" in err
    assert run(capsys, *arguments, "--by", "words")[0] == 2
    code, out, err = run(capsys, *arguments[:-1], tmp_path / "nowhere" / "run")
    assert (code, out) == (2, "")
    assert "there is no folder" in err
    qrels.write_text("1 0 Danube 1\n2 0 Galileo_Galilei 1\n4 0 Bread 1\n5 0 Bread 1\n")
    code, out, err = run(capsys, *arguments)
    assert "mrr          0.5000" in out
    assert "2 of 4 judged topics have no query: 4, 5; they count 0" in err
    qrels.write_text("1 0 Danub 1\n2 0 Galileo Galilei 1\n")
    code, out, err = run(capsys, *arguments, "--mode", "bm25")
    assert "1 of 2 judged documents are not in the snapshot: Danub; nothing finds them" in err
    assert "recall@5     0.5000" in out
    code, out, _ = run(capsys, *arguments, "--mode", "bm25,hybrid")
    assert code == 0
    assert {path.name for path in tmp_path.glob("run.*")} == {"run.bm25", "run.hybrid"}
    assert out.splitlines()[0].split() == ["bm25", "hybrid"]
    assert "after Holm" in out


def test_topics_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    for content, words in (
        ("alone", "line 1: expected a topic, a space or a tab and a query"),
        ("1\ta\n2 b", "line 2: expected a topic, a tab and a query"),
        ("1\ta\n1\tb", "line 2: topic 1 comes twice"),
        ("<top><title> moon </top>", "topic 1: a topic without a number"),
        ("a b\tc", "line 1: expected"),
    ):
        path.write_text(content)
        with pytest.raises(InputError, match=words):
            read_topics(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_topics(path)
    path.write_text("7\t moon \n\n8\t\n")
    assert read_topics(path) == {"7": "moon", "8": ""}
    path.write_text("7 moon of Mars\n8  two  words\n")
    assert read_topics(path) == {"7": "moon of Mars", "8": "two  words"}
    path.write_text(
        "<top>\n<num> Number: 301\n<title> Organized\n Crime \n<desc> Description:\nwords\n</top>\n"
        "<top><num>302</num><title>Topic: Polio</title></top>\n"
    )
    assert read_topics(path) == {"301": "Organized Crime", "302": "Polio"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "{wiki}"], "no query: give one or more, or --queries FILE"),
        (["search", "{wiki}", "q", "--mode", "sparse"], "unknown mode 'sparse'"),
        (["search", "{wiki}", "q", "--device", "tpu"], "unknown device 'tpu'"),
        (["search", "{wiki}", "q", "--fusion", "sum"], "unknown fusion 'sum'"),
        (["search", "{wiki}", "q", "--device", "gpu"], "--device gpu"),
        (["search", "{wiki}", "--queries", "{tmp}/none"], "cannot be read (No such file"),
        (["search", "{wiki}", "--queries", "{tmp}/bytes"], "not UTF-8 text"),
        (["search", "{tmp}/nowhere", "q"], "no snapshot at"),
        (["info", "{tmp}"], "is not a snapshot"),
        (["build", "{wiki}", "--faiss", "Nonsense"], "--faiss Nonsense"),
        (["build", "{wiki}", "--embedder", "./nowhere"], "no embedding model './nowhere'"),
        (["build", "{wiki}", "--analyzer", "klingonese-x"], "unknown analyzer"),
        (["search", "{bare}", "q", "--mode", "dense"], "no index `dense`"),
    ],
)
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str],
    indexed_wiki: Path,
    bare_wiki: Path,
    tmp_path: Path,
    arguments: list[str],
    words: str,
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    places = {"wiki": indexed_wiki, "bare": bare_wiki, "tmp": tmp_path}
    code, out, err = run(capsys, *[argument.format(**places) for argument in arguments])
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_damaged_and_foreign_indexes_are_named(
    capsys: pytest.CaptureFixture[str], indexed_wiki: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "wiki"
    shutil.copytree(indexed_wiki, folder)
    words = folder / "indexes" / "bm25" / "words" / "segments-00000.bin"
    whole = words.read_bytes()
    for broken in (whole[:-9], whole[:2000] + b"\xff" * 9 + whole[2009:]):
        words.write_bytes(broken)
        code, out, err = run(capsys, "search", folder, "moon", "--mode", "bm25")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"{words} is damaged" in err
        assert "build it again with `python -m retrieval build" in err
        record = json.loads(run(capsys, "info", folder, "--json")[1])
        assert record["modes"] == ["dense"]
        assert "is damaged" in record["indexes"][0]["fault"]
        assert "is damaged" in run(capsys, "info", folder)[1]
    assert run(capsys, "build", folder, "--bm25-only")[2].endswith("built bm25\n")
    assert run(capsys, "search", folder, "moon", "--mode", "bm25")[0] == 0

    pages = {"Rhine": "A river.", "Jupiter": "A planet with moons."}
    other = small_snapshot(tmp_path / "other", pages)
    shutil.copytree(folder / "indexes", other / "indexes")
    code, _, err = run(capsys, "search", other, "moon", "--mode", "bm25")
    assert (code, err.count("\n")) == (2, 1)
    assert "belongs to another snapshot" in err


def test_an_index_of_another_analyzer_is_used_with_its_own(
    capsys: pytest.CaptureFixture[str], bare_wiki: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "wiki"
    shutil.copytree(bare_wiki, folder)
    run(capsys, "build", folder, "--bm25-only", "--analyzer", "plain")
    options = ("--mode", "bm25", "--json", "-k", "1")
    out = run(capsys, "search", folder, "languages", "discovered", *options)[1]
    found = [bool(json.loads(line)["hits"]) for line in out.splitlines()]
    assert found == [False, True]
    manifest = folder / "indexes" / "bm25" / "words" / "manifest.json"
    # As after a new release of the stemmer's package: name and version are the same.
    record = json.loads(manifest.read_text())
    record["analyzer"]["fingerprint"] = "0123456789abcdef"
    del record["checksum"]
    write_manifest(manifest.parent, record)
    outer = folder / "indexes" / "bm25" / "manifest.json"
    content = json.loads(outer.read_text())
    content["files"]["words/manifest.json"] = {
        "bytes": manifest.stat().st_size,
        "sha256": sha256_of(manifest),
    }
    outer.write_text(json.dumps(content))
    code, out, err = run(capsys, "search", folder, "languages", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "now makes other terms" in err


def test_a_full_disk_is_one_line(
    capsys: pytest.CaptureFixture[str],
    bare_wiki: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "wiki"
    shutil.copytree(bare_wiki, folder)

    def fill_up(given: segment.Segment, file: BinaryIO) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)

    with monkeypatch.context() as patch:
        patch.setattr(segment, "write", fill_up)
        code, out, err = run(capsys, "build", folder, "--bm25-only")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "free some space and run the same command again" in err
    assert run(capsys, "info", folder)[1].endswith("modes: none, run `python -m retrieval build`\n")
    assert run(capsys, "build", folder, "--bm25-only")[2].endswith("built bm25\n")
