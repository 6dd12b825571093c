"""`python -m noisebench`."""

import sys

from noisebench.cli import main

sys.exit(main())
