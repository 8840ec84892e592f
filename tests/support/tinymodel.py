"""A sentence-transformers model made here: two layers, random weights, its own tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = ["the", "cat", "sat", "on", "mat", "a", "dog", "ran", "home", "query", ":", "고양이", "집"]
LONGEST = 24
DIMENSIONS = 16


def build(folder: Path, *, seed: int = 7, poison: bool = False) -> Path:
    """Save a model to a folder; poison: with a weight that is NaN."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    base = folder / "base"
    _tokenizer().save_pretrained(str(base))
    config = BertConfig(
        vocab_size=64,
        hidden_size=DIMENSIONS,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
    )
    model = BertModel(config)
    if poison:
        with torch.no_grad():
            model.embeddings.word_embeddings.weight[:] = float("nan")
    model.save_pretrained(str(base))
    made: Any = SentenceTransformer(str(base), device="cpu", local_files_only=True)  # mean pooling
    made.max_seq_length = LONGEST
    made.save(str(folder / "model"), create_model_card=False)
    return folder / "model"


def _tokenizer() -> Any:
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import BertProcessing

    fast: Any = transformers.PreTrainedTokenizerFast
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    names = [*special, *WORDS]
    vocabulary = {name: place for place, name in enumerate(names)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    ends = [(name, vocabulary[name]) for name in ("[SEP]", "[CLS]")]
    tokenizer.post_processor = BertProcessing(*ends)
    return fast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=LONGEST,
    )
