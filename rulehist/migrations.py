"""The schema of the store, as migrations that sqlite-utils applies; docs/schema.md explains it to readers.

Primary tables hold what the sources say and nothing else: ``sources``, ``versions``, ``documents``, ``texts``,
``parts``, ``placements``, ``findings``. What follows from them can be computed again at any time: ``rules``,
``placements.rule_id``, ``spans``, ``matches``, ``links``, ``texts_search``, ``readings``, ``copying_clauses``.

A migration that was published is never changed: what is wrong in it is mended by the next one.
"""

from __future__ import annotations

from sqlite3 import complete_statement

from sqlite_utils import Database, Migrations

from rulehist.store import APPLICATION_ID

migrations = Migrations("rulehist")

_FIRST = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,          -- of the bytes as ingested
    name TEXT NOT NULL,                   -- file name, without its folder
    kind TEXT NOT NULL,                   -- the kind of source that read it
    bytes INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    encoding_reason TEXT NOT NULL,        -- what decided the encoding, in words
    line_ends TEXT NOT NULL,
    damaged INTEGER NOT NULL DEFAULT 0    -- 1: taken by force in spite of a fatal finding
) STRICT;
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    effective TEXT UNIQUE,                -- ISO date; NULL: the source gives none
    later_than TEXT,                      -- of an undated version: the date that it must follow
    sort_key TEXT NOT NULL UNIQUE         -- order of time; undated versions last
) STRICT;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources(id),
    version_id INTEGER NOT NULL REFERENCES versions(id),
    coverage TEXT NOT NULL CHECK (coverage IN ('full', 'excerpt')),
    release TEXT NOT NULL,                -- as the source states it, or empty
    place INTEGER NOT NULL,               -- order within its source
    UNIQUE (source_id, place)
) STRICT;
CREATE INDEX documents_version ON documents(version_id);
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,          -- of the text as published
    published TEXT NOT NULL,
    folded_apart TEXT,                    -- comparison form, where it is more than the replacements below
    folded TEXT NOT NULL AS (coalesce(    -- comparison form: typography folded away
        folded_apart,
        replace(replace(replace(replace(replace(replace(replace(
            published, '’', ''''), '‘', ''''), '“', '"'), '”', '"'), '—', '-'), '–', '-'), char(10), ' ')
    )) VIRTUAL
) STRICT;
CREATE TABLE parts (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    number TEXT NOT NULL,                 -- rule number, glossary term, or empty
    label TEXT NOT NULL,                  -- what the source prints before the text
    text_id INTEGER NOT NULL REFERENCES texts(id),
    truncated INTEGER NOT NULL DEFAULT 0,
    UNIQUE (text_id, kind, number, label, truncated)
) STRICT;
CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE             -- address of its first appearance: NUMBER@DATE
) STRICT;
CREATE TABLE placements (
    document_id INTEGER NOT NULL REFERENCES documents(id),
    place INTEGER NOT NULL,               -- order within the document, from 0
    part_id INTEGER NOT NULL REFERENCES parts(id),
    rule_id INTEGER REFERENCES rules(id), -- NULL: front matter, or not yet matched
    PRIMARY KEY (document_id, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE findings (
    source_id INTEGER NOT NULL REFERENCES sources(id),
    document_id INTEGER REFERENCES documents(id),
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;
CREATE INDEX findings_source ON findings(source_id);
CREATE INDEX findings_document ON findings(document_id);
CREATE TABLE spans (
    id INTEGER PRIMARY KEY,
    rule_id INTEGER NOT NULL REFERENCES rules(id),
    kind TEXT NOT NULL,
    number TEXT NOT NULL,                 -- number of the rule during this span; of an example, that of its rule
    lookup TEXT NOT NULL,                 -- what a query finds it by: the number, or the folded glossary term
    sort_key TEXT NOT NULL,
    place INTEGER NOT NULL,               -- order in the first document of the span
    text_id INTEGER NOT NULL REFERENCES texts(id),
    label TEXT NOT NULL,
    first_version_id INTEGER NOT NULL REFERENCES versions(id),
    valid_from TEXT,                      -- ISO date, inclusive; NULL: unknown
    valid_until TEXT,                     -- ISO date, exclusive; NULL: still in force, or unknown
    until_known INTEGER NOT NULL,         -- 0: it ended, or may have, on an unknown date
    coverage TEXT NOT NULL                -- 'excerpt': known from excerpts alone
) STRICT;
CREATE INDEX spans_lookup ON spans(lookup, valid_from);
CREATE INDEX spans_rule ON spans(rule_id, valid_from);
CREATE INDEX spans_text ON spans(text_id);
CREATE TABLE matches (
    older_document_id INTEGER NOT NULL REFERENCES documents(id),
    newer_document_id INTEGER NOT NULL REFERENCES documents(id),
    by_hand TEXT NOT NULL,                -- the verdicts of experts that were heeded, as pairs of places
    links BLOB NOT NULL,                  -- all links of the pair, compressed: read by the program
    PRIMARY KEY (older_document_id, newer_document_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE links (                      -- links of neighbouring versions that say more than "same text"
    older_document_id INTEGER NOT NULL REFERENCES documents(id),
    newer_document_id INTEGER NOT NULL REFERENCES documents(id),
    older_place INTEGER NOT NULL,         -- as in placements
    newer_place INTEGER NOT NULL,
    relation TEXT NOT NULL,               -- 'same', 'split' or 'merge'
    evidence TEXT NOT NULL,
    score REAL NOT NULL,
    PRIMARY KEY (older_document_id, newer_document_id, older_place, newer_place)
) STRICT, WITHOUT ROWID;
-- by content="texts", in these quotes, Datasette knows that it may offer to search
CREATE VIRTUAL TABLE texts_search USING fts5(folded, content="texts", content_rowid="id", tokenize="unicode61");
CREATE VIEW rule_history AS
    SELECT rules.name AS rule, spans.kind, spans.number, spans.valid_from, spans.valid_until,
           spans.until_known, spans.coverage, texts.published AS text
    FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id
    ORDER BY rules.name, spans.valid_from IS NULL, spans.valid_from;
CREATE VIEW version_list AS
    SELECT versions.effective, documents.coverage, documents.release, sources.name AS source, sources.sha256
    FROM documents JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id
    ORDER BY versions.sort_key, documents.coverage DESC, sources.sha256;
"""


_MATCHER_AND_BASIS = """
ALTER TABLE matches ADD COLUMN matcher TEXT NOT NULL DEFAULT '';  -- digest of what made the links; empty: not known
DROP VIEW version_list;
CREATE VIEW version_list AS               -- the source that a version rests on comes first of its sources
    SELECT versions.effective, documents.coverage, documents.release, sources.name AS source, sources.sha256
    FROM documents JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id
    ORDER BY versions.sort_key, documents.coverage DESC, sources.damaged,
             sources.encoding IN ('docx', 'doc', 'rtf', 'pdf'), sources.sha256;
"""


_READINGS = """
CREATE TABLE readings (                   -- what the rules say on a switch of data/semantics, as the engine reads it
    switch TEXT NOT NULL,
    valid_from TEXT NOT NULL,             -- ISO date of the first version that says so
    valid_until TEXT,                     -- ISO date of the first version that does not; NULL: the newest does
    value TEXT,                           -- NULL: the rules do not say; of a list, one item to a line
    is_list INTEGER NOT NULL,
    rule_id INTEGER REFERENCES rules(id) ON DELETE CASCADE,  -- NULL: no rule has words on it
    text_id INTEGER REFERENCES texts(id),
    quote TEXT NOT NULL,                  -- the words that decided
    PRIMARY KEY (switch, valid_from)
) STRICT, WITHOUT ROWID;
CREATE TABLE copying_clauses (            -- what the rule on copiable values says, as the engine reads it
    valid_from TEXT NOT NULL,
    valid_until TEXT,
    place INTEGER NOT NULL,
    rule_id INTEGER NOT NULL REFERENCES rules(id) ON DELETE CASCADE,
    text_id INTEGER NOT NULL REFERENCES texts(id),
    list TEXT NOT NULL,
    item TEXT NOT NULL,
    clause TEXT NOT NULL,                 -- the words that name the item, typography folded away
    PRIMARY KEY (valid_from, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE reading_files (              -- the files that decided how the engine read
    file TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    crc32 INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""


@migrations()
def m001_first_schema(db: Database) -> None:
    """All tables of the first release."""
    _run(db, _FIRST)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")


@migrations()
def m002_matcher_and_basis(db: Database) -> None:
    """Links know which matcher made them; ``version_list`` puts first what the program puts first."""
    _run(db, _MATCHER_AND_BASIS)
    db.execute("PRAGMA user_version = 2")


@migrations()
def m003_readings(db: Database) -> None:
    """The store keeps what the engine reads in each version."""
    _run(db, _READINGS)
    db.execute("PRAGMA user_version = 3")


def _run(db: Database, script: str) -> None:
    """Statement by statement, because ``executescript()`` would commit the migration's transaction."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if complete_statement(statement):
            db.execute(statement)
            statement = ""
