"""Renderers: pure functions from a result to text. Only `terminal` needs rich.

Layer: reports. Imports the other modules of reports, and what is below.
"""
