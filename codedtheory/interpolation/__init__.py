"""interpolation."""
