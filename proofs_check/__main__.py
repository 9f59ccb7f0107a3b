"""``python -m proofs_check`` checks this catalogue."""

import sys

from codedtheory.cli import main

if __name__ == "__main__":
    sys.exit(main(["check", "proofs_check", *sys.argv[1:]]))
