"""The scanner: finds load-generator output in any text, of any size.

`windows` (find) finds the parts of a stream that hold anchors, `clean` removes markup and keeps the line numbers,
`views` takes prefixes, columns and diff sides apart, `cut` cuts what is left into blocks, one a report.
"""

from abcompare.scan.clean import clean
from abcompare.scan.cut import Anchors, Cut, cut
from abcompare.scan.edits import Cleaned
from abcompare.scan.encoding import decode, utf8_stream
from abcompare.scan.find import Window, Words, windows
from abcompare.scan.views import Views, views

__all__ = ["Anchors", "Cleaned", "Cut", "Views", "Window", "Words", "clean", "cut", "decode", "utf8_stream", "views", "windows"]
