"""The built-in example: a help-desk collection, a small BM25 and two retrievers over it.

Layer: `krag | demo`, below `cli`. May import `suite`, `config`, `reports`, `gate`, `scoring`,
`formats` and everything lower, never `cli` nor `krag`.
"""
