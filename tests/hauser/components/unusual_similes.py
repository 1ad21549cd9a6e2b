"""Invented sentences of unusual structure, each with the topics and vehicles that a reader sees in it."""

from __future__ import annotations

Expected = list[tuple[str | None, str]]

UNUSUAL: dict[str, Expected] = {
    # Adjective and "as"
    "The bread was hard as the landlord's heart.": [("The bread", "the landlord's heart")],
    "Quiet as snowfall, quick as a cat, the thief crossed the yard.": [
        ("the thief", "snowfall"),
        ("the thief", "a cat"),
    ],
    "Quiet as snowfall, quick as a cat.": [(None, "snowfall"), (None, "a cat")],
    "The rope was thin as a hair and twice as likely to break.": [("The rope", "a hair")],
    "Grandmother sat there stubborn as a locked gate.": [("Grandmother", "a locked gate")],
    "Her answer came back cold and sharp as a skate on ice.": [("Her answer", "a skate")],
    # "as … as" with long vehicles
    "This map is as useful as an umbrella in a submarine.": [("This map", "an umbrella in a submarine")],
    "The plan was as welcome as a bill without a discount.": [("The plan", "a bill without a discount")],
    "My uncle is as cheerful as a clerk counting somebody else's money.": [
        ("My uncle", "a clerk counting somebody else's money")
    ],
    "The committee moved as slowly as cold honey.": [("The committee", "cold honey")],
    "She gave a nod as brief as a blink.": [("a nod", "a blink")],
    "The mayor is about as subtle as a brass band.": [("The mayor", "a brass band")],
    # Other words that compare
    "The new foreman was not unlike a badger.": [("The new foreman", "a badger")],
    "The smell of the cellar was not unlike old cheese.": [("The smell of the cellar", "old cheese")],
    "Her handwriting is similar to the trail of a drunken beetle.": [
        ("Her handwriting", "the trail of a drunken beetle")
    ],
    "That cloud resembles a sleeping camel.": [("That cloud", "a sleeping camel")],
    "His beard resembled a hedge after a storm.": [("His beard", "a hedge after a storm")],
    "The office, which resembled an aquarium, was empty.": [("The office", "an aquarium")],
    # Comparatives
    "The rumour travelled faster than a grass fire.": [("The rumour", "a grass fire")],
    "Her tongue was sharper than a razor.": [("Her tongue", "a razor")],
    "His excuse was thinner than soup.": [("His excuse", "soup")],
    "That child makes more noise than a bag of trumpets.": [("That child", "a bag of trumpets")],
    "The waiter was more nervous than a goose in a kitchen.": [("The waiter", "a goose in a kitchen")],
    # Speech between the parts
    "'You look,' she said, 'like a wet weekend.'": [("You", "a wet weekend")],
    '"Your uncle," said the nurse, "eats like a horse."': [("Your uncle", "a horse")],
    "The soup, he said, was like warm ink.": [("The soup", "warm ink")],
    '"This chair creaks," Tom muttered, "like a haunted ship."': [("This chair", "a haunted ship")],
    # Infinitives, gerunds and clauses as topics
    "To argue with Bert is like wrestling a fog bank.": [("To argue with Bert", "wrestling a fog bank")],
    "To lie to a child is like stealing from a beggar.": [("To lie to a child", "stealing from a beggar")],
    "Arguing with my sister is like trying to fold a river.": [
        ("Arguing with my sister", "trying to fold a river")
    ],
    "Writing a report without coffee is like rowing a piano across a lake.": [
        ("Writing a report without coffee", "rowing a piano across a lake")
    ],
    "Living with a drummer is like living in a clock.": [("Living with a drummer", "living in a clock")],
    "Being in love is like being seasick in a parade.": [("Being in love", "being seasick in a parade")],
    # Several similes
    "He ate like a wolf, slept like a bear and argued like a lawyer.": [
        ("He", "a wolf"),
        ("He", "a bear"),
        ("He", "a lawyer"),
    ],
    "Her voice was like gravel, her laugh like a broken drum.": [
        ("Her voice", "gravel"),
        ("her laugh", "a broken drum"),
    ],
    "The lake was as flat as glass and as cold as iron.": [("The lake", "glass"), ("The lake", "iron")],
    "The dog is like a brother to me, the cat like a landlady.": [
        ("The dog", "a brother"),
        ("the cat", "a landlady"),
    ],
    # Clauses, and what stands in front
    "He drives like he talks.": [("He", "he talks")],
    "She spends money like it grows on hedges.": [("She", "it grows on hedges")],
    "Like a kettle that nobody minds, the old quarrel boiled over.": [("the old quarrel", "a kettle")],
    "Like most secrets, it was out by noon; the town buzzed like a hive.": [("the town", "a hive")],
    "Like a good book, a quiet friend improves with age.": [("a quiet friend", "a good book")],
    "There was a noise like a falling piano.": [("a noise", "a falling piano")],
    "He had a beard, and a voice like a rusty hinge.": [("a voice", "a rusty hinge")],
    "Down the stairs, like a sack of turnips, came the doctor.": [("the doctor", "a sack of turnips")],
    # Vehicles with what belongs to them
    "A marriage without jokes is like dinner without the dessert.": [
        ("A marriage without jokes", "dinner without the dessert")
    ],
    "To him the river was like a place to throw garbage away.": [
        ("the river", "a place to throw garbage away")
    ],
    "A poet in an office is like a soldier deserting his regiment.": [
        ("A poet in an office", "a soldier deserting his regiment")
    ],
    "A town without a library is like a face without eyes.": [
        ("A town without a library", "a face without eyes")
    ],
    "Youth is like a coin that you can spend only once.": [("Youth", "a coin")],
    "Her smile was like the lid of a jam jar.": [("Her smile", "the lid of a jam jar")],
    "The two clerks were like salt and pepper.": [("The two clerks", "salt and pepper")],
    "My new boots are like a promise and a threat.": [("My new boots", "a promise and a threat")],
    # Questions, commands and parts left out
    "Why does this town smell like a wet dog?": [("this town", "a wet dog")],
    "Guard the letter like a dragon.": [(None, "a dragon")],
    "Isn't his head like a boiled egg?": [("his head", "a boiled egg")],
    "What a voice, like a saw in wet wood!": [("a voice", "a saw")],
    "The horse he bought runs like a wardrobe.": [("The horse", "a wardrobe")],
    "Housework is like emptying a lake with a spoon.": [("Housework", "emptying a lake with a spoon")],
    "In the fog the lighthouse, tall and pale, stood like a candle.": [("the lighthouse", "a candle")],
    "Nobody sulks like a poet.": [("Nobody", "a poet")],
    "The news hit the village like a hammer.": [("The news", "a hammer")],
}

NO_SIMILE: dict[str, str] = {
    "That sounds like a good idea.": "topic_not_named",
    "There is nothing like a good night's sleep.": "examples",
    "The engine sounds like it needs oil.": "clause_compared",
    "Hares are faster than rabbits.": "literal_comparison",
    "The journey was slower than a month of rain.": "literal_comparison",
    "Nothing is more expensive than a free horse.": "literal_comparison",
    "The girl is as tall as her brother.": "named_individual",
    "He is taller than his brother.": "literal_comparison",
    "She worked there as a nurse.": "no_comparator",
    "Rich as he is, he rents a room.": "vehicle_only_points",
    "Unlike a fox, a badger digs slowly.": "no_comparator",
    "Our results are similar to those of the first test.": "vehicle_only_points",
    "She resembles her mother.": "named_individual",
}
