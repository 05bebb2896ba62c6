"""Quantities, steps and the record they make."""

from exactattn.trace.problem import PLACES, Problem, Settings, places_of
from exactattn.trace.quantity import Quantity, position
from exactattn.trace.steps import Head, Step, Trace

__all__ = ["PLACES", "Head", "Problem", "Quantity", "Settings", "Step", "Trace", "places_of", "position"]
