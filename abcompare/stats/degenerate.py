"""The one exception of the statistics."""


class DegenerateError(ValueError):
    """The numbers are valid but leave the question without an answer: no variation, or no information.

    Raised where a textbook formula would divide by zero and print NaN or p = 0. It is a ValueError, so code
    that only wants "could not be computed" catches both; the message names the side and what is missing.
    """
