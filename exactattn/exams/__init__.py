"""Exam sets: every variant proven to tell right from wrong."""
