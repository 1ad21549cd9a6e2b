from scoring.models.replication import ReplicationRun
from scoring.models.report import Report
from scoring.models.score import Score, ScoreRun

__all__ = ["ReplicationRun", "Report", "Score", "ScoreRun"]
