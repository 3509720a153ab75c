"""Every number that decides something, named and explained in one place.

Each was measured on the published texts from 1999 to 2026; docs/tricky-cases.md shows what they decide.
"""

from __future__ import annotations

from typing import Final

# --- Reading sources -------------------------------------------------------------------------------------

# --- Word differences --------------------------------------------------------------------------------------
ISLAND_FUNCTION_WORDS: Final = 2
"""Equal function words and punctuation marks between two changes, up to which they are told as one change."""

ISLAND_NEIGHBOURS: Final = 3
"""Words changed on both sides of a single equal word, from which that word is told as part of the change:
"converted mana cost" to "mana value" is one replacement, not two around "mana"."""

ISLAND_WORDS: Final = 6
"""Equal words between two larger changes, up to which they may be told as one change."""

ISLAND_CONTENT_SHARE: Final = 0.5
"""Length of such an island against the smaller of the changes beside it, up to which it is no help to the reader."""

UTF16_ZERO_SHARE: Final = 0.9
"""Share of the 16-bit units whose high byte must be zero for a text without a byte-order mark to be UTF-16."""
