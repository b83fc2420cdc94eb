"""What a record holds of the headers that an engine sent: all of their names, and no secret."""

from __future__ import annotations

from abcompare.dialects.secrets import headers
from abcompare.jobs import Job

_LOGINS = ("Authorization", "Proxy-Authorization")


def headers_of(job: Job) -> dict[str, str]:
    """The job's headers, and those of its logins, without secrets: that a run was authenticated is a part of its load."""
    proxied = job.proxy is not None and (job.proxy_user is not None or "@" in job.proxy)
    named = {name.lower() for name, _ in job.headers}
    sent = [f"{name}: {value}" for name, value in job.headers]
    for name, is_sent in zip(_LOGINS, (job.user is not None, proxied), strict=True):
        if is_sent and name.lower() not in named:
            sent.append(f"{name}: a login")  # of a name whose value is never kept
    return headers(sent)
