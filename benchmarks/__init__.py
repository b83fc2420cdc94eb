"""Measurements: speed of reading, and the score on logs that people have read."""
