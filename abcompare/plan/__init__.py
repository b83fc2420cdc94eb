"""What an equivalent load means: a URL and options, a tool's command line, or an archived run become a Job.

Nothing here connects to anything or resolves a name; `abcompare.running` hands the jobs to an engine.
"""

from abcompare.plan.again import Again, again
from abcompare.plan.asked import job
from abcompare.plan.hosts import Hosts, hosts
from abcompare.plan.like import like, typed

__all__ = ["Again", "Hosts", "again", "hosts", "job", "like", "typed"]
