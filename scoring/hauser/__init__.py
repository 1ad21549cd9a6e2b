"""HAUSER's automatic metrics of similes (He et al., ACL 2023), in the paper's names, one idea a file."""
