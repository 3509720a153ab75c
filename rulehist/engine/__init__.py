"""Answers under the rules of any day, each read from their text."""
