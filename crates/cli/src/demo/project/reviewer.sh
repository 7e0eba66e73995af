#!/bin/sh
# The scripted reviewer of `sprag demo`: it looks whether a quote in a field is doubled.
cat > /dev/null
. ./src/csv.sh
if [ "$(csv_row 'a"b,c')" = '"a""b,c"' ]; then
  echo 'VERDICT: pass'
else
  echo 'VERDICT: issues'
  echo '- [important] src/csv.sh:5: a quote in a field is not doubled. Fix: double it.'
fi
