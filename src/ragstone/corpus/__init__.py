"""Checks of corpora: which eval items stand in one, in whatever words, and what two have in common.

Layer: matching | corpus | judge. Imports scoring, encoders and what is below. Of its packages
`leakage`, `paraphrases` and `overlap` do not import each other; they import `spark` and the modules
here.
"""
