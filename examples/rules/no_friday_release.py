#!/usr/bin/env python3
"""A rule for sprag: no milestone is completed on a Friday.

In .sprag/config.yaml:

    rules:
      - name: no-friday-release
        run: [python3, examples/rules/no_friday_release.py]
        before: [complete-milestone]

A rule reads one JSON object from standard input and writes one to standard output, exit code 0.
Anything else holds the work with the rule's name; a rule that fails never passes.
"""

import datetime
import json
import os
import sys

question = json.load(sys.stdin)
unit = question["unit"]
# A date for tests: RULE_TODAY=2026-03-06
today = datetime.date.fromisoformat(os.environ.get("RULE_TODAY") or str(datetime.date.today()))

if today.weekday() == 4:
    answer = {"do": "hold", "why": f"{unit['id']} waits: nothing is released on a Friday"}
else:
    answer = {"do": "pass"}

json.dump({"v": 1, **answer}, sys.stdout)
