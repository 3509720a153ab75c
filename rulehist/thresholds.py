"""Every number that decides something, named and explained in one place.

Each was measured on the published texts from 1999 to 2026; docs/tricky-cases.md shows what they decide.
"""

from __future__ import annotations

from typing import Final

# --- Reading sources -------------------------------------------------------------------------------------
RECOGNIZED: Final = 0.5
"""Score from which a text is taken to be of a kind of source: certain marks score 1, twenty numbered rules 0.6."""

UTF16_ZERO_SHARE: Final = 0.9
"""Share of the 16-bit units whose high byte must be zero for a text without a byte-order mark to be UTF-16."""

WRAP_LONGEST: Final = 125
"""Characters of a line above which a text is not hard-wrapped: the wrapped years break at about 80 or 105."""

WRAPPED_PAIRS: Final = 0.2
"""Share of the lines directly under another line that begin in lower case, from which a text is hard-wrapped."""

SECTION_TITLE_LONGEST: Final = 100
"""Characters up to which a line can be a heading such as "702. Keyword Abilities"."""

GLOSSARY_TERM_LONGEST: Final = 80
"""Characters up to which a line that stands alone can be a glossary term rather than a paragraph."""

GLOSSARY_LAST_LETTER: Final = "z"
"""First letter that the last glossary entry must reach: every published glossary goes on to "Zone"."""

GLOSSARY_KEYWORDS_MISSED: Final = 2
"""Keywords in a row, in order of the alphabet, without a glossary entry, from which a part of the glossary may be
missing; published: never more than one, in 27 years."""

GLOSSARY_KEYWORDS_LOST: Final = 3
"""The same, from which a part of the glossary is missing."""

GLOSSARY_OF_ALL_LETTERS: Final = 120
"""Entries from which a glossary uses all letters of the alphabet but the rarest; the smallest published one has 175."""

GLOSSARY_RARE_LETTERS: Final = "jkq"
"""First letters that published glossaries did without."""

RULE_NUMBER_JUMP: Final = 5
"""Rules that may be missing in a section before a number is thought out of place."""

INGEST_NEW_OBJECTS: Final = 100_000
"""New objects after which an ingest looks for garbage: nearly all that it makes is kept until it ends."""


# --- Sharing work out among processes ---------------------------------------------------------------------
WORKERS_AT_MOST: Final = 4
"""Processes beyond which an ingest gains little: each needs about 70 MB, and the writing is done by one alone."""

FILES_A_TASK: Final = 4
"""Files that one process reads at a time: neighbours share most of their parts, which then travel once."""

PAIRS_A_TASK: Final = 6
"""Pairs of neighbouring texts that one process matches at a time."""

TASKS_WORTH_PROCESSES: Final = 3
"""Tasks from which other processes are started: starting them takes as long as reading about eight texts."""

# --- Showing differences -------------------------------------------------------------------------------------
EQUAL_WORDS_SHOWN: Final = 12
"""Unchanged words shown on each side of a change on a terminal, where the whole text is not asked for."""

TEXT_COLUMNS: Final = 80
"""Columns of the text of answers, unless the terminal has fewer."""

TERMINAL_NARROWEST: Final = 20
"""Columns below which text is no longer made to fit a terminal."""

TABLE_NARROWEST: Final = 64
"""Columns of a terminal from which answers with running text are tables; on a narrower one they are lines."""

CELL_NARROWEST: Final = 12
"""Columns of an answer in a table of several versions; where there is no room for them each has a line of its own."""

PLACES_SHOWN: Final = 8
"""Places of a mass rewording that a terminal names before it only counts them."""

RANGE_GAP: Final = 3
"""Steps by which the numbers of a range of renumbered rules may jump: rules between were removed or are new."""

RANGES_SHOWN: Final = 40
"""Ranges of renumbered rules up to which each is told by itself; of more, a terminal shows a line a section."""

# --- Lists and news ------------------------------------------------------------------------------------------
LIST_ITEMS: Final = 5
"""Items from which a sentence counts as a list whose changes are told as what joined and left."""

LIST_ITEM_WORDS: Final = 5
"""Words that an item of such a list has at most: names, not clauses."""

KEYWORD_WORDS: Final = 6
"""Words that the name of a keyword has at most, standing alone as the heading of its rules."""

