"""Closed lists of English words by the part they can play in a sentence."""

from __future__ import annotations

from scoring.hauser.base.word_list import word_list

ARTICLES = word_list("a an the")
INDEFINITE = word_list("a an")
DETERMINERS = ARTICLES | word_list("""
    this that these those my your his her its our their thy whose each every either neither some any no
    another such what which both all many several few
""")
POSSESSIVES = word_list("my your his her its our their thy whose one's")
SUBJECT_PRONOUNS = word_list("i you he she it we they there who")
OBJECT_PRONOUNS = word_list("me him us them")
PRONOUNS = SUBJECT_PRONOUNS | word_list("""
    me him her us them myself yourself himself herself itself ourselves themselves mine yours hers ours
    theirs this that these those everyone everybody someone somebody anyone anybody nobody none everything
    something anything nothing one ones oneself
""")
RELATIVES = word_list("that which who whom whose where")
INTERROGATIVES = word_list("what how why whatever")
COORDINATORS = word_list("and or but nor &")
SUBORDINATORS = word_list("""
    because when whenever while if unless although though since after before until till so that whether
    lest whereas where than as
""")
PREPOSITIONS = word_list("""
    of in on at by for from with without within into onto upon over under above below beneath beside
    besides between among amongst amid across along around about against toward towards through throughout
    during near behind beyond before after since until off out up down per via despite except inside
    outside past due round unlike underneath alongside atop amidst
""")
BE = word_list("be am is are was were been being 'm 're ain't isn't aren't wasn't weren't")
MODALS = word_list("""
    doth will would can could may might must shall should ought 'll 'd cannot won wo ca
""")
AUXILIARIES = MODALS | word_list("have has had having do does did 've")
NEGATIONS = word_list("not n't never no longer")
ADVERBS = word_list("""
    fro then yet just only even almost nearly quite rather very too so more most less least much still again
    always often sometimes never ever now here there soon already also maybe perhaps somewhat somehow all
    together apart away back forth forward ahead alone once twice far well indeed instead not n't really
    around about otherwise first later afterwards today tomorrow yesterday tonight simply merely exactly
    precisely a bit altogether anyway however meanwhile therefore thus hence elsewhere everywhere nowhere
    up down out in off over along by
""") - word_list("a in over along by about")
# Participles that describe the noun after them: "burning coals", not "burning" as something that is done.
DESCRIBING_PARTICIPLES = word_list("""
    living burning flying falling running shining glowing rolling howling roaring drowning dying singing
    dancing wandering raging rushing swarming blazing barking melting growing boiling crashing charging
    conflicting shooting rising setting sleeping crying screaming smouldering smoldering gleaming
    glittering sparkling twinkling floating drifting flowing gathering whirling spinning swirling
    thundering trembling quivering fleeting passing walking talking crawling creeping cooing buzzing
    migrating hungering moving rotting dripping bleeding flickering soaring startled
""")
# Past forms that are nouns as well: "a red, red rose".
NOUNS_TOO = word_list(
    "rose saw felt bit cut hit set ground wound shot thought burst split cast spread hurt dove"
)
# Words in -ly that are no adverbs, in -ing that are no participles, and in -ed that are no verbs.
LY_OTHERS = word_list("""
    family fly lily butterfly belly jelly bully ally lonely friendly silly ugly holy early lovely deadly
    elderly daily ghostly ghastly curly woolly hilly jolly reply supply apply rely assembly anomaly
    monopoly italy july dragonfly firefly gadfly housefly prickly bubbly wobbly crumbly chilly costly
    cowardly earthly heavenly homely lively likely manly motherly orderly saintly scholarly sickly stately
    steely timely ungainly unholy unruly worldly wrinkly melancholy folly gully dolly trolley rally tally
""")
ING_NOUNS = word_list("""
    thing king ring spring string wing morning evening nothing something everything anything ceiling
    building lightning wedding being sibling darling duckling sapling inkling pudding clothing bedding
    gathering painting feeling meeting ending opening herring starling earring offspring sterling viking
    during fling sling sting swing bring ping-pong
""") - word_list("during bring")
ED_OTHERS = word_list("""
    need seed bleed hundred red bed shed breed naked sacred wicked hatred feed speed weed deed reed
    kindred indeed greed creed seaweed weeds breeze sled ted fred steed heed
""")
QUANTITIES = word_list("""
    two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred hundreds
    thousand thousands million millions dozen dozens half
""")
TIME_NOUNS = word_list("""
    day days night nights morning evening afternoon year years month months week weeks time times moment
    minute minutes second seconds hour hours today yesterday tomorrow century
""")
