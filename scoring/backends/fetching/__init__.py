"""Checkpoints brought into the folder of models."""
