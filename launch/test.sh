#!/usr/bin/env bash
# The test suite, all of it or what the arguments name:   ./launch/test.sh [tests/unit …]
# The unit part runs on all cores; the rest starts Ray and engines that want the machine for themselves.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=launch/setup.sh
source launch/setup.sh cpu dev
[ $# != 0 ] || set -- tests/unit tests/contract tests/ray tests/learning
unit=() other=()
for argument in "$@"; do
    case "$argument" in tests/unit*) unit+=("$argument") ;; *) other+=("$argument") ;; esac
done
code=0
[ ${#unit[@]} = 0 ] || "$python" -m pytest --numprocesses auto --dist worksteal "${unit[@]}" || code=$?
[ ${#other[@]} = 0 ] || "$python" -m pytest "${other[@]}" || code=$?
exit "$code"
