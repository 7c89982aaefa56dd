"""One file a question; each prints one JSON object as its last line."""
