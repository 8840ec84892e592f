"""Systems that answer questions, and how each is told apart, called and watched.

Layer: answers | lint | pipelines. May import matching, corpus, judge, scoring, measures, formats,
text, http, store and everything lower. A framework is imported by its own module alone.
"""

from ragstone.pipelines.systems.adapters import SYSTEMS, bound_pipeline
from ragstone.pipelines.systems.endpoint import PipelineEndpoint
from ragstone.pipelines.systems.watch import Observed, Watch

__all__ = ["SYSTEMS", "Observed", "PipelineEndpoint", "Watch", "bound_pipeline"]
