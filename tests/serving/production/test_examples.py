"""The examples of docker/ that no test can run: systemd units, Compose, Kubernetes."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from django.conf import settings

from annotation.domain.base.jobs.queues import BEFORE, Queue
from tests.support.installation import ROOT
from tests.support.running.production import documented, documented_workers

DOCKER = ROOT / "docker"
UNITS = sorted((DOCKER / "systemd").glob("*.service"))
MANIFESTS = sorted((DOCKER / "kubernetes").glob("*.yaml"))
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text(encoding="utf-8"))
OURS = ("prepare", "web", "worker", "worker-models")
WORKERS = {"worker-others": "web", "worker-models": "worker"}
ENTRY = (DOCKER / "entrypoint.sh").read_text(encoding="utf-8")
ROLES = dict(re.findall(r"^([\w-]+)\)$(.*?)^    ;;$", ENTRY, re.MULTILINE | re.DOTALL))
MODELS = {Queue.MODELS.broker_name}
QUEUES = {BEFORE, *(queue.broker_name for queue in Queue)}


def taken(command: str) -> set[str]:
    """The queues that a worker's command names."""
    (names,) = re.findall(r"(?:-Q|--queues) (\S+)", command)
    return set(names.split(","))


def pods() -> list[dict[str, Any]]:
    found = [one for path in MANIFESTS for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
    return [one["spec"]["template"]["spec"] for one in found if one["kind"] in {"Deployment", "Job"}]


def test_systemd_starts_what_the_documentation_says():
    lines = [line for unit in UNITS for line in unit.read_text(encoding="utf-8").splitlines()]
    started = [shlex.split(line.partition("=")[2]) for line in lines if line.startswith("ExecStart=")]
    words = [[first.rpartition("/")[2], *others] for first, *others in started]
    assert [[word.replace("%%", "%") for word in line] for line in words] == [
        *documented()[:-1],
        *documented_workers(),
    ]


def test_models_have_a_worker_of_their_own_and_no_queue_is_without_one():
    models, others = (taken(shlex.join(words)) for words in documented_workers())
    assert (models, others) == (MODELS, QUEUES - MODELS)
    assert {role: taken(ROLES[role]) for role in WORKERS} == {
        "worker-others": QUEUES - MODELS,
        "worker-models": MODELS,
    }


def test_compose_and_kubernetes_start_both_workers_and_only_the_one_for_models_has_torch():
    services = [COMPOSE["services"][name] for name in OURS]
    composed = {one["command"][0]: one["build"]["target"] for one in services if "command" in one}
    assert composed == {"prepare": "web", **WORKERS}
    containers = [container for pod in pods() for container in pod["containers"]]
    images = {one["args"][0]: re.findall(r"/groundwork-(\w+):", one["image"])[0] for one in containers}
    assert images == {"prepare": "web", "web": "web", **WORKERS}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze on this machine")
def test_systemd_accepts_the_units(tmp_path: Path):
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace(
            "/opt/groundwork/bin", str(Path(sys.executable).parent)
        )
        (tmp_path / unit.name).write_text(text.replace("/etc/groundwork/environment", "/dev/null"))
    copies = [str(tmp_path / unit.name) for unit in UNITS]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *copies], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "groundwork" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_kubernetes_knows_every_field_of_the_manifests(path: Path):
    for manifest in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        kubernetes_validate.validate(manifest, "1.37", strict=True)


def test_pods_have_no_rights_and_write_to_the_shared_folder_and_memory_alone():
    assert len(pods()) == 4
    for pod in pods():
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}


def test_containers_of_compose_have_no_rights_and_share_all_that_is_written():
    for name in OURS:
        service = COMPOSE["services"][name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["volumes"] == ["data:/data"]
        assert [mount.split(":")[0] for mount in service["tmpfs"]] == ["/tmp"]
    assert "GROUNDWORK_VAR=/data" in (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def test_all_that_is_written_lies_in_the_shared_folder():
    """Knowledge bases too: each worker and the web server read them."""
    folders = (settings.MEDIA_ROOT, settings.KNOWLEDGE_FOLDER, settings.MODEL_FOLDER, settings.STATIC_ROOT)
    assert all(Path(folder).is_relative_to(settings.VAR_DIR) for folder in folders)
    claims = [volume for pod in pods() for volume in pod["volumes"] if "persistentVolumeClaim" in volume]
    assert [claim["persistentVolumeClaim"]["claimName"] for claim in claims] == ["groundwork"] * len(pods())


def test_every_setting_of_the_env_file_reaches_every_container():
    for name in OURS:
        assert COMPOSE["services"][name]["env_file"] == [".env"]
    lines = (DOCKER / "compose.env.example").read_text(encoding="utf-8").splitlines()
    named = {line.lstrip("#").partition("=")[0] for line in lines if re.match(r"#?[A-Z_]+=", line)}
    wanted = set(re.findall(r"\$\{(\w+):\?", (DOCKER / "compose.yml").read_text(encoding="utf-8")))
    assert wanted <= named
    documentation = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert [name for name in named - {"POSTGRES_PASSWORD"} if f"`{name}`" not in documentation] == []


def test_the_web_s_image_has_no_torch_and_the_workers_are_watched():
    stages = (DOCKER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    assert [stage.split()[2] for stage in stages[1:]] == ["base", "web", "worker"]
    assert [".[worker]" in stage for stage in stages[1:]] == [False, False, True]
    watched = ["CMD", "/entrypoint.sh", "check-worker"]
    for name in ("worker", "worker-models"):
        assert COMPOSE["services"][name]["healthcheck"]["test"] == watched
    probes = {pod["containers"][0]["args"][0]: pod["containers"][0].get("livenessProbe") for pod in pods()}
    assert {role: probes[role]["exec"]["command"] for role in WORKERS} == dict.fromkeys(WORKERS, watched[1:])


def test_kubernetes_hides_measurements_and_the_health_of_each_part_from_outside():
    (ingress,) = (
        one
        for one in yaml.safe_load_all((DOCKER / "kubernetes" / "ingress.yaml").read_text(encoding="utf-8"))
        if one["metadata"]["name"] == "groundwork-metrics"
    )
    paths = ingress["spec"]["rules"][0]["http"]["paths"]
    assert [(one["path"], one["pathType"]) for one in paths] == [
        ("/metrics", "Exact"),
        ("/health/ready", "Exact"),
    ]
    allowed = ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/whitelist-source-range"]
    assert allowed == "127.0.0.1/32"


def test_every_role_that_an_example_names_is_one_of_the_entry_point():
    named = {COMPOSE["services"][name].get("command", [name])[0] for name in OURS}
    named |= {container["args"][0] for pod in pods() for container in pod["containers"]}
    probes = [
        container[probe]["exec"]["command"]
        for pod in pods()
        for container in pod["containers"]
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
        if probe in container
    ]
    assert {command[0] for command in probes} == {"/entrypoint.sh"}
    assert named | {command[1] for command in probes} <= set(ROLES)
