"""The JSON Schema of archives, generated from the records; what each key means stands here."""

from __future__ import annotations
