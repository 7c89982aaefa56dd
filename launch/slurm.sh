#!/usr/bin/env bash
#SBATCH --job-name=distrl
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --signal=B:TERM@120
# One Ray node on each machine of the allocation, the run on the first one:
#   sbatch launch/slurm.sh conf=cluster.yaml key=value …
# The clone and its .venv lie on a file system that all machines share. Near the time limit the run is told to
# stop, writes a checkpoint, and the same command goes on from it.
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:?this script runs under sbatch}"
port="${DISTRL_RAY_PORT:-6379}"
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head_address="$(srun --nodes=1 --ntasks=1 -w "${hosts[0]}" hostname --ip-address | awk '{print $1}'):$port"

export RAY_AUTH_MODE=token
RAY_AUTH_TOKEN="${RAY_AUTH_TOKEN:-$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')}"
export RAY_AUTH_TOKEN RAY_USAGE_STATS_ENABLED=0 VLLM_NO_USAGE_STATS=1 TOKENIZERS_PARALLELISM=false
export HF_HUB_OFFLINE="${HF_HUB_OFFLINE:-1}" DISTRL_CACHE="${DISTRL_CACHE:-$PWD/.cache}"

nodes=()
# shellcheck disable=SC2317,SC2329  # called by the traps
finish() { kill "${nodes[@]}" 2>/dev/null || true; }
trap finish EXIT

srun --nodes=1 --ntasks=1 --overlap -w "${hosts[0]}" \
    .venv/bin/ray start --head --block --node-ip-address="${head_address%:*}" --port="$port" --dashboard-host=127.0.0.1 &
nodes+=($!)
for _ in $(seq 60); do
    .venv/bin/ray health-check --address "$head_address" 2>/dev/null && break
    sleep 2
done
for host in "${hosts[@]:1}"; do
    srun --nodes=1 --ntasks=1 --overlap -w "$host" .venv/bin/ray start --block --address="$head_address" &
    nodes+=($!)
done

.venv/bin/python -m distrl.launch "$@" "ray.address=$head_address" &
run=$!
trap 'kill -TERM "$run"' TERM INT
code=0
wait "$run" || code=$?
# A wait that a signal cut short answers above 128 while the run is still writing its checkpoint: wait again.
if kill -0 "$run" 2>/dev/null; then
    code=0
    wait "$run" || code=$?
fi
exit "$code"
