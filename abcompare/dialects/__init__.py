"""Dialects: one module a tool, from text to records (`parse`) and from command lines to loads (`load_of`)."""