NUMBERS_IN_A_HEADING: Final = 6
"""Rules that the heading of a subject names one by one; of more it names the first and the last."""

# --- Mass rewordings ------------------------------------------------------------------------------------------
PATTERN_PLACES: Final = 5
"""Parts in which the same replacement must have been made to be told once as a mass rewording."""

PATTERN_WORDS: Final = 8
"""Longest side of such a replacement, in words; longer ones are rules that happen to be alike."""

PATTERN_CONTEXT: Final = 0.75
"""Share of its places in which a word must stand beside a replaced word to be told along with it."""

PATTERN_BESIDE: Final = 4
"""Words that only one side has next to such a replacement, up to which it is still seen in a larger change."""

# --- Word differences --------------------------------------------------------------------------------------
ISLAND_FUNCTION_WORDS: Final = 2
"""Equal function words and punctuation marks between two changes, up to which they are told as one change."""

ISLAND_NEIGHBOURS: Final = 3
"""Words changed on both sides of a single equal word, from which that word is told as part of the change:
"converted mana cost" to "mana value" is one replacement, not two around "mana"."""

ISLAND_WORDS: Final = 6
"""Equal words between two larger changes, up to which they may be told as one change."""

NUMBERS_KEPT: Final = 16_384
"""Rule numbers, and what is made of one, that a process remembers: all that the rules ever had."""

WORDS_KEPT: Final = 65_536
"""Words whose comparison form a process remembers: more than the rules ever had, with and without a blank before."""

WORD_DIFFS_KEPT: Final = 4_096
"""Word differences that a process remembers beside those of its changes: a rule is cited in many places."""

CHANGES_KEPT: Final = 65_536
"""Changes of a part that a process remembers. All pairs of versions of the archive of 2026 have 108,000 in all; two
hundred arbitrary pairs have half of them, and after the first few nine of ten are known already. A process that
answered as many has 250 MB in all."""

TEXTS_KEPT: Final = 32_768
"""Texts whose comparison form a process remembers: the archive of 2026 has 20,000."""

PARTS_KEPT: Final = 100_000
"""Parts that a reader of many comparisons remembers: four times those of the archive of 2026, in some 70 MB."""

ISLAND_CONTENT_SHARE: Final = 0.5
"""Length of such an island against the smaller of the changes beside it, up to which it is no help to the reader."""


# --- Fetching texts ----------------------------------------------------------------------------------------
FETCH_AT_ONCE: Final = 4
"""Downloads that may run at the same time: quick enough for 130 texts, and no burden to an archive run on gifts."""

FETCH_TIMEOUT: Final = 30.0
"""Seconds a server may stay silent; the Wayback Machine often needs more than ten for its first byte."""

FETCH_DEADLINE: Final = 600.0
"""Seconds that one answer may take as a whole, so that a server which drips does not hold a place for ever."""

FETCH_TRIES: Final = 4
"""How often one address is tried when the fault may pass: silence, a broken line, 429, 500."""

FETCH_BACKOFF: Final = 1.0
"""Seconds before the second try; doubled for each one after it."""

FETCH_LONGEST_WAIT: Final = 120.0
"""Seconds a server may ask us to wait (Retry-After); where it asks for more, its address is given up and reported."""

