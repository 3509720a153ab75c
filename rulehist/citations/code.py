"""Whether a citation stands in a string that tests assert on: such a string is code, and changed by people alone."""

from __future__ import annotations

import re

from rulehist.citations.files import TextFile, is_like
from rulehist.citations.finding import Citation
from rulehist.citations.patterns import Patterns

_ASSERTION = re.compile(
    r"\b(?:(?:static_|debug_)?assert\w*|expect\w*|Assert\.\w+|should\w*|Should|require\.\w+|verify\w*|t\.(?:Error|Fatal)f?"
    r"|to(?:Be|Equal|Contain|Match|Throw|StrictEqual)\w*|XCTAssert\w*|REQUIRE|CHECK\w*|EXPECT_\w+|ASSERT_\w+)!?\s*\(",
)
_PLAIN_ASSERT = re.compile(r"^\s*assert\s")
_NUMBER_IN_STRING = re.compile(r"[\"'`][^\"'`\n]*?\b([1-9]\d\d\.[1-9]\d{0,2}[a-z]{0,2})\b")
_TEST_WITHIN = re.compile(r"#\[(?:cfg\(test\)|test\b|tokio::test)|\bunittest \{")
_HASH_COMMENTS = ("*.py", "*.rb", "*.sh", "*.pl", "*.ex", "*.exs", "*.php")
_DASH_COMMENTS = ("*.hs", "*.lua", "*.sql")
_CALL_REACH = 800
"""Characters in which the call of an assertion must have begun."""


class AssertedStrings:
    """Learns from the tests that it sees which numbers are asserted on, and tells of a citation whether it is code."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._numbers: set[str] = set()

    def learn(self, file: TextFile) -> None:
        """Note the numbers in strings of assertions."""
        if not self.is_code(file) or not (self._is_test(file) or "assert" in file.text):
            return
        for assertion in _ASSERTION.finditer(file.text):
            within = file.text[assertion.end() : assertion.end() + _CALL_REACH].split(";", 1)[0]
            self._numbers.update(_NUMBER_IN_STRING.findall(within))
        if file.name.endswith(".py"):
            for line in file.text.splitlines():
                if _PLAIN_ASSERT.match(line):
                    self._numbers.update(_NUMBER_IN_STRING.findall(line))

    def is_code(self, file: TextFile) -> bool:
        """Whether strings in this file are code rather than prose or data."""
        return is_like(file.name, self._patterns.code)

    def _is_test(self, file: TextFile) -> bool:
        return is_like(file.name, self._patterns.tests)

    def holds(self, file: TextFile, citation: Citation) -> bool:
        """Whether the citation stands in a string that tests assert on, as far as the files seen so far tell."""
        if not self.is_code(file):
            return False
        text, at = file.text, citation.place[0]
        line_start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
        place = _place(text[line_start:at], file.name)
        if place == "comment":
            return False
        if self._in_assertion(text, at, line_start):
            return True
        if place != "string":
            return False
        if self._is_test(file) or _TEST_WITHIN.search(text, 0, at) is not None:
            return True
        return citation.number in self._numbers

    @staticmethod
    def _in_assertion(text: str, at: int, line_start: int) -> bool:
        if _PLAIN_ASSERT.match(text[line_start:at]):
            return True
        low = max(0, at - _CALL_REACH)
        for call in _ASSERTION.finditer(text, low, at):
            between = text[call.end() : at]
            if between.count("(") - between.count(")") >= 0 and ";" not in between:
                return True
        return False


def _place(before: str, name: str) -> str:
    """What a place in a line of code is, from what stands before it: ``comment``, ``string`` or ``code``."""
    marks = ["//", "/*", "<!--"]
    if is_like(name, _HASH_COMMENTS):
        marks = ["#"]
    elif is_like(name, _DASH_COMMENTS):
        marks = ["--"]
    stripped = before.lstrip()
    if stripped.startswith(("*", '"""', "'''")):
        return "comment"
    quote = ""
    i = 0
    while i < len(before):
        letter = before[i]
        if quote:
            if letter == "\\":
                i += 1
            elif letter == quote:
                quote = ""
        elif any(before.startswith(mark, i) for mark in marks):
            return "comment"
        elif letter in '"`' or (letter == "'" and not before[max(0, i - 1) : i].isalnum()):
            quote = letter
        i += 1
    return "string" if quote else "code"
