"""Words of the generated sentences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Property:
    """What something can be: its adjective, its adverb, its feeling (-1, 0, 1) and things known for it."""

    adjective: str
    adverb: str
    feeling: int
    vehicles: tuple[str, ...]


def _property(adjective: str, adverb: str, feeling: int, vehicles: str) -> Property:
    return Property(adjective, adverb, feeling, tuple(vehicles.split(", ")))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


# Each pair excludes one another.
CONTRASTS: tuple[tuple[Property, Property], ...] = (
    (
        _property("quick", "quickly", 0, "an arrow, the wind, a hawk, lightning, a racing car, wildfire"),
        _property("slow", "slowly", 0, "a snail, a tortoise, cold honey, an old cart, a glacier"),
    ),
    (
        _property("quiet", "quietly", 0, "a mouse, an empty church, falling snow, a held breath, a shadow"),
        _property("loud", "loudly", 0, "thunder, a drum, a parade, a brass band, a cannon"),
    ),
    (
        _property("warm", "warmly", 1, "a stove, a summer evening, a woollen blanket, fresh bread"),
        _property("cold", "coldly", -1, "ice, a cellar, a winter night, a grave, a north wind"),
    ),
    (
        _property("bright", "brightly", 1, "the sun, a lantern, a new coin, a star, a morning in May"),
        _property("dark", "darkly", -1, "a coal mine, the bottom of a well, a moonless night, a crypt"),
    ),
    (
        _property("happy", "happily", 1, "a child at a fair, a lark, a bride, a puppy, a holiday"),
        _property("sad", "sadly", -1, "a funeral, a widow, rain on a Sunday, a lost dog"),
    ),
    (
        _property("gentle", "gently", 1, "a feather, a spring breeze, a lullaby, a nurse"),
        _property("rough", "roughly", -1, "a storm at sea, a butcher, a gravel road, an earthquake"),
    ),
    (
        _property("brave", "bravely", 1, "a lion, a knight, a hero, an old captain"),
        _property("afraid", "fearfully", -1, "a rabbit, a hunted deer, a scared child, a thief at night"),
    ),
    (
        _property("strong", "strongly", 1, "an ox, an oak, a fortress, an iron bridge"),
        _property("weak", "weakly", -1, "a reed, a sick kitten, a dying flame, wet paper"),
    ),
    (
        _property("calm", "calmly", 1, "a lake at dawn, a sleeping cat, a monk, a garden in the evening"),
        _property("angry", "angrily", -1, "a wasp, a boiling kettle, a wounded bear, a tyrant"),
    ),
    (
        _property("beautiful", "beautifully", 1, "a rose, a swan, a rainbow, an angel, a song"),
        _property("ugly", "horribly", -1, "a toad, an open wound, a corpse, a scar, a heap of rubbish"),
    ),
    (
        _property("fresh", "freshly", 1, "the morning dew, a mint leaf, a mountain stream"),
        _property("stale", "wearily", -1, "last week's bread, an old sponge, a closed room"),
    ),
    (
        _property("safe", "safely", 1, "a harbour, a nest, a mother's arms, home"),
        _property("dangerous", "dangerously", -1, "a snake, a loaded gun, thin ice, poison"),
    ),
    (
        _property("free", "freely", 1, "a kite, a gull, an open road, a wild horse"),
        _property("trapped", "hopelessly", -1, "a bird in a cage, a fly in a web, a prisoner"),
    ),
    (
        _property("steady", "steadily", 0, "a rock, a statue, a lighthouse, a clock, a mountain"),
        _property("shaky", "shakily", 0, "a leaf, a candle in a draught, a broken chair, a string"),
    ),
    (
        _property("soft", "softly", 0, "velvet, a pillow, moss, a kitten's paw"),
        _property("hard", "stiffly", 0, "a stone, steel, a nut, a frozen field"),
    ),
    (
        _property("light", "lightly", 0, "a balloon, a dancer, a dandelion seed, foam"),
        _property("heavy", "heavily", 0, "lead, an anvil, a wet coat, a sack of coal"),
    ),
    (
        _property("clean", "neatly", 1, "a polished window, a new page, clear water"),
        _property("dirty", "messily", -1, "a pigsty, a gutter, a swamp, a sewer"),
    ),
    (
        _property("full", "fully", 0, "a market on Saturday, a ripe pear, a beehive"),
        _property("empty", "emptily", 0, "a theatre after the last act, a dry well, a deserted beach"),
    ),
    (
        _property("wise", "wisely", 1, "an owl, an old judge, a good book"),
        _property("foolish", "foolishly", -1, "a goose, a drunkard, a broken compass"),
    ),
    (
        _property("kind", "kindly", 1, "a good neighbour, a favourite aunt, a saint"),
        _property("cruel", "cruelly", -1, "a hangman, a wolf, a whip, a winter without wood"),
    ),
)

PEOPLE = _listed(
    "the man,the woman,the girl,the boy,the teacher,the doctor,the sailor,the farmer,the singer,"
    "the soldier,the baker,the old man,the old woman,the child,the neighbour,the captain,"
    "the stranger,the guest,the king,the queen,the judge,the driver,my brother,my sister,her mother,"
    "his father,her friend,he,she"
)
THINGS = _listed(
    "the harbour,the house,the room,the voice,her voice,his voice,the street,the river,the sea,"
    "the sky,the bus,the train,the boat,the news,the promise,the letter,the song,the story,"
    "the silence,the snow,the rain,the light,the garden,the road,the village,the city,the wind,"
    "the morning,the night,her smile,his face,her hand,his hand,her heart,the crowd,the market,"
    "the idea,the crop,the bell,the forest,it"
)
NAMES = _listed("Anna,Peter,Maria,Jonas,Clara,Hugo,Nora,Felix,Ruth,Oskar,Irene,Paul,Lena,Simon,Greta")

# A verb and one that cannot be true with it; both go with an adverb and with `like`.
PERSON_VERBS = (
    ("laughed", "wept"),
    ("ran", "stood still"),
    ("shouted", "whispered"),
    ("arrived", "left"),
    ("won", "lost"),
    ("woke", "slept"),
    ("spoke", "kept silent"),
    ("worked", "rested"),
    ("walked", "sat"),
    ("rose", "fell"),
)
THING_VERBS = (
    ("opened", "closed"),
    ("rose", "fell"),
    ("moved", "stood still"),
    ("grew", "shrank"),
    ("began", "ended"),
    ("appeared", "vanished"),
    ("shone", "faded"),
    ("spread", "stopped"),
    ("trembled", "held firm"),
    ("sounded", "went silent"),
)
SYNONYMS = {
    "laughed": "chuckled",
    "wept": "cried",
    "ran": "raced",
    "shouted": "yelled",
    "left": "went away",
    "spoke": "talked",
    "vanished": "disappeared",
    "began": "started",
    "rose": "went up",
    "fell": "went down",
}
PLACES = _listed(
    "in the kitchen,on the hill,by the river,at the station,in the garden,on the stairs,"
    "near the window,through the village,across the field,in the square,outside the office,"
    "under the bridge"
)
TIMES = _listed(
    "in the morning,after dinner,all afternoon,before noon,last winter,every evening,"
    "during the night,on Sunday,by spring,after the war,when the bell rang,as soon as the door opened"
)

FEELING_NOUNS = {
    1: _listed(
        "a gift,a victory,a delight,a blessing,a triumph,a joy,a comfort,a treasure,a success,a relief"
    ),
    -1: _listed("a disaster,a defeat,a curse,a failure,a burden,a disgrace,a waste,a mess,a loss,a threat"),
}
FEELING_ADJECTIVES = {
    1: _listed(
        "good,lovely,wonderful,charming,funny,pleasant,excellent,graceful,tender,hopeful,proud,glad,"
        "great,brilliant,perfect,friendly"
    ),
    -1: _listed(
        "bad,awful,terrible,boring,painful,nasty,dreadful,clumsy,bleak,hopeless,lonely,tired,poor,dull,"
        "broken,hostile"
    ),
}
FEELING_VERBS = {
    1: (
        "smiled",
        "laughed",
        "sang",
        "danced",
        "won",
        "cheered",
        "shone",
        "bloomed",
        "recovered",
        "thanked us",
    ),
    -1: ("wept", "groaned", "suffered", "lost", "drowned", "collapsed", "faded", "rotted", "lied", "hurt us"),
}
