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

from tests.support.installation import ROOT
from tests.support.running.production import documented

DOCKER = ROOT / "docker"
UNITS = sorted((DOCKER / "systemd").glob("*.service"))
MANIFESTS = sorted((DOCKER / "kubernetes").glob("*.yaml"))
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text(encoding="utf-8"))
OURS = ("prepare", "web", "worker")
ROLES = set(re.findall(r"^([\w-]+)\)$", (DOCKER / "entrypoint.sh").read_text(encoding="utf-8"), re.MULTILINE))


def pods() -> list[dict[str, Any]]:
    found = [one for path in MANIFESTS for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
    return [one["spec"]["template"]["spec"] for one in found if one["kind"] in {"Deployment", "Job"}]


def test_systemd_starts_what_the_documentation_says():
    lines = [line for unit in UNITS for line in unit.read_text(encoding="utf-8").splitlines()]
    started = [shlex.split(line.partition("=")[2]) for line in lines if line.startswith("ExecStart=")]
    assert [[words[0].rpartition("/")[2], *words[1:]] for words in started] == documented()


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
    assert len(pods()) == 3
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


def test_the_web_s_image_has_no_torch_and_the_worker_is_watched():
    built = {name: COMPOSE["services"][name]["build"]["target"] for name in OURS}
    assert built == {"prepare": "web", "web": "web", "worker": "worker"}
    stages = (DOCKER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    assert [stage.split()[2] for stage in stages[1:]] == ["base", "web", "worker"]
    assert [".[worker]" in stage for stage in stages[1:]] == [False, False, True]
    assert COMPOSE["services"]["worker"]["healthcheck"]["test"] == ["CMD", "/entrypoint.sh", "check-worker"]


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
    assert named | {command[1] for command in probes} <= ROLES
