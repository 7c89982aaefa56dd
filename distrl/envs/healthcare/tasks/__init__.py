"""Tasks of the healthcare gym: schema, seeded generators, frozen splits, loader of public task files."""
