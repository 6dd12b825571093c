"""The papers' figures, as tidy tables."""
