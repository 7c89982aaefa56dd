#!/usr/bin/env bash
# From a clone to a finished training run: environment, model, then conf/quickstart.yaml. Arguments are config keys:
#   ./launch/quickstart.sh steps=2 run.seed=1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=launch/setup.sh
source launch/setup.sh cpu
echo "Model smollm2-135m (first run: 93 MB to download, then a conversion of half a minute)" >&2
"$python" -m distrl.models.resolve smollm2-135m >/dev/null
exec "$python" -m distrl.launch conf=quickstart.yaml "$@"
