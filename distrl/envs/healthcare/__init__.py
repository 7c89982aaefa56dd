"""The healthcare gym: synthetic patients, tools, knowledge, a five-part reward and safety; not for care."""
