"""Short stories of the project's own: six prompts, each with three made-up systems and a human story."""

from __future__ import annotations

from annotation.domain.quality.checks import CheckKind
from annotation.protocols.template import Demo, DemoCheck, DemoItem

HUMAN = "human"
PROMPTS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "The lighthouse keeper receives a letter addressed to the light.",
        {
            HUMAN: "Odile read it aloud to the lamp, since it was not for her. A captain thanked the light "
            "for eleven nights in 1974 and asked whether it minded the fog. She thought about it until "
            "dusk. Then she wrote back: it says it sleeps better when somebody is out there.",
            "outline": "The keeper got a letter. It was for the light. He opened it and read it. It said "
            "thank you. He was happy and put it in a drawer.",
            "parrot": "The letter was addressed to the light. The keeper looked at the letter. The letter "
            "was addressed to the light, and the keeper looked at the letter again and again.",
            "drift": "The keeper opened the letter with a butter knife. Butter had become dear that year, "
            "because of the cows. Cows are sacred in some places, and in others they win medals.",
        },
    ),
    (
        "Every clock in the town stops, except one.",
        {
            HUMAN: "It was the toy clock over the baker's till, painted on, its hands at ten past four. By "
            "noon people were setting their lives by it. Nobody was ever late again, and little Anton, "
            "who had painted it, was made mayor at ten past four.",
            "outline": "All clocks stopped. One clock went on. The people came to look at it. Then the "
            "clockmaker repaired the others and everything was normal.",
            "parrot": "The clock did not stop. All the clocks stopped but the clock did not stop. The town "
            "had a clock and the clock in the town did not stop.",
            "drift": "Mrs Vane noticed first, as she noticed everything about her neighbours. The Hollins "
            "had new curtains. She had never trusted green, not since the picnic.",
        },
    ),
    (
        "A girl finds her own name in a library book printed before she was born.",
        {
            HUMAN: "Mira Solheim, said page ninety, will laugh at this sentence. She did not, on purpose. "
            "Page ninety-one said: she will try not to. So she took out a pencil and wrote on page "
            "ninety-two herself, and far away, years ago, a printer put down his tea and began to set it.",
            "outline": "Mira read a book. Her name was in it. She asked the librarian. The librarian did "
            "not know. Mira took the book home and was amazed.",
            "parrot": "Her name was Mira and Mira was her name. It was in the book. The book had her name "
            "in it because her name was in the book.",
            "drift": "The library smelled of dust and of oranges. Oranges came on Thursdays, by train. The "
            "driver of the train had once been a tenor and still sang in tunnels.",
        },
    ),
    (
        "Two enemies are stuck in a lift.",
        {
            HUMAN: "For an hour Bren and Castellan did not speak. Then the light failed, and Bren, who had "
            "burned two of the man's barns, heard him count under his breath as children do. She counted "
            "with him. At four hundred the doors opened and they hated each other again, more quietly.",
            "outline": "Bren and Castellan were in a lift. It stopped. They argued. Then they talked and "
            "became friends. The lift moved again.",
            "parrot": "They were enemies in a lift. The lift was stuck and the enemies were stuck. They "
            "said: we are enemies. The lift said nothing because it was stuck.",
            "drift": "Castellan had lunch at one, always soup. The recipe was his aunt's, who lived by the "
            "canal and kept a heron. Herons mate for life, or perhaps that is swans.",
        },
    ),
    (
        "The last tree in the city is to be felled tomorrow.",
        {
            HUMAN: "Somebody tied a child's shoe to it that night, and by morning there were nine hundred. "
            "The foreman stood under them with his saw off. He could have cut through any slogan. In the "
            "end he sat down and unlaced his left boot.",
            "outline": "The tree was old. People were sad. They made a protest. The mayor came and said "
            "the tree could stay. Everybody cheered.",
            "parrot": "It was the last tree. Tomorrow it was to be felled, tomorrow the last tree. The city "
            "had a last tree and tomorrow was the day of the last tree.",
            "drift": "The saw was Swedish and had a guarantee of six years. Six is a perfect number, being "
            "one and two and three. The ancients built nothing of seven.",
        },
    ),
    (
        "An old soldier teaches a robot to garden.",
        {
            HUMAN: "“Gently,” said Halloran, and the thing crushed the seedling. “Gently,” and it crushed "
            "another. He told it then, which he had told nobody, what his own hands had done in the river "
            "town. It was silent. It knelt, and lifted the third as if it were asleep.",
            "outline": "Halloran had a garden. He got a robot. He showed it how to dig. At first it was "
            "bad at it. Later it was good. They grew tomatoes.",
            "parrot": "The robot gardened. Halloran taught the robot to garden and the robot learned to "
            "garden in the garden. It was a garden robot.",
            "drift": "The robot was model K, the one with the lamp. Lamps were first lit with whale oil. "
            "There is a museum of it, closed on Mondays, with a good cafeteria.",
        },
    ),
)


def _items(number: int, prompt: str, stories: dict[str, str]) -> list[DemoItem]:
    """Every other story is shown next to the human one, which is rated too."""
    human_stories = {system: stories[HUMAN] for system in stories if system != HUMAN}
    return [
        DemoItem(
            key=f"P{number}-{system}",
            group=f"P{number}",
            system=system,
            fields={"prompt": prompt, "story": story}
            | ({"human_story": human_stories[system]} if system in human_stories else {}),
        )
        for system, story in stories.items()
    ]


DEMO = Demo(
    items=tuple(
        item
        for number, (prompt, stories) in enumerate(PROMPTS, start=1)
        for item in _items(number, prompt, stories)
    ),
    checks=(
        DemoCheck(
            key="first-character",
            kind=CheckKind.COMPREHENSION,
            texts={
                "prompt": "The village votes on whether to wake the giant.",
                "story": "Tobiah spoke against it, as he spoke against rain. The widow Renn only asked who "
                "would feed him. They voted by dropping beans into his open hand, and the hand closed.",
            },
            settings={"accepted": ["Tobiah"], "language": "en"},
            question="Who is the first character that the story names? Write the name, or “None”.",
        ),
    ),
    per_rater=6,
    check_every=3,
    check_jitter=1,
)
