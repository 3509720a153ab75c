"""Citations of rules in other people's files: finding them, judging them, moving them to the numbers of another day.

The way of the data: ``patterns`` (how people cite) -> ``finding`` (where they do) -> ``rules`` (what the store knows of
the numbers) -> ``verdict`` (what became of each) -> ``findings``, ``move`` and ``notes`` (what is told and rewritten).
"""