FETCH_LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the largest download taken; the largest rules document published so far has under 4 million."""

# --- Dates in file names -----------------------------------------------------------------------------------
NAME_DATE_APART: Final = 45
"""Days between the effective date and the date in a file's name, from which one of them must be wrong. The name tells
when the file was put online, which was at most four weeks from the effective date in all published texts."""

# --- Scenarios ---------------------------------------------------------------------------------------------
SCENARIO_BYTES: Final = 1_000_000
"""Largest scenario file that is read: a chain of a thousand copies takes a tenth of it."""

SCENARIO_DEPTH: Final = 24
"""Deepest nesting of lists and tables in a scenario file: an ability that gives an ability that gives one has 20."""

CONTINUOUS_EFFECTS: Final = 3_000
"""Continuous effects at once, up to which a scenario is played: a chain of a thousand objects may have three each."""

OBJECT_LOOKS: Final = 600_000
"""How often objects are looked at in one evaluation, up to which it goes on: a few seconds of work. A chain of five
thousand copies takes a hundredth of it."""

COPIES_OF_ONE: Final = 1_000
"""Copy effects on one object, each of which is looked at again as the next begins."""

DEPENDENCY_TRIALS: Final = 3_000
"""Pairs of effects of one layer that are tried for dependency, each on a copy of the objects."""

CELL_WIDTH: Final = 40
"""Columns of a cell in a comparison of answers; what is longer is cut."""

TEXT_WIDTH: Final = 100
"""Columns of a line of rules text under an answer."""

SILENT_READINGS: Final = 16
"""Plays of one scenario, one for each combination of readings that the rules of the day left open."""

LISTED_WORDS: Final = 40
"""Items of a list that decided an answer, up to which the answer names each of them: more than the layers have."""

ORDERS_TRIED: Final = 6
"""Orders of simultaneous timestamps that a scenario leaves out and that are all played: those of three objects."""

CLAUSE_ITEM_WORDS: Final = 3
"""Words of an item of a list in a rule, up to which an unknown item is read as one more thing of its kind;
anything longer may carry a condition, and is refused."""

CHOICE_WORDS: Final = 8
"""The same for a choice made as a spell is cast ("how it will affect multiple targets" has six words)."""

SENTENCES_REMEMBERED: Final = 8192
"""Texts whose sentences are remembered while a process runs; the rules that the engine asks for had about 1,500."""

# --- Matching ----------------------------------------------------------------------------------------------
SURE: Final = 0.8
"""Similarity by words from which two texts are linked first, and from which two titles are."""

SIMILAR_ALONE: Final = 0.62
"""Similarity by words from which two texts need no other evidence to be the same rule."""

SIMILAR_IN_PLACE: Final = 0.36
"""Similarity that is enough where parents and a neighbour or the number agree."""

SIMILAR_IN_SECTION: Final = 0.45
"""Similarity that is enough within one section where one text holds nearly all of the other."""

GLOSSARY_ALIKE: Final = 0.75
"""Similarity, term included, from which a glossary entry is the old one under another term."""

GLOSSARY_RENAMED: Final = 0.6
"""The same where the terms of neither have a counterpart otherwise."""

GLOSSARY_BEGINS_ALIKE: Final = 0.33
"""The same where both terms begin with one word, too."""

PARENTS_AGREE: Final = 2.0
"""Agreement of surroundings that needs linked parents: parents count 2, each neighbour 1, the number a half."""

OPENING_WORDS: Final = 12
"""Words with which two rules begin that are compared to choose between descendants of one rule."""

OPENING_ALIKE: Final = 0.75
"""Share of those words from which two rules begin alike."""

OPENING_SURE: Final = 0.9
"""The same where one of the two is only a part of the other."""

DIVIDED: Final = 0.15
"""What being such a part, and wholly in the other, adds to the similarity of the two."""

WHOLLY_CONTAINED: Final = 0.95
"""Share of a rule's words, and of its first ones, that the rule which had its number has too, from which it says
nothing new."""

CUT_SHORT: Final = 0.95
"""What the similarity of these two counts for: more than that of a part with more of the words under another number."""

OPENING_WEIGHT: Final = 0.4
"""What beginning alike adds to the similarity of two texts, at most, when several could continue one rule."""

PLACE_WEIGHT: Final = 0.08
"""What each point of agreement of surroundings adds to it."""

TELLING_SAMPLE: Final = 2
"""One in so many rules of the older text is looked at to know how common a word is: enough, and half the time."""

REWRITTEN_IN_PLACE: Final = (0.35, 12.0)
"""What two rules that are each other's nearest need to be one rule rewritten, where their parents are linked: the mean
of their similarity by words in order and of their share of telling words, and the weight of the words that both
have. A word in every rule weighs 0.1, one that is in few of them 6."""

REWRITTEN_UNDER_TITLE: Final = (0.4, 30.0)
"""The same where only a title further up, or a neighbour, is linked."""

REWRITTEN_ANYWHERE: Final = (0.46, 50.0)
"""The same where nothing over them is linked."""

REWRITTEN_ELSEWHERE: Final = (0.55, 60.0)
"""The same where the title over one of them is known to have become another one."""

CONTAINED: Final = 0.8
"""Share of the shorter text's words found in the longer, from which a rule was shortened or grew."""

