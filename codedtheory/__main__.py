"""``python -m codedtheory`` is the command ``codedtheory``."""

import sys

from codedtheory.cli import main

if __name__ == "__main__":
    sys.exit(main())
