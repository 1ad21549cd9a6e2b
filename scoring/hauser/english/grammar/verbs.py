"""Common English verbs with their forms; other verbs are found by their ending or position."""

from __future__ import annotations

from scoring.hauser.base.word_list import word_list

# How a person or thing appears: "looks like", "seemed as".
APPEARING = word_list("look seem sound feel taste smell appear become remain stay turn grow get")
# A participle after a noun that says how it was made or treated: "a house shaped like a shoe".
REGULAR = word_list("""
    accept ache act add admire admit advance agree aim allow announce answer appear approach argue arch
    arise arrive ask assume attack attempt bake balance bang bark bathe battle beam beg behave believe
    belong bellow billow blanket blast blaze bleach blink bloom blossom blur blush boil bolt boom bounce
    bow bowl brush bubble buckle build bulge bump burn bury buzz call calm care carry cascade cast cause
    change charge chase chatter chirp chisel circle claim clamp clap clash clatter clean clear click climb
    clip close cloud coat coil collapse collide color colour come compare compose conceal conclude confuse
    connect consider construct consume contain continue control cook cool cover crack crackle cradle crash
    crave crawl crease creak croak cross crouch crow crowd cruise crumble crumple crush cry curl cut dance
    dangle dart dash dazzle decide decorate demand depart descend describe deserve design destroy develop
    devour die differ disappear discover display dissolve divide dodge drag drain dress drift drip droop
    drop drown drum dry duck dump echo edge embrace emerge encircle engulf end enjoy enter envelop erupt
    escape evaporate exist expand expect explain explode explore extend fade fail fall fan fasten fear
    fill film finish fire fit flail flap flare flash flatten flicker flinch flip flit float flock flood
    flop flourish flow flower flush flutter fold follow force form frame freeze frown function fume gallop
    gape gasp gather gaze glance glare gleam glide glimmer glint glisten glitter glow gnaw grab grate
    graze greet grieve grin grip groan growl grumble guard guide gurgle gush hammer handle hang happen
    harden haunt heal help hide hiss hold hop hope hover howl hug hum hunch hunt hurl hurry imagine improve
    inhale invade jab jerk join joke judge juggle jump keep kick kill kiss kneel knock labor labour land last
    laugh launch leap learn lick lift light limp linger listen live loom look loop lounge love lower lurch
    lurk manage march mark marvel match melt merge mix moan mould mold mourn move multiply mumble murmur
    need nestle nod notice obey observe offer ooze open operate orbit own pace pack paint pant parade
    part pass pat patrol pause peel peer perch perform pierce place plan play plead pluck plummet plunge
    point poke polish pop pose pounce pour praise pray preen prefer prepare press pretend prick proceed
    protect provide pucker puff pull pulsate pulse pump punch purr push quake quiver race radiate rage
    rain raise ramble rattle reach react receive recede refuse release remain remember remind repeat
    resemble resist resonate respond rest return reveal reverberate revolve ripple roam roar rock roll rot
    rotate ruin rule rumble rush rustle sag sail sample saunter save scamper scatter scold scramble scrape
    scratch scream screech scurry seem seep seize serve settle shape sharpen shatter shiver shock shout
    shove shriek shrivel shrug shuffle sigh sip sit sizzle skate skim skip slam slap slash slice slink
    slip slither slump slurp smash smell smile smoke snake snap snarl sneak sniff snore snort snuggle soar
    sob soften sound spark sparkle spill spiral splash splatter splinter spout sprawl spread sprint sprout
    spurt squash squawk squeal squeeze squirm stack stagger stalk stamp stampede stand stare start startle
    stay steer step stir stomp stop storm stretch strike stroke stroll strut stumble suffer suggest surge
    surprise surround survive sway swarm swell swirl swish swivel swoop tackle talk tap taste tear tease
    thicken thrash threaten throb thump thunder tick tickle tilt tiptoe topple toss touch tour tower trace
    track trail train trample trap travel tread treat tremble trickle trot trudge trust try tug tumble
    turn twinkle twirl twist twitch unfold unfurl use vanish vibrate view visit wade wag wail wait walk
    waltz wander want warm wash watch wave waver weave weep weigh whip whirl whisper whistle whiz whizz
    wiggle wilt wink wither wobble wonder work worm worry wrap wrestle wriggle yawn yell yelp zip zoom
    accuse achieve adapt address advise affect apply arrange assign attach attract avoid base block borrow
    breathe capture celebrate check choose combine comment commit communicate complete concern confirm
    contribute convince copy create debate deliver deny depend determine direct discuss earn encourage
    ensure establish examine experience express face favor feature file found gain generate hand head
    identify include increase indicate inform inspire intend introduce involve issue lack lead list locate
    maintain matter mean measure mention name note obtain occur organise organize perceive permit plant
    portray present prevent produce promise promote propose prove publish quote realise realize recall
    recognise recognize record reduce refer reflect reject relate rely remark remove replace report
    represent require rescue reside result retain review reward rise seek select separate share shift sign
    solve sort specify state strengthen study submit suit supply support suppose suspect tend test thank
    tie transform translate trigger type understand unite wish witness advertise fake
""")
IRREGULAR = """
    be:was,were:been come:came:come become:became:become run:ran:run go:went:gone do:did:done have:had:had
    see:saw:seen take:took:taken give:gave:given get:got:got,gotten make:made:made know:knew:known
    think:thought:thought say:said:said tell:told:told find:found:found leave:left:left feel:felt:felt
    bring:brought:brought begin:began:begun keep:kept:kept hold:held:held write:wrote:written
    stand:stood:stood hear:heard:heard let:let:let mean:meant:meant set:set:set meet:met:met
    pay:paid:paid sit:sat:sat speak:spoke:spoken lie:lay:lain lead:led:led read:read:read
    grow:grew:grown lose:lost:lost fall:fell:fallen send:sent:sent build:built:built
    understand:understood:understood draw:drew:drawn break:broke:broken spend:spent:spent cut:cut:cut
    rise:rose:risen drive:drove:driven buy:bought:bought wear:wore:worn choose:chose:chosen
    sing:sang:sung sink:sank:sunk swim:swam:swum shine:shone:shone shoot:shot:shot show:showed:shown
    shake:shook:shaken sleep:slept:slept slide:slid:slid spin:spun:spun spring:sprang:sprung
    stick:stuck:stuck sting:stung:stung strike:struck:struck sweep:swept:swept swing:swung:swung
    throw:threw:thrown tear:tore:torn teach:taught:taught wake:woke:woken weep:wept:wept win:won:won
    wind:wound:wound blow:blew:blown bite:bit:bitten bleed:bled:bled bend:bent:bent beat:beat:beaten
    bind:bound:bound burst:burst:burst catch:caught:caught cling:clung:clung creep:crept:crept
    deal:dealt:dealt dig:dug:dug drink:drank:drunk eat:ate:eaten feed:fed:fed fight:fought:fought
    flee:fled:fled fly:flew:flown forget:forgot:forgotten freeze:froze:frozen hang:hung:hung
    hide:hid:hidden hit:hit:hit hurt:hurt:hurt kneel:knelt:knelt lay:laid:laid leap:leapt:leapt
    lend:lent:lent light:lit:lit put:put:put ride:rode:ridden ring:rang:rung shed:shed:shed
    shrink:shrank:shrunk shut:shut:shut slay:slew:slain sling:slung:slung spit:spat:spat split:split:split
    spread:spread:spread steal:stole:stolen stride:strode:stridden swear:swore:sworn swell:swelled:swollen
    weave:wove:woven sell:sold:sold seek:sought:sought foresee:foresaw:foreseen burn:burnt:burnt
    smell:smelt:smelt learn:learnt:learnt dream:dreamt:dreamt dive:dove:dived bear:bore:borne,born
    overcome:overcame:overcome
"""
VOWELS = "aeiou"


def _with_s(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def _irregular() -> tuple[set[str], set[str], set[str]]:
    bases, pasts, participles = set(), set(), set()
    for entry in IRREGULAR.split():
        base, past, participle = entry.split(":")
        bases.add(base)
        pasts.update(past.split(","))
        participles.update(participle.split(","))
    return bases, pasts, participles


_BASES, _PASTS, _PARTICIPLES = _irregular()
BASES = REGULAR | _BASES | APPEARING
THIRD_PERSONS = frozenset(_with_s(verb) for verb in BASES) | {"likes"}
PASTS = frozenset(_PASTS) | {"liked"}
PARTICIPLES = frozenset(_PARTICIPLES)
# After a singular noun these are verbs, whatever follows: "the river carries sand".
RARELY_NOUNS = frozenset(
    map(
        _with_s,
        word_list("""
            lack contain include produce provide wear give take make keep bring say tell know want
            get see carry create describe explain suggest become allow begin believe build choose
            come consider continue decide die eat enjoy ensure enter exist expect feel find follow
            gather grow happen hear introduce involve learn leave lose meet own perform prepare
            prevent protect prove realise receive remain remember remove require send sing sit speak
            spend teach think throw understand
        """),
    )
)