HEADING_CONFLICT: Final = 0.4
"""What similarity loses between texts under two keywords that are known to be different ones."""

HEADING_WORDS: Final = 8
"""Blanks that a title such as "Multicolor-Only Hybrid Morph" has fewer than."""

CHILDREN_SHARE: Final = 0.5
"""Share of the rules under a title that must have gone under another for the titles to be one."""

CHILDREN_FEWEST: Final = 3
"""Rules from under a title that must have gone under another, where those that ended are not counted."""

PLACED_SHARE: Final = 0.4
"""Share of those rules, on either side, that must have gone from one to the other."""

SUBRULES_FEWEST: Final = 2
"""Subrules that a rule written anew must have kept."""

CANDIDATES: Final = 10
"""New parts with which an old part is compared: those with which it shares the rarest words."""

COMMON_WORD: Final = 40
"""Parts with a word, above which it is too common to tell where a text has gone, if rarer words can."""

AMBIGUOUS_PAIRS: Final = 4000
"""Pairs of parts with one text, above which only those with the same number are weighed against each other."""

SPLIT_WORDS: Final = 6
"""Fewest words that tell where a new rule was split from, or what a gone rule was merged into."""

SPLIT_SHARE: Final = 0.55
"""Share of those words that the other rule must have lost or gained."""

GLOSSARY_SPLIT_SHARE: Final = 0.65
"""The same between glossary entries, which define much in the same words."""

SPLIT_NEAR: Final = 0.15
"""What standing under one rule or in one section adds to that share, where several could have a new rule's words."""

RETURNED_ALIKE: Final = 0.85
"""Similarity from which a rule under the number of one that is gone is that rule come back."""

# --- Documents other than plain text -----------------------------------------------------------------------
DOCUMENT_LARGEST: Final = 64 * 1024 * 1024
"""Bytes that a document may have, packed or unpacked; the largest published one unpacks to 16 million."""

DOCUMENT_PAGES: Final = 2000
"""Pages that a PDF may have; the longest published one has about 300."""

OLD_WORD_SECONDS: Final = 60
"""Seconds after which the program that reads old Word documents is given up; it needs less than one."""

PDF_PARAGRAPH_GAP: Final = 1.4
"""Distance between two lines, in usual distances, from which a new paragraph begins (published: 1.0 within one,
2.0 between two)."""

PDF_FIT_SLACK: Final = 3.0
"""Points by which a word may miss the right margin and still be said not to fit: kerning makes widths inexact."""

PDF_RIGHT_INDENT: Final = 72.0
"""Points by which a paragraph may be indented from the right margin (examples are), where a blank at its end tells
that a line goes on."""

PDF_BLANK_AT_WRAP: Final = 0.9
"""Share of full lines that end in a blank, from which a full line without one is known to end its paragraph."""

PDF_FURNITURE_SHARE: Final = 0.5
"""Share of the pages on which a first or last line must recur, its digits aside, to be a header, a footer or a page
number."""

# --- Faults of sources -------------------------------------------------------------------------------------
ERA_SLACK: Final = 200
"""Days by which the date of a text may lie outside the known time of its chapters' titles; texts that are not known
may have had a title a little earlier or later than those that are."""

HEADING_LONGEST: Final = 40
"""Characters below which a rule can be the heading of a keyword."""

ERA_KEYWORDS: Final = 12
"""Known keywords that a text must have for its date to be judged by them; the first texts of 1999 have eight."""

ERA_KEYWORDS_STRANGE: Final = 3
"""Keywords of another time, or lacking, from which the date of a text is doubted: one release brings two to six."""

ERA_KEYWORDS_LACKING: Final = 0.05
"""Share of lacking keywords against those it has, from which the date of a text is doubted; published: none."""

ERA_APART: Final = 730
"""Days from a text's own date to that of the text it is most like, from which the date is doubted; among the published
texts the most alike are never more than 210 days apart."""

ERA_MARGIN: Final = 0.2
"""By how much that text must be more alike (share of rules, 0 to 1) than both neighbours in time; gaps and great
rewordings leave neighbours as little as 0.35 alike, but then nothing far away is more so."""

