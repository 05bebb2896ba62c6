"""Lint for files that learning systems import: Moodle XML, QTI 2.1 and 3.0, Canvas packages, whoever wrote them.

    lint(path) -> Report: findings, each with its place, rule, why it matters and how to mend it

A rule is one row and one function, in a file with its family; `rules.RULES` has all of them.
"""

from exactattn.exports.lint.judging import lint
from exactattn.exports.lint.report import Report

__all__ = ["Report", "lint"]
