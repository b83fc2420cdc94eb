"""The version, in one place: the package, `--version`, the archives' `generator` and the wheel read it here."""

__version__ = "0.1.0"
