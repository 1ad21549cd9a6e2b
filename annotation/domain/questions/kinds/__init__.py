"""Kinds of questions, one file each; `registry` lists them."""
