"""The commands of this program by purpose, as `groundwork help` lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from config.command_line import command

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Start and run": {
        "demo": "Start the web server and a worker with a demo study",
        "serve": "Start the web server and workers",
        "migrate": "Create the database or update it to this version",
        "seed_demo": "Create the demo study and its accounts",
        "demo_study": "Create a draft study with demo items from a protocol",
    },
    "Data in": {
        "import_items": "Import items",
        "import_ratings": "Import ratings",
        "import_scores": "Import scores of metrics",
        "import_judge": "Import the answers of an automatic judge",
        "import_tuples": "Import sentences with marked tuples",
        "import_probing": "Import probing questions",
        "import_published": "Import a published study from your copy of its files",
        "draw_pairs": "Draw pairs from a ranked file into a preference study",
    },
    "Change a study": {
        "study_items": "Raise ratings per item, retire, restore or correct items of an open study",
        "delete_study": "Delete a study after a period, or keep it",
    },
    "Data out": {
        "export": "Export a table of a study, or its data bundle",
        "study_definition": "Export a study definition, or create a draft study from one",
    },
    "Statistics and scores": {
        "report": "Compute the reliability of a study",
        "agreement": "Compute the reliability of ratings in a file",
        "compare_runs": "Compare two runs of one study",
        "tuples_agreement": "Compute agreement on tuples in a file",
        "rankings": "Compute strengths of items and split-half reliability of rankings in a file",
        "metaeval": "Compute correlations of metrics with ratings in files",
        "ordinal_model": "Fit an ordinal mixed model to ratings in a file",
        "power": "Simulate how often a planned study finds what is there",
        "replicate": "Recompute the tables of a published study",
        "judge": "Let a model rate the items of a study, as an automatic judge",
        "score": "Score the similes of a study or a file",
        "components": "Extract the components of similes in a file, or train an extractor on marks",
        "kb": "Import, build, collect, list and show simile knowledge bases",
        "models": "Check, download or copy models",
    },
    "People and accounts": {
        "add_user": "Create an account",
        "accounts": "List, invite and change accounts",
        "personal_data": "Export or delete the data of a person",
    },
    "Backup and upkeep": {
        "backup": "Write all data to one file",
        "restore": "Restore a backup into an empty installation",
        "verify": "Check all data for errors",
        "rotate_secrets": "Encrypt stored secrets with the current secret key",
        "send_test_mail": "Send a test email",
    },
    "Development": {
        "simulate": "Fill an open study with simulated raters",
        "bundles": "Bundle scripts and style sheets",
        "catalogues": "Update the translations of the interface",
    },
}
WIDTH = 18


def asks_for_commands(arguments: Sequence[str]) -> bool:
    """Return whether a command line asks for the list of commands."""
    return list(arguments) in ([], ["help"], ["--help"], ["-h"])


def overview() -> str:
    """List the commands by purpose, one line each."""
    lines = [f"Usage: {command('COMMAND [options]')}"]
    for purpose, commands in GROUPS.items():
        lines += ["", purpose, *(f"  {name:<{WIDTH}}{line}" for name, line in commands.items())]
    return "\n".join(
        [
            *lines,
            "",
            f"Options of a command: {command('help COMMAND')}",
            f"All commands, including those of Django: {command('help --commands')}",
            "",
        ]
    )
