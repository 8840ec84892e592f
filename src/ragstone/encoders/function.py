"""A function of the user's, or an object of a framework that embeds texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ragstone.encoders.config import EncoderConfig
from ragstone.encoders.encoder import Batching
from ragstone.errors import InputError, UsageError
from ragstone.model import Scalar, Signature
from ragstone.usercode import said

METHODS = ("embed_documents", "get_text_embedding_batch", "encode")
"""What takes a list of texts: of LangChain, of LlamaIndex, of sentence-transformers."""


class FunctionModel:
    """Calls a function with a list of texts; it returns a list of vectors, or an array.

    target: the function, or an object with one of `METHODS`. Its attribute `revision`, or that of
    the config, says which version it is: raise it when the vectors change.
    """

    asks_network = False

    def __init__(self, target: Any, name: str = "", config: EncoderConfig | None = None) -> None:
        """Find what is called."""
        config = config or EncoderConfig()
        self.name = name or getattr(target, "__qualname__", type(target).__qualname__)
        self.batching = config.batch or Batching()
        self._call, self._prompt = _callable(target, self.name), config.prompt
        self._revision = config.revision or str(getattr(target, "revision", "") or "")
        fields: dict[str, Scalar] = {"encoder": "callable", "encoder_model": self.name}
        if config.dimensions is not None:
            raise UsageError(f"{self.name}: dimensions are what the function returns")
        if config.prompt:
            fields["encoder_prompt"] = config.prompt
        self.asked = Signature.of(fields)

    def __repr__(self) -> str:
        """Show what is called."""
        return f"<FunctionModel {self.name}>"

    def revision(self, *, offline: bool) -> str | None:  # noqa: ARG002 - others may ask
        """Return what its author says."""
        return self._revision

    def signed(self, revision: str) -> Signature:
        """Return the signature of this version."""
        return Signature.of(self.asked, **({"encoder_revision": revision} if revision else {}))

    def vectors(self, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, Any]]:
        """Yield the rows of each batch, one after the other."""
        for place, batch in enumerate(batches):
            try:
                found = self._call([f"{self._prompt}{text}" for text in batch])
            except (Exception, SystemExit) as error:
                raise InputError(f"{self.name} failed: {said(error)}") from error
            if not hasattr(found, "__len__"):
                raise self.refused(f"a {type(found).__name__} came back, and no list", "shape")
            yield place, found

    def notes(self) -> list[str]:
        """Return nothing: what it does with a text is not known here."""
        return []

    def refused(self, problem: str, reason: str) -> InputError:  # noqa: ARG002 - endpoints have one
        """Return the error for rows that cannot be used."""
        return InputError(
            f"{self.name}: {problem}; it takes a list of texts and returns a vector "
            "of finite numbers for each"
        )


def _callable(target: Any, name: str) -> Callable[[list[str]], Any]:
    for method in METHODS:
        if callable(found := getattr(target, method, None)):
            return found  # type: ignore[no-any-return]
    if callable(target):
        return target  # type: ignore[no-any-return]
    raise InputError(
        f"{name} is a {type(target).__name__}; a function was expected, or an object with "
        f"{', '.join(METHODS[:-1])} or {METHODS[-1]}"
    )
