"""The options that name an encoder, and the encoder that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.log import log
from ragstone.cli.options import file_to_write, not_empty, stacked
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.encoders import CheckedEncoder, EncoderConfig, LanguageChecks

OF_ENCODERS = ("encoder", "encoder_config", "cache", "offline", "accept_model")
"""What the options below are called, which do nothing where no encoder is asked."""

encoder_option = click.option(
    "--encoder",
    metavar="MODEL",
    callback=not_empty,
    help="What turns texts into vectors: st:NAME or st:FOLDER (sentence-transformers), "
    "openai:MODEL, ollama:MODEL, or module:attribute, code that is imported and run; as in "
    "st:intfloat/multilingual-e5-small.",
)
encoder_config_option = click.option(
    "--encoder-config",
    metavar="FILE",
    callback=not_empty,
    help="TOML with more of the encoder: revision, prompt, endpoint, key, limits; see "
    "docs/encoders.md.",
)
cache_option = click.option(
    "--cache",
    metavar="FILE",
    callback=file_to_write,
    help="Keep vectors in FILE (SQLite), and take from it those that it has.",
)
offline_option = click.option(
    "--offline",
    is_flag=True,
    help="Send nothing: endpoints answer from --cache alone, and no model is fetched.",
)
accept_model_option = click.option(
    "--accept-model",
    is_flag=True,
    help="Go on with an encoder that ranks sentences of the texts' language wrongly.",
)


encoder_options = stacked(
    encoder_option,
    encoder_config_option,
    cache_option,
    offline_option,
    accept_model_option,
)


def encoder_from(options: Mapping[str, Any]) -> CheckedEncoder | None:
    """Return the encoder that the options of a command name; None where they name none.

    Reads `encoder`, `encoder_config`, `cache` and `offline`. What is to be said of the vectors is
    said when the command ends. Raises UsageError, and InputError for a file or code that cannot be
    used.
    """
    from ragstone.encoders import EncoderConfig, read_encoder_config

    path = options.get("encoder_config")
    config = EncoderConfig() if path is None else read_encoder_config(path)
    name = options.get("encoder") or config.model
    if name:
        return _opened(name, config, options)
    if path is not None:
        raise UsageError(f"{path} names no model; write model = ..., or name one with --encoder")
    return None


def _opened(name: str, config: EncoderConfig, options: Mapping[str, Any]) -> CheckedEncoder:
    from ragstone.cli.progress import progress
    from ragstone.encoders import open_encoder
    from ragstone.encoders.local import LocalModel
    from ragstone.encoders.opening import is_code

    offline = bool(options.get("offline"))
    encoder = open_encoder(
        _loaded(name) if is_code(name) else name,
        config,
        cache=options.get("cache"),
        offline=offline,
        progress=progress("texts"),
        name=name,
    )
    if context := click.get_current_context(silent=True):
        context.call_on_close(lambda: _say(encoder))
    if isinstance(encoder.model, LocalModel) and encoder.model.to_fetch(offline=offline):
        log.note(
            f"{encoder.name} is not on this machine: when it is needed it is "
            "fetched from the Hugging Face Hub"
        )
    return encoder


def _say(encoder: CheckedEncoder) -> None:
    """Say in the end what is known of the vectors by then."""
    for line in encoder.notes():
        log.warning(line)


def _loaded(name: str) -> Any:
    from ragstone.usercode import Spec, load

    return load(Spec("--encoder", name.removeprefix("python:")))


def check_model(
    encoder: CheckedEncoder, texts: Sequence[str], options: Mapping[str, Any]
) -> LanguageChecks:
    """Try the encoder with the languages of the texts, and say what a reader should know.

    Raises InputError where it fails, unless `accept_model` is among the options.
    """
    from ragstone.encoders import check_languages

    found = check_languages(encoder, texts, accept=bool(options.get("accept_model")))
    for line in found.notes():
        log.warning(line)
    return found