ERA_OPENING: Final = 60
"""Characters from the beginning of a rule that are compared for it: most rewordings come later in a rule."""

# --- Overview -----------------------------------------------------------------------------------------------

MOST_CHANGED_SHOWN: Final = 20
"""How many of the rules reworded most often the overview lists: as many as a screen shows at once."""

OPENING_CHARACTERS: Final = 90
"""How much of a rule's beginning lists show to tell which rule it is: about a line."""

GREAT_RENUMBERINGS_SHOWN: Final = 10
"""How many of the releases that renumbered most the overview lists; after ten they are small."""

# --- Site ---------------------------------------------------------------------------------------------------

SEARCH_ENTRIES_A_PART: Final = 250
"""Rules in one file of the search index: some 40 kB, so that showing a page of results loads little."""

HISTORIES_IN_A_REPORT: Final = 200
"""Changes up to which a report that stands alone tells the history of each rule; a longer one tells those of rules that
were reworded or removed. So it has 150 kB at most with most releases, and 1 MB with the rewrite of 2009."""

RULES_A_TASK: Final = 60
"""Rule pages that one task of the site builder makes: enough that handing tasks out costs nothing, few enough that
the progress bar moves."""

# --- History of a rule --------------------------------------------------------------------------------------

GAPS_NAMED: Final = 3
"""How many releases without a text a history names in one line before it counts the others."""

BELOW_LISTED: Final = 24
"""How many rules of a section a history lists for one release and kind of change; more are counted."""

# --- Citations ---------------------------------------------------------------------------------------------
CITED_LARGEST: Final = 8_000_000
"""Bytes of the largest file in which citations are looked for; beyond it lie generated files and data of cards."""

CITED_LINK_SURE: Final = 0.8
"""Similarity by words that every step of a rule's way, or its two ends, must have for its citations to be moved
without a person: below it, what was cited may have been reworded away."""

BESIDE_BEFORE: Final = 220
"""Characters before a citation whose words may speak for it."""

BESIDE_AFTER: Final = 320
"""Characters after a citation whose words may speak for it: more than before, since quotations follow."""

BESIDE_SPEAKS: Final = 6.0
"""Weight of words beside a citation (the logarithm of their rarity in the rules, those of titles twice) from which
they speak for a rule: one word that names a keyword, or several less rare ones."""

BESIDE_REMOTE_YEARS: Final = 8
"""Years between a citation and the time when another rule had its number, above which the words have to speak for
that rule twice as loud: code mixes editions that follow each other."""

BESIDE_MARGIN: Final = 3.0
"""How many times the weight for another rule must be that for the rule that is named."""

BESIDE_TITLE_MARGIN: Final = 1.0
"""The same for another keyword whose title stands where a citation says what it is about: "CR 701.2: juggle"."""

BESIDE_RAREST: Final = 6.0
"""Weight of the rarest word: no single word of a text decides for itself."""

QUOTED_GRAM: Final = 5
"""Words in a row that are looked up to find where quoted words stand."""

QUOTED_WORDS: Final = 8
"""Words in a row that two texts share from which one quotes the other."""

QUOTED_RULES: Final = 3
"""Rules that share words in a row, above which they tell nothing: phrases of the trade."""

MOVED_WORDS: Final = 4
"""Words in a row that count as moved when they stand elsewhere: three ("the number of") are met by chance."""

STRAY_WORDS: Final = 2
"""Function words in a row that, alone within new words, stayed by chance."""

PAGE_NAME_LONGEST: Final = 120
"""Characters of a name that is a page's file name as it is; the longest of the archive has 79, and file systems stop at
255 bytes."""

FILE_NAME_BYTES: Final = 255
"""Longest name of a file that any usual system takes: a state of a site that names a longer one was not made by us."""

# --- Live view ----------------------------------------------------------------------------------------------

LIVE_PROCESSES: Final = 2
"""Processes that answer for the live view: comparing is work for the processor, and small servers have two."""

LIVE_SECONDS: Final = 20
"""Seconds after which an answer of the live view is given up; the slowest comparison takes about one."""

LIVE_BYTES_KEPT: Final = 100_000_000
"""Bytes of answers that the live view keeps: the largest pages have 2 MB, and usual ones some 50 kB."""

