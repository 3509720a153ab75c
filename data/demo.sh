#!/bin/sh
# The story that `make demo` tells, from the bundled texts alone: each command is shown before its answer.
set -u
folder=demo-output
mkdir -p "$folder"
rm -f "$folder/demo.db"
RULEHIST_DB="$folder/demo.db"
export RULEHIST_DB
bold=''
plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$(printf '\033[1m')
    plain=$(printf '\033[0m')
fi
say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
run() { printf '\n$ rulehist %s\n' "$*"; rulehist "$@"; code=$?; [ "$code" -lt 2 ] || exit "$code"; }

say "1. Take in the bundled texts: a history list of rule 707.2 and an excerpt of rule 201.5."
run ingest data/bundled
run versions
say "2. What did rule 707.2 say on two days? (In 2015 the number belonged to another rule.)"
run show 707.2@2015-06-01
run show 707.2@AFR
say "3. The two changes that its words went through since."
run diff 2021-07-23..2022-10-07
run diff 2022-10-07..latest
say "4. The same as a page for the browser."
run report 2021-07-23..2022-10-07 -o "$folder/report.html"
say "5. A creature with a sticker is copied: what does the copy have, under three versions of the rule?"
run compare data/scenarios/stickered-creature-copied.yaml 2021-07-23 2022-10-07 latest
printf '\nThe page is in %s/report.html; the database, which Datasette opens as it is, in %s/demo.db.\n' "$folder" "$folder"
