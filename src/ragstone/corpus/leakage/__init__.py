"""Eval items that stand in a corpus: the n-grams of their texts, looked for in every document.

Layer: matching | corpus | judge. Imports the modules of corpus itself, and what is below.
"""
