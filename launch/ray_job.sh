#!/usr/bin/env bash
# Submit a run to a Ray cluster that already has distrl on its machines (launch/image/):
#   RAY_API_SERVER_ADDRESS=… RAY_AUTH_TOKEN=… ./launch/ray_job.sh conf=cluster.yaml key=value …
set -euo pipefail
: "${RAY_API_SERVER_ADDRESS:?set it to the address of the cluster dashboard}"
: "${RAY_AUTH_TOKEN:?set it to the token that the cluster was started with}"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export RAY_AUTH_MODE=token
ray="$PWD/.venv/bin/ray"
[ -x "$ray" ] || ray=ray
exec "$ray" job submit --submission-id "distrl-$(date +%Y%m%d-%H%M%S)-$$" -- \
    python -m distrl.launch "$@" ray.address=auto
