"""One letter for each part that a token can play, so that the tags of a sentence are one string."""

from __future__ import annotations

DETERMINER, POSSESSIVE_END, PRONOUN, NOUN, NUMBER = "D", "Z", "P", "N", "#"
VERB, BE, AUXILIARY, GERUND, PARTICIPLE = "V", "B", "A", "G", "E"
RELATIVE, QUESTION, SUBORDINATOR, COORDINATOR = "R", "W", "S", "C"
PREPOSITION, OF, TO, ADVERB = "I", "O", "T", "Y"
COMMA, STOP, COLON, QUOTE, OPEN, CLOSE = ",", ".", ":", '"', "(", ")"
LIKE, AS = "L", "K"
