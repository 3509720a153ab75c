"""Every number that decides something, named and explained in one place.

Each was measured on the published texts from 1999 to 2026; docs/tricky-cases.md shows what they decide.
"""

from __future__ import annotations

from typing import Final

# --- Reading sources -------------------------------------------------------------------------------------
