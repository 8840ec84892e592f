"""Models of sentence-transformers, run on this machine.

A folder, or a model that was fetched before, is loaded without a single request. A model of the
Hugging Face Hub that is not here is fetched, since the user named it, unless this is to be offline.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ragstone.encoders.config import EncoderConfig
from ragstone.encoders.encoder import Batching
from ragstone.errors import InputError, MissingExtraError, UsageError, one_line, shortened
from ragstone.model import Scalar, Signature
from ragstone.store.models import COMMIT, fetched, folder_digest
from ragstone.usercode.loading import switch_telemetry_off

KIND = "sentence-transformers"
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)


class LocalModel:
    """A model in a folder, or on the Hub by its name and revision."""

    asks_network = False

    def __init__(self, model: str, config: EncoderConfig) -> None:
        """Find out whether it is a folder; nothing is loaded yet."""
        self._given, self.config = f"st:{model}", config
        self.batching = config.batch or Batching()
        self.folder = Path(model).expanduser() if Path(model).expanduser().is_dir() else None
        self.hub = "" if self.folder else _hub_name(model)
        self.name = f"st:{self.folder.resolve().name}" if self.folder else self._given
        if self.folder and config.revision:
            raise UsageError(
                f"{self._given}: a folder has no revision to choose; it is known by its digest"
            )
        self._more: dict[str, Scalar] = {}
        if config.dimensions is not None:
            self._more["encoder_dimensions"] = config.dimensions
        if config.prompt:
            self._more["encoder_prompt"] = config.prompt
        fields = {"encoder": KIND, "encoder_model": self.hub or model, **self._more}
        wanted = {"encoder_revision": config.revision} if config.revision else {}
        self.asked = Signature.of(fields, **wanted)
        self.cut = 0
        self._loaded: Any = None
        self._offline = False

    def __repr__(self) -> str:
        """Show what is loaded."""
        return f"<LocalModel {self._given}>"

    def revision(self, *, offline: bool) -> str | None:
        """Return the digest of a folder, the commit of a model of the Hub; fetch it to know it."""
        self._offline = offline
        if self.folder:
            return f"sha256:{folder_digest(self.folder)}"
        if COMMIT.fullmatch(self.config.revision):
            return self.config.revision
        here = fetched(self.hub, self.config.revision)
        if here is None and self._is_offline:
            return None
        if here is None:
            self._load()
            here = fetched(self.hub, self.config.revision)
        return here.name if here else None

    def to_fetch(self, *, offline: bool) -> bool:
        """Tell whether the model is not here and will be fetched from the Hub when it is needed."""
        here = self.folder or fetched(self.hub, self.config.revision)
        return here is None and not offline and not self._is_offline

    def signed(self, revision: str) -> Signature:
        """Return the signature: a folder is what its files are, wherever it lies."""
        named = {"encoder_model": self.hub} if self.hub else {}
        return Signature.of({"encoder": KIND, **named, "encoder_revision": revision, **self._more})

    def vectors(self, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, Any]]:
        """Yield the rows of each batch, one after the other."""
        if self._loaded is None:
            self._load()
        for place, batch in enumerate(batches):
            self.cut += self._too_long(batch)
            yield place, self._encode(list(batch))

    def notes(self) -> list[str]:
        """Return a line for each thing that a reader should know."""
        if not self.cut:
            return []
        most = self._loaded.max_seq_length
        return [
            f"{self.name} reads the first {most:,} tokens of a text: what comes after them had no "
            f"part in {self.cut:,} of the texts that were encoded"
        ]

    def refused(self, problem: str, reason: str) -> InputError:  # noqa: ARG002 - endpoints have one
        """Return the error for rows that cannot be used."""
        return InputError(f"{self._given}: {problem}; take another model")

    def _encode(self, texts: list[str]) -> Any:
        try:
            return self._loaded.encode(
                texts,
                prompt=self.config.prompt or None,
                batch_size=len(texts),
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except Exception as error:
            raise InputError(f"{self._given} failed: {_said(error)}") from error

    def _too_long(self, texts: Sequence[str]) -> int:
        """Count the texts of which the model reads only the beginning."""
        most = self._loaded.max_seq_length
        tokenizer = getattr(self._loaded, "tokenizer", None)
        long = [text for text in texts if most and len(text.encode()) > most]
        if not long or not callable(tokenizer):
            return 0
        tokens = tokenizer([f"{self.config.prompt}{text}" for text in long], verbose=False)
        return sum(len(each) > most for each in tokens["input_ids"])

    # ---- loading -------------------------------------------------------------------------------

    @property
    def _is_offline(self) -> bool:
        return self._offline or any(
            os.environ.get(name, "").lower() in {"1", "true", "yes", "on"} for name in OFFLINE
        )

    def _load(self) -> None:
        here = self.folder or fetched(self.hub, self.config.revision)
        if here is None and self._is_offline:
            raise InputError(
                f"{self._given}: this model is not on this machine, and offline it is not fetched; "
                "name a folder that has it, or run it once without --offline"
            )
        try:
            self._loaded = self._opened(str(here or self.hub), local=here is not None)
        except InputError:
            if self.folder or self._is_offline or here is None:
                raise
            self._loaded = self._opened(self.hub, local=False)  # a part of it was fetched

    def _opened(self, place: str, *, local: bool) -> Any:
        switch_telemetry_off()
        try:
            with _quiet():
                from sentence_transformers import SentenceTransformer

                return SentenceTransformer(
                    place,
                    device=self.config.device or "cpu",
                    local_files_only=local,
                    revision=None if local else self.config.revision or None,
                    truncate_dim=self.config.dimensions,
                )
        except ImportError as error:
            if (error.name or "").partition(".")[0] == "sentence_transformers":
                raise MissingExtraError(f"the encoder {self._given}", "embeddings") from None
            raise InputError(f"{self._given} cannot be loaded: {_said(error)}") from error
        except Exception as error:
            raise InputError(f"{self._given} cannot be loaded: {_said(error)}") from error


def _hub_name(model: str) -> str:
    if not _HUB_NAME.fullmatch(model):
        raise UsageError(
            f"st:{model}: there is no such folder, and it is no name of a model on the Hugging "
            "Face Hub, as in st:intfloat/multilingual-e5-small"
        )
    return model if "/" in model else f"sentence-transformers/{model}"


def _said(error: Exception) -> str:
    return shortened(f"{type(error).__name__}: {one_line(' '.join(str(error).split()))}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the bars and the advice of transformers out of standard error while a model loads."""
    try:
        logging: Any = import_module("transformers.utils.logging")
    except ImportError:  # what is missing is said where it is used
        yield
        return
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
