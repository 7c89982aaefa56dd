#!/usr/bin/env bash
# The test suite, all of it or what the arguments name:   ./launch/test.sh [tests/unit …]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=launch/setup.sh
source launch/setup.sh cpu dev
exec "$python" -m pytest "$@"
