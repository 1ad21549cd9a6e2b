"""Transformer models behind plain callables: the only place that imports torch and transformers."""
