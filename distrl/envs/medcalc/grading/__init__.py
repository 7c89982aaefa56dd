"""From an assistant's text to reward parts: read the answer, judge it, check the working; text is data."""
