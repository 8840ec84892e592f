"""Corpora compared by their n-grams: what leaked, and what overlaps.

Layer: matching | corpus | judge. Imports scoring, encoders and what is below.
"""
