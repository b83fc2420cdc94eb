"""Inputs: FILE… arguments become files, folders and streams, and these archives or texts.

`expand` turns arguments into inputs, `contents` reads them, `load` reads one archive.
"""

from abcompare.inputs.arguments import Expanded, Input, expand, shown
from abcompare.inputs.contents import Contents, as_finding, contents, load
from abcompare.inputs.streams import Source, opened

__all__ = ["Contents", "Expanded", "Input", "Source", "as_finding", "contents", "expand", "load", "opened", "shown"]
