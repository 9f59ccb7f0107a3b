"""Exact, certified and empirical checks of theorems in coded distributed computing."""

__version__ = "0.1.0"
