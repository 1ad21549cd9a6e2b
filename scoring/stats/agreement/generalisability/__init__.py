"""Generalisability theory: variance components of facets, coefficients of means, and D studies."""
