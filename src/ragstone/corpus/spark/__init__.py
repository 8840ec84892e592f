"""Corpora that Spark reads, and jobs over them.

Layer: matching | corpus | judge. Imports the modules of corpus itself, and what is below. Only
`session` imports pyspark, when a session is opened; `rows` is what its Python workers import.
"""

from ragstone.corpus.spark.corpus import SparkCorpus
from ragstone.corpus.spark.session import spark_session

__all__ = ["SparkCorpus", "spark_session"]
