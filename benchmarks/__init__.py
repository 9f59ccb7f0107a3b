"""Side-by-side timings against what one would use instead; ``python -m benchmarks`` runs them and prints ratios."""
