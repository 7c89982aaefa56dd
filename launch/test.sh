#!/usr/bin/env bash
# The test suite, all of it or what the arguments name:   ./launch/test.sh [tests/unit …]
# The unit part runs on all cores; the rest starts Ray and engines that want the machine for themselves.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=launch/setup.sh
source launch/setup.sh cpu dev
parallel=(--numprocesses auto --dist worksteal)
if [ $# = 0 ]; then
    code=0
    "$python" -m pytest "${parallel[@]}" tests/unit || code=$?
    "$python" -m pytest tests/contract tests/ray tests/learning || code=$?
    exit "$code"
fi
case " $* " in
*" tests/contract"* | *" tests/ray"* | *" tests/learning"*) exec "$python" -m pytest "$@" ;;
*" tests/unit"*) exec "$python" -m pytest "${parallel[@]}" "$@" ;;
*) exec "$python" -m pytest "$@" ;;
esac