LIVE_SECONDS_TO_END: Final = 1
"""Seconds that the live view gives those who are being sent an answer when it is to stop."""

LIVE_CHANGES_WHOLE: Final = 400
"""Changes up to which the live view shows a comparison whole: more than three of four releases have. Two arbitrary
versions have 2,500, and 1 MB of them."""

LIVE_FOUND_AT_ONCE: Final = 100
"""Places of words that a page of the live view shows at a time: a common word has thousands, in 1 MB."""

LIVE_CHANGES_FIRST: Final = 50
"""Changes that it shows of each group of a longer one at first."""

LIVE_CHANGES_MORE: Final = 250
"""Changes of a group that it shows at a time to those who ask for more."""

LIVE_FORM_BYTES: Final = 3_500_000
"""Largest form that the live view reads: a scenario of ``SCENARIO_BYTES`` with each byte written as ``%XX``, and the
rest of the form."""

LIVE_WORDS_AT_MOST: Final = 500
"""Characters of a rule, of two versions or of a search that the live view is asked for; the longest term has 50."""

LIVE_NEW_OBJECTS: Final = 1_000_000
"""New objects after which a process of the live view looks for garbage: a comparison makes a third as many, and nearly
all of them are kept or go as they came."""

LIVE_VERSIONS_AT_MOST: Final = 200
"""Versions under which one request may evaluate a scenario: more than there are releases."""

DAMAGED_LINE_SHARE: Final = 0.15
"""Places at which characters were lost or changed against the lines of a text, from which it is refused. The worst
published text has 107 lost characters in 1,600 lines; a conversion that goes through a whole text spoils every third
line at least."""

LOST_APOSTROPHE_SHARE: Final = 0.005
"""The same for words such as "doesnt", of which no published text has any: every hundredth line has such a word."""

APOSTROPHES_SOUGHT: Final = 150_000
"""Characters from the beginning of a text in which such words are looked for."""

UNFINISHED_RULE_LENGTH: Final = 40
"""Characters of a rule from which it is a sentence, and not the name of a keyword."""

UNFINISHED_RULE_SHARE: Final = 0.05
"""Share of such rules that end in mid-sentence, from which the lines of a text were cut off; published: 0.005."""

UNREAD_NUMBER_SHARE: Final = 0.05
"""Lines that look like rules and cannot be read as such, against the rules that were read, from which the text is
refused; the published texts have none."""

UNEXPLAINED_TERM_SHARE: Final = 0.2
"""Share of the glossary entries without a text from which the glossary was torn apart; published: none."""

RULE_LONGEST: Final = 50_000
"""Characters of a rule above which something else ran into it; the longest published one has under 5,000."""

SOURCE_LARGEST: Final = 20_000_000
"""Bytes of the largest source that is read; published texts have 1 MB, as documents some more."""

GLOSSARY_ENTRY_LONGEST: Final = 12_000
"""Characters of a glossary entry above which the glossary ran together; the longest published one has 3,924."""

RULES_AFTER_THE_END: Final = 20
"""Lines that begin like rules behind the last rule, above which two texts stand in one file; published: none."""

NEARBY_WRONG: Final = 0.6
"""Share of the citations nearby that existed at a time, up to which a citation is not of that time."""

REFERENCE_STILL_FITS: Final = 0.6
"""Share of the words with content that a rule has in common with the one that had its number before, from which a
reference to the number still fits: the rule was split or put in other words, and nothing points astray."""

BESIDE_SUPPORTS: Final = 4.0
"""Weight of the words beside a citation from which they uphold the rule named against one that had its number."""

CITED_FILES_FOR_ONE: Final = 400
"""Files that one process checks alone: more processes take a second to begin."""

RULES_TEXT_LINES: Final = 300
"""Lines that begin with a rule's number and go on for a sentence, from which a file is a copy of the rules."""

RULES_TEXT_RISING: Final = 0.9
"""Share of those lines whose number follows the one before: a list of rulings by rule is in no such order."""

NUMBERS_TOLD: Final = 4
"""How many numbers of a rule the head of its page lists; of more it tells the first, the last and how many."""

PASSAGE_BEFORE: Final = 80
PASSAGE_AFTER: Final = 140
"""Characters that a line of results shows before and after the words that were searched."""
