"""Eval items that stand in a corpus in other words: texts compared by an encoder's vectors.

Layer: matching | corpus | judge. Imports the modules of corpus itself, and what is below.
"""
