"""Starting and stopping a run: command line, run folder, Ray, signals. No training logic.

[launch] -> Ray, run folder, log, stop signal -> driver
"""

from distrl.launch.command import execute, main

__all__ = ["execute", "main"]
