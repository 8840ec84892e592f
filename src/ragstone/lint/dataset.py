"""The files that are checked, read once each; of documents and results only ids are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ragstone.formats import (
    NotGroupedError,
    RunFile,
    Source,
    open_run,
    read_qrels,
    stream_documents,
    stream_queries,
)
from ragstone.formats.detection import detect_qrels
from ragstone.lint.finding import Role, Spot, Tally
from ragstone.lint.ids import Ids, looks_like
from ragstone.model import Qrels, Results
from ragstone.text import words


class Queries:
    """The queries file: its ids, and the words of each text."""

    def __init__(self, source: Source, field: str | None, top: int) -> None:
        """Read it; ids that come twice or look alike are noted."""
        self.source, self.ids = source, Ids()
        self.lines: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.repeated, self.alike = Tally(top), Tally(top)
        for line, query, text in stream_queries(source, field):
            self._add(line, query, text)

    def _add(self, line: int, query: str, text: str) -> None:
        if query in self.ids:
            message = f"{query!r} stands here too, first at line {self.lines[query]}"
            self.repeated.add(Spot("queries", message, line))
            return
        if twin := self.ids.add(query):
            self.alike.add(Spot("queries", looks_like(query, twin), line))
        self.lines[query], self.texts[query] = line, text

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """The normalised words of each query that has any."""
        return {query: found for query, text in self.texts.items() if (found := tuple(words(text)))}


class Judgments:
    """The qrels, and where they come from."""

    def __init__(self, source: Source, format_name: str) -> None:
        """Read them."""
        self.source = source
        self.format = detect_qrels(source) if format_name == "auto" else format_name
        self.qrels: Qrels = read_qrels(source, self.format)

    @cached_property
    def documents(self) -> dict[str, str]:
        """Each judged document, and the first query for which it is judged."""
        first: dict[str, str] = {}
        for query, judged in self.qrels.items():
            for doc in judged:
                first.setdefault(doc, query)
        return first

    @cached_property
    def query_ids(self) -> Ids:
        """The ids of the judged queries."""
        return Ids(self.qrels)

    @cached_property
    def document_ids(self) -> Ids:
        """The ids of the judged documents."""
        return Ids(self.documents)


class Corpus:
    """The corpus, streamed; what is kept grows with the number of ids alone."""

    def __init__(self, source: Source, top: int) -> None:
        """Read it; ids that come twice or look alike, and empty texts, are noted."""
        self.source, self.ids = source, Ids()
        self.repeated, self.alike, self.empty = Tally(top), Tally(top), Tally(top)
        for line, doc, title, text in stream_documents(source):
            if doc in self.ids:
                self.repeated.add(Spot("corpus", f"{doc!r} stands here again", line))
            elif twin := self.ids.add(doc):
                self.alike.add(Spot("corpus", looks_like(doc, twin), line))
            if not text.strip():
                rest = " and no title" if not title.strip() else f"; its title is {title[:60]!r}"
                self.empty.add(Spot("corpus", f"{doc!r} has no text{rest}", line))


class Ranked:
    """The run, streamed: its queries, each document once, and queries that found their own id."""

    def __init__(self, run: RunFile, top: int) -> None:
        """Read it, in one go where the lines of each query stand together."""
        self.source = run.source
        facts: Counter[str] = Counter()
        try:
            self._read(run.results(facts), top)
        except NotGroupedError:
            self._read(run.collected(facts), top)

    def _read(self, stream: Iterable[Results], top: int) -> None:
        self.queries: dict[str, None] = {}
        self._documents: dict[bytes, str] = {}
        self.own = Tally(top)
        for query, docs, _, _ in stream:
            self.queries[query] = None
            for doc in docs:
                self._documents.setdefault(doc, query)
            if query.encode() in docs:
                self.own.add(Spot("run", f"query {query!r} has itself among its results"))

    def documents(self) -> Iterator[tuple[str, str]]:
        """Go through the documents, each with the first query that retrieved it."""
        for doc, query in self._documents.items():
            yield doc.decode(), query


class Dataset:
    """What is there to check, and how: opened at once, read when a check asks for it.

    grades: the scale of the grades; near: the share of words from which queries are nearly the
    same; top: how many examples are kept of each kind.
    """

    def __init__(
        self,
        sources: Mapping[Role, Source],
        *,
        field: str | None = None,
        qrels_format: str = "auto",
        run_format: str = "auto",
        grades: tuple[int, ...] | None = None,
        near: float = 0.9,
        top: int = 10,
    ) -> None:
        """Keep what is needed to read them."""
        self._sources, self._field = sources, field
        self._qrels_format, self._run_format = qrels_format, run_format
        self.grades, self.near, self.top = grades, near, top

    @property
    def given(self) -> set[str]:
        """What a check may need and has: the roles of the files, and `grades`."""
        return {*self._sources, *(["grades"] if self.grades is not None else [])}

    @cached_property
    def queries(self) -> Queries:
        """The queries."""
        return Queries(self._sources["queries"], self._field, self.top)

    @cached_property
    def judgments(self) -> Judgments:
        """The judgments."""
        return Judgments(self._sources["qrels"], self._qrels_format)

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus."""
        return Corpus(self._sources["corpus"], self.top)

    @cached_property
    def ranked(self) -> Ranked:
        """The run."""
        return Ranked(open_run(self._sources["run"], self._run_format), self.top)
