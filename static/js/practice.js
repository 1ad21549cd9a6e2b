// The practice item works like the rating page, but nothing is stored on the device or sent until the rater submits it.
import "./rating/characters-left.js";
import { clearCured } from "./rating/errors.js";
import { watchAsked } from "./rating/display-logic.js";
import { watchGap } from "./rating/gap.js";
import { watchKeyboard } from "./rating/keyboard.js";
import { watchKinds } from "./rating/kinds/registry.js";
import { watchJump } from "./rating/own-settings/jump.js";
import { watchReplaced } from "./rating/own-settings/replaced-answer.js";
import { watchSwitches } from "./rating/own-settings/switches.js";
import { watchMedia } from "./rating/media/media.js";
import { watchRubric } from "./rating/rubric.js";

const criteria = document.querySelector("form.criteria");
document.documentElement.classList.add("has-script");
watchAsked(criteria);
watchGap(criteria);
watchRubric(criteria);
watchSwitches();
const { signal } = new AbortController();
watchKinds(criteria, signal);
watchKeyboard(criteria, signal);
watchJump(criteria, signal);
watchReplaced(criteria);
watchMedia(criteria, signal);
criteria.addEventListener("input", () => clearCured(criteria));
