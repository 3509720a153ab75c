"""``python -m rulehist``."""

from rulehist.cli import main

main()
