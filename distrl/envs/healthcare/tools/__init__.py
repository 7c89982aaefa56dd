"""The tools of the gym by domain, over the episode's database and the knowledge base."""
