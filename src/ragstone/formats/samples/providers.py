"""Providers as promptfoo names them, and the models in such names."""

from __future__ import annotations

# How a model is called, which says nothing of what it costs: `openai:chat:gpt-4o-mini`.
KINDS = frozenset({
    "chat", "completion", "completions", "responses", "messages", "converse", "text", "realtime",
    "live", "text-generation", "text2text", "video", "image", "embedding", "embeddings",
})  # fmt: skip
RENAMED = {"azureopenai": "azure", "togetherai": "together", "palm": "google"}


def model_in(provider: str) -> str:
    """Return the model in the name of a provider, with whose it is, which its price goes by.

    >>> model_in("openai:chat:gpt-4o-mini"), model_in("bedrock:amazon.nova-lite-v1:0")
    ('openai:gpt-4o-mini', 'bedrock:amazon.nova-lite-v1:0')
    >>> model_in("ollama:chat:llama3.1:8b"), model_in("file://rag.py")
    ('ollama:llama3.1:8b', 'file://rag.py')
    """
    whose, mark, name = provider.partition(":")
    kind, found, model = name.partition(":")
    if found and model and kind in KINDS:
        name = model
    return f"{RENAMED.get(whose, whose)}{mark}{name}"
