"""Settings of the whole suite."""

import os

from hypothesis import settings

# A change must not be refused for an example that another draw would have found; free runs go on looking.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("free", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "free")
