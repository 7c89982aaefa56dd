"""Eight clinical decision-support tools, tasks that ask for one call, two rewards; not for care."""
