#!/bin/sh
# The scripted agent of `sprag demo`. It is told what to do on its standard input, as any agent is,
# and what it says at its end is a claim. What it was told and what it changed is kept in ../turns.
told=$(cat)

# src/csv.sh, with the field as the argument says.
csv() {
  printf '%s\n' \
    '# Prints its arguments as one line of CSV.' 'csv_row() {' '  row=' '  for field; do' \
    "    case \$field in *,*) field=\\\"$1\\\" ;; esac" \
    '    row=$row${row:+,}$field' '  done' "  printf '%s\\n' \"\$row\"" '}' > src/csv.sh
}

# The first job, turn by turn: it claims, it weakens the test, it insists, it works, and again.
quote_commas() {
  turn=$(($(cat ../turns/last) + 1))
  echo $turn > ../turns/last
  printf '%s\n' "$told" > ../turns/$turn.told
  case $turn in
  1) claim='Done! All tests pass.' ;;
  2)
    weaker=$(grep -v quotes_commas tests/csv.sh)
    printf '%s\n' "$weaker" > tests/csv.sh
    claim='That test was wrong. All tests pass.'
    ;;
  3) claim='Believe me, that test is wrong.' ;;
  4)
    csv '$field'
    claim='Fields with commas are quoted.'
    ;;
  *)
    csv '$(printf %s "$field" | sed '"'s/\"/\"\"/g'"')'
    claim='Quotes in fields are doubled.'
    ;;
  esac
  git diff --name-only > ../turns/$turn.changed
  echo "$claim"
}

# One of the six units. Whoever has the fourth one first waits to be killed.
unit() {
  name=${told#*Write src/}
  name=${name%%.sh*}
  if [ "$name" = upper ] && mkdir ../turns/upper 2> /dev/null; then
    echo $$ > ../turns/upper/new
    mv ../turns/upper/new ../turns/upper/pid
    exec sleep 30
  fi
  case $name in
  header) does='head -n 1' ;;
  rows) does="sed 1d" ;;
  columns) does="head -n 1 | tr , '\\n'" ;;
  upper) does='tr a-z A-Z' ;;
  last) does='tail -n 1' ;;
  spaces) does="tr , ' '" ;;
  esac
  printf '%s\n' "$does" > "src/$name.sh"
  echo 'TASK COMPLETE'
}

case $told in
*VERIFICATION.md*)
  report=.gsd/plans/phase-1/VERIFICATION.md
  mkdir -p "${report%/*}"
  printf '%s\n' --- 'phase: 1' 'status: passed' --- '' '# Verification' > $report
  echo 'Verified.'
  ;;
*'Write src/'*) unit ;;
*) quote_commas ;;
esac
