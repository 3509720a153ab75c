"""The complete memory of the rules of Magic: The Gathering."""
