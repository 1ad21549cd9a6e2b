"""How the embedded checkpoints are made: seeded sentences, and small models fitted to them."""
