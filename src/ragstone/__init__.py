"""ragstone: measure a RAG system and tell, with evidence, whether a change made it worse."""

__version__ = "0.1.0"
