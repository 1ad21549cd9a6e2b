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
    "The room was cold\nas a stone.": [("The room", "a stone")],
    "The room was cold  as\ta stone.": [("The room", "a stone")],
    "The room was cold as a well.": [("The room", "a well")],
    "The room was as cold as a well, or a cellar.": [("The room", "a well")],
    "The team moved like a well oiled machine.": [("The team", "a well oiled machine")],
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
    # Clauses, and what comes in front
    "He drives like he talks.": [("He", "he talks")],
    "She spends money like it grows on hedges.": [("She", "it grows on hedges")],
    "Like father, like son.": [("son", "father")],
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
    # What is handled, what accompanies, and what comes in front
    "She swung the ladle like a hammer.": [("the ladle", "a hammer")],
    "The pilot waved at the crowd like a king.": [("The pilot", "a king")],
    "Gliding like a heron, she crossed the flooded yard.": [("she", "a heron")],
    "He stood by the stove, his face like an old map.": [("his face", "an old map")],
    "The bus went by with its windows shining like fish scales.": [("its windows", "fish scales")],
    "With a sound like a sigh the tent came down.": [("a sound", "a sigh")],
    "She pursed her mouth like that of a trout on a hook.": [("her mouth", "that of a trout on a hook")],
    "Like the drummer in my uncle's band, the clock was always late.": [
        ("the clock", "the drummer in my uncle's band")
    ],
    # Subjects that are joined, far away, or in front of a relative clause
    "Martha and Jonas ran along the dyke like frightened geese.": [("Martha and Jonas", "frightened geese")],
    "The pilot, who had a broken nose, a red scarf and no luggage, grinned like a fox.": [
        ("The pilot", "a fox")
    ],
    "The last guests came after him like a flock of ducks.": [("The last guests", "a flock of ducks")],
    "The roofs of the barns ahead of us shone like tin.": [("The roofs of the barns", "tin")],
    "A badly painted door hung open like a broken jaw.": [("A badly painted door", "a broken jaw")],
    "There was a cough in the attic like the bark of a fox.": [("a cough", "the bark of a fox")],
    "Their laughter, like the rattle of a hundred spoons, could be heard in the street.": [
        ("Their laughter", "the rattle of a hundred spoons")
    ],
    # Vehicles behind verbs of appearing, and scenes
    "The valley looked like a green bowl with a cracked rim.": [
        ("The valley", "a green bowl with a cracked rim")
    ],
    "The pier looked like a long comb laid across the bay.": [
        ("The pier", "a long comb laid across the bay")
    ],
    "The tram was like a mule to run with in the dark.": [("The tram", "a mule to run with in the dark")],
    "The spring was like a happy return to childhood.": [("The spring", "a happy return")],
    "The dog moved like a chair with three legs.": [("The dog", "a chair with three legs")],
    "The first bite was like the first stroke of a whip.": [("The first bite", "the first stroke of a whip")],
    "The spider sat there like a grizzly.": [("The spider", "a grizzly")],
    "It was like carrying a wardrobe up a ladder.": [("It", "carrying a wardrobe up a ladder")],
    "It sounded like a horse falling down a staircase.": [("It", "a horse falling down a staircase")],
    # "as if" with a subject of its own, or with a noun that is not what the topic is
    "The barn groaned as if a giant were leaning on it.": [("The barn", "a giant were leaning on it")],
    "Her voice broke as if a string had snapped and that was all.": [
        ("Her voice", "a string had snapped and that was all")
    ],
    "She walked in as calmly as if she had been the landlord.": [("She", "the landlord")],
}

NO_SIMILE: dict[str, str] = {
    "The shelf was made to look like oak.": "appearance",
    "The station was designed to look like a castle.": "appearance",
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
    "He nodded as if he understood.": "clause_compared",
    "She stirred the soup as though looking for a coin.": "clause_compared",
    "It seemed as if the rain would never end.": "clause_compared",
    "The valve acts like a switch.": "literal_comparison",
    "We left as early as possible.": "vehicle_only_points",
    "They have lived like this for years.": "vehicle_only_points",
    "He looks like his dead uncle Ben.": "named_individual",
    "My dog is like every dog.": "same_kind",
    "The team looked like winning the match.": "inclination",
    "They had tried nothing harder than a riddle.": "literal_comparison",
}
