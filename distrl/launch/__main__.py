"""`python -m distrl.launch`."""

import sys

from distrl.launch.command import main

sys.exit(main())
