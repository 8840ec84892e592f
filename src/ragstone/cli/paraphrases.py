"""`ragstone leakage --method embedding`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragstone.cli.encoder_options import OF_ENCODERS, check_model, encoder_from
from ragstone.cli.log import log
from ragstone.cli.options import refuse_given
from ragstone.cli.output import Inputs
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.encoders import LanguageChecks
    from ragstone.formats.items import Items
    from ragstone.reports import Report

OF_NGRAMS = (
    *("unit", "shingle", "char_shingle", "ignore_common", "workers"),
    *("engine", "master", "remote"),
)
OF_EMBEDDING = ("window", *OF_ENCODERS)


def check_method(method: str) -> None:
    """Refuse an option that means nothing with the method that was chosen."""
    others = OF_NGRAMS if method == "embedding" else OF_EMBEDDING
    refuse_given(others, f"with --method {method}")


def paraphrase_report(
    inputs: Inputs, corpora: Sequence[str], items: Items, options: Mapping[str, Any]
) -> Report:
    """Look for texts of items in other words, and make the report."""
    from ragstone.cli.progress import byte_progress
    from ragstone.corpus.paraphrases.check import THRESHOLD
    from ragstone.corpus.paraphrases.search import ParaphraseSearch
    from ragstone.corpus.paraphrases.settings import ParaphraseSettings
    from ragstone.gate import Allowance
    from ragstone.progress import Silent
    from ragstone.reports.leakage import build_paraphrases

    allowed = Allowance.of(options["max_leaks"], "--max-leaks")
    settings = ParaphraseSettings(
        threshold=options["threshold"] or THRESHOLD,
        **{name: options[name] for name in ("window", "documents", "min_words")},
    )
    settings.check()
    encoder = encoder_from(options)
    if encoder is None:
        raise UsageError("--method embedding needs an encoder; name one with --encoder")
    corpus = inputs.open_corpus("corpus", corpora, options["max_records"])
    texts = [text for item in items.items for of_field in item.texts.values() for text in of_field]
    checks = check_model(encoder, texts, options)
    search = ParaphraseSearch.of(items, settings, encoder)
    encoder.progress = Silent()  # from here on the corpus has the bar
    found = search.over(corpus, byte_progress("corpus"))
    said = [*checks.notes(), *encoder.notes()]  # said where they are found out
    notes = [*said, *near(checks, settings.threshold)]
    report = build_paraphrases(
        found, inputs.described(), max_leaks=allowed, rows=options["rows"], notes=notes
    )
    for line in report.details.warnings[len(said) :]:
        log.warning(line)
    return report


def near(checks: LanguageChecks, threshold: float) -> list[str]:
    """Say where the threshold is one that this encoder's cosines do not fit."""
    from ragstone.encoders.languages import NAMES

    lines = []
    for each in checks.checks:
        said = (
            f"with this encoder paraphrases in {NAMES[each.language]} have cosines of "
            f"{min(each.alike):.2f} to {max(each.alike):.2f}, sentences that have nothing in "
            f"common up to {max(each.unlike):.2f}: a threshold of {threshold:g}"
        )
        if max(each.unlike) >= threshold:
            lines.append(f"{said} finds what is no paraphrase")
        elif max(each.alike) < threshold:
            lines.append(f"{said} misses what is one")
    return lines
