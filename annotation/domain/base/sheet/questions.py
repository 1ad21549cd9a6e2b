"""The questions of the human evaluation sheet, in words of our own.

Numbers are those of the Human Evaluation Datasheet 3.0 (Belz & Thomson 2025, GEM), which has them in the
sections 1 to 5; section 4 is answered for each criterion. Questions with the number `G` are further ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.domain.base.messages import Message, message
from annotation.domain.base.sheet import choices
from annotation.domain.base.sheet.choices import Choices

OF_CRITERIA = "4"


@dataclass(frozen=True)
class SheetQuestion:
    """A question of the sheet.

    `choices` are the options, by the code that is stored. `is_contact` marks names and addresses of the
    people who answer for the study; `needs_link` a question whose text has to have a link unless an option
    is chosen.
    """

    number: str
    words: Message
    choices: Choices = field(default_factory=dict)
    is_contact: bool = False
    needs_link: bool = False

    @property
    def is_of_criteria(self) -> bool:
        """Whether the question is answered for each criterion."""
        return self.number.startswith(f"{OF_CRITERIA}.")


SECTIONS: Mapping[str, Message] = {
    "1": message("Publication and contact"),
    "2": message("Evaluated systems"),
    "3.1": message("Items"),
    "3.2": message("Raters"),
    "3.3": message("Procedure"),
    OF_CRITERIA: message("Criteria"),
    "5": message("Ethics"),
    "G": message("Use of the data"),
}
_ASKED = (
    SheetQuestion(
        "1.1.1",
        message("Where is the evaluation described? Give a link."),
        choices.UNPUBLISHED,
        needs_link=True,
    ),
    SheetQuestion("1.1.2", message("Which experiment is described here?")),
    SheetQuestion("1.2", message("What is shared, and where?")),
    SheetQuestion("1.3.1.1", message("Who completes this sheet?"), is_contact=True),
    SheetQuestion("1.3.1.2", message("Affiliation of this person"), is_contact=True),
    SheetQuestion("1.3.1.3", message("Email address of this person"), is_contact=True),
    SheetQuestion("1.3.2.1", message("Who is the contact author?"), is_contact=True),
    SheetQuestion("1.3.2.2", message("Affiliation of the contact author"), is_contact=True),
    SheetQuestion("1.3.2.3", message("Email address of the contact author"), is_contact=True),
    SheetQuestion("2.1", message("What do the systems take as input?")),
    SheetQuestion("2.2", message("What do the systems produce?")),
    SheetQuestion("2.3", message("Which task do the systems perform?")),
    SheetQuestion("2.4", message("In which languages are the inputs?")),
    SheetQuestion("2.5", message("In which languages are the outputs?")),
    SheetQuestion("3.1.1", message("How many items of each system were rated?")),
    SheetQuestion("3.1.2", message("How were the items chosen?"), choices.SELECTION),
    SheetQuestion("3.1.3.1", message("How was the size of the sample planned?")),
    SheetQuestion("3.1.3.2", message("What is the statistical power?")),
    SheetQuestion("3.1.3.3", message("Where is the code of this calculation?")),
    SheetQuestion("3.2.1", message("How many raters are there?")),
    SheetQuestion("3.2.2.1", message("Are the raters experts?"), choices.EXPERTISE),
    SheetQuestion("3.2.2.2", message("Are the raters paid?"), choices.PAYMENT),
    SheetQuestion("3.2.2.3", message("Did the researchers know the raters before?"), choices.KNOWN_BEFORE),
    SheetQuestion("3.2.2.4", message("Are researchers of this study among the raters?"), choices.YES_NO),
    SheetQuestion("3.2.3", message("How were the raters recruited?")),
    SheetQuestion("3.2.4", message("How were the raters trained?")),
    SheetQuestion("3.2.5", message("What else is known of the raters?")),
    SheetQuestion("3.3.1", message("Was the study preregistered? Give a link."), choices.YES_NO),
    SheetQuestion("3.3.2", message("With which tool were answers collected?")),
    SheetQuestion("3.3.3.1", message("Which kinds of quality checks were there?")),
    SheetQuestion("3.3.3.2", message("How did these checks work?")),
    SheetQuestion("3.3.4.1", message("Where can the form be seen?")),
    SheetQuestion("3.3.4.2", message("What did raters see while rating?")),
    SheetQuestion("3.3.5", message("How freely could raters choose when and how fast to rate?")),
    SheetQuestion("3.3.6", message("Could raters ask questions or comment?")),
    SheetQuestion("3.3.7", message("Where and under which conditions did they rate?"), choices.CONDITIONS),
    SheetQuestion("3.3.8", message("How did these conditions vary?")),
    SheetQuestion("4.1.1", message("Which type of quality is it?"), choices.QUALITY),
    SheetQuestion("4.1.2", message("Which aspect of the text is it about?"), choices.ASPECT),
    SheetQuestion("4.1.3", message("What is the text judged by?"), choices.FRAME),
    SheetQuestion("4.2.1", message("Is the judgement objective or subjective?")),
    SheetQuestion("4.2.2", message("Is each text judged alone or with others?")),
    SheetQuestion("4.2.3", message("Is the evaluation intrinsic or extrinsic?"), choices.EFFECT),
    SheetQuestion("4.3.1", message("What do raters read as its name?")),
    SheetQuestion("4.3.2", message("Which definition do raters read?")),
    SheetQuestion("4.3.3", message("How many values can an answer have?")),
    SheetQuestion("4.3.4", message("Which values are these?")),
    SheetQuestion("4.3.5", message("How is the scale presented?")),
    SheetQuestion("4.3.6", message("If there is no scale, what do raters do?")),
    SheetQuestion("4.3.7", message("Which question do raters read, word for word?")),
    SheetQuestion("4.3.8", message("In which form do raters answer?")),
    SheetQuestion("4.3.9", message("How are answers combined into the reported scores?")),
    SheetQuestion("4.3.10", message("How are effects and their significance computed?")),
    SheetQuestion("4.3.11.1", message("How is agreement between raters measured?")),
    SheetQuestion("4.3.11.2", message("How far do raters agree?")),
    SheetQuestion("4.3.12.1", message("How is agreement of raters with themselves measured?")),
    SheetQuestion("4.3.12.2", message("How far do raters agree with themselves?")),
    SheetQuestion("5.1", message("Which ethics committee approved the study?")),
    SheetQuestion("5.2", message("Do items or answers contain personal data?"), choices.YES_NO),
    SheetQuestion("5.3", message("Do they contain data of special categories?"), choices.YES_NO),
    SheetQuestion("5.4", message("Which impact assessments were made?")),
    SheetQuestion("G.1", message("Did raters agree that their ratings are published?"), choices.YES_NO),
    SheetQuestion("G.2", message("What may the data be used for, and what not?")),
    SheetQuestion("G.3", message("How were the texts made: models, versions, prompts?")),
    SheetQuestion("G.4", message("Who funded the data?")),
    SheetQuestion("G.5", message("Who maintains the data?")),
)
QUESTIONS: Mapping[str, SheetQuestion] = {one.number: one for one in _ASKED}
CONTACTS = frozenset(one.number for one in _ASKED if one.is_contact)
# Answers about how a study is made, which hold for a copy of it too; not those about people, texts, results,
# approval and publication of one study. Of section 4, all but what was found.
_DESIGN = (
    *("2.1", "2.2", "2.3", "2.4", "2.5", "3.1.2", "3.1.3.1", "3.2.2.1", "3.2.2.2", "3.2.3", "3.2.4"),
    *("3.3.2", "3.3.3.1", "3.3.3.2", "3.3.4.1", "3.3.4.2", "3.3.5", "3.3.6", "3.3.7", "3.3.8"),
)
_FOUND = ("4.3.11.2", "4.3.12.2")
DESIGN = frozenset(
    one.number for one in _ASKED if one.number in _DESIGN or (one.is_of_criteria and one.number not in _FOUND)
)
# Questions that no study can answer from its data, and that reviewers ask first.
ASKED_FIRST = ("3.1.2", "3.2.2.1", "3.2.3", "3.3.7", "5.1", "G.1")


def section_of(number: str) -> str:
    """The section of a question, such as `3.2` of `3.2.2.1`."""
    return next(section for section in SECTIONS if number.startswith(f"{section}."))
