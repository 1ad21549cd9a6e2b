"""PostgreSQL as Django has it, with statements that it keeps ready."""
