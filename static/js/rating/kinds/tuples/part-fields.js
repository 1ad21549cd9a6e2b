// The fields of the current tuple: one or more wordings per part, each one field or separate fields for adjective and noun.
import { slice } from "./marked-text.js";
import { joined, split, tooGeneral } from "./nouns.js";
import { inOneLine, located } from "./tuple-state.js";
import { isComposing } from "../../composition.js";
import { word } from "../../messages.js";

const MOST_SUGGESTED = 3;

export function partFields(root, parts, text, listed, { note, change, typed, add, imply, enter, say }) {
  const hint = root.querySelector("[data-general-noun]");
  // The hint becomes an error when the rater completes the tuple and the study refuses general nouns.
  let refused = false;
  let one = {};

  const fieldset = (name) => root.querySelector(`[data-part="${CSS.escape(name)}"]`);

  function show(tuple, number, edits, span) {
    one = tuple;
    const focused = document.activeElement?.closest?.(".tuple-form__wording input")?.id;
    for (const part of parts) {
      const wordings = (one[part.name] ??= []);
      if (!wordings.length) wordings.push({ text: "", spans: [] });
      const rows = wordings.map((wording, place) => row(part, wording, place));
      fieldset(part.name).querySelector("[data-wordings]").replaceChildren(...rows);
    }
    root.querySelector("[data-add-tuple] span").textContent = word(root, edits ? "done" : "add", { n: number });
    selected(span);
    pointOut();
    if (focused) document.getElementById(focused)?.focus();
  }

  function row(part, wording, place) {
    const model = fieldset(part.name).querySelector("[data-wording]");
    const made = model.content.firstElementChild.cloneNode(true);
    made.dataset.place = String(place);
    const inputs = [...made.querySelectorAll("input")];
    const words = part.two ? split(wording.text, [...listed.nouns, ...listed.general]) : [wording.text];
    inputs.forEach((input, at) => {
      input.value = inOneLine(words[at]);
      input.id = `${root.closest("fieldset").dataset.key}-${part.name}-${place}-${at}`;
      input.closest(".field").querySelector("label").htmlFor = input.id;
    });
    where(part, made, wording);
    return made;
  }

  // An implied part is shown in brackets; at least one part of a tuple must be in the text.
  function where(part, row, wording) {
    const button = row.querySelector("[data-imply]");
    if (!button) return;
    const implied = isImplied(wording);
    row.classList.toggle("is-implied", implied);
    row.classList.toggle("is-marked", wording.spans.length > 0);
    row.querySelector("[data-implied-word]").hidden = !implied;
    const field = row.querySelector(".slot input");
    if (field) field.placeholder = word(root, implied ? "here" : "select", {});
    button.textContent = word(root, implied ? "back" : "write", {});
    button.setAttribute("aria-label", `${button.textContent}: ${part.label}`);
    const adds = !row.querySelector("[data-add-span]").hidden;
    button.hidden = adds || !implied && parts.some((other) => other !== part && other.marked && (one[other.name] ?? []).some(isImplied));
  }

  const isImplied = ({ text, spans, implied }) => spans.length === 0 && (implied || text.trim() !== "");

  function whereAll() {
    for (const row of root.querySelectorAll("[data-marked] .tuple-form__wording")) {
      const part = parts.find(({ name }) => name === row.closest("[data-part]").dataset.part);
      const wording = one[part.name]?.[Number(row.dataset.place)];
      if (wording) where(part, row, wording);
    }
  }

  const partOf = (input) => parts.find((part) => part.name === input.closest("[data-part]").dataset.part);
  const rowOf = (input) => input.closest(".tuple-form__wording");
  const wordingOf = (input) => one[partOf(input).name][Number(rowOf(input).dataset.place)];

  function read(input) {
    const words = [...rowOf(input).querySelectorAll("input")].map((field) => field.value);
    const wording = wordingOf(input);
    wording.text = words.length > 1 ? joined(...words.map((word) => word.trim()), input.lang) : words[0];
    if (wording.text.trim() === "") wording.spans = [];
    whereAll();
  }

  // Marks a typed wording at its position in the text, preferably within its current mark; a wording that the
  // text does not contain keeps its mark.
  function settle(input) {
    const part = partOf(input);
    const wording = wordingOf(input);
    if (!part.marked || wording.implied || input.value === input.dataset.before) return;
    const within = wording.spans.flatMap((span) => locatedWithin(span, wording.text));
    const found = within.length ? within.slice(0, 1) : located(text, wording.text);
    if (!found.length) return;
    wording.spans = found;
    whereAll();
    say("located", { words: wording.text.trim(), part: part.label });
    typed();
  }

  const locatedWithin = ([start, end], words) => located(slice(text, start, end), words).map((span) => span.map((at) => at + start));

  root.addEventListener("focusin", ({ target }) => {
    if (!target.matches("[data-wordings] input")) return;
    target.dataset.before = target.value;
    note();
    // Also scrolls the message about the tuple and the add button into view.
    root.querySelector("[data-last]").scrollIntoView({ block: "nearest" });
  });
  root.addEventListener("input", (event) => {
    if (!event.target.matches("[data-wordings] input")) return;
    event.stopPropagation();
    read(event.target);
    pointOut();
    typed();
  });
  root.addEventListener("change", ({ target }) => {
    if (target.matches("[data-wordings] input")) settle(target);
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || isComposing(event) || !event.target.matches("[data-wordings] input")) return;
    event.preventDefault();
    if (!event.repeat) enter();
  });
  root.addEventListener("click", ({ target }) => {
    const part = target.closest("[data-part]")?.dataset.part;
    if (target.closest("[data-another]")) {
      change(() => one[part].push({ text: "", spans: [] }));
      fieldset(part).querySelector(".tuple-form__wording:last-child input").focus();
    } else if (target.closest("[data-add-span]")) add(part);
    else if (target.closest("[data-imply]")) imply(part, Number(rowOf(target).dataset.place));
    else if (target.closest("[data-suggest]")) suggest(target.closest("[data-suggest]").textContent);
  });

  // Offers to add the selected words to a part that is already marked.
  function selected(span) {
    for (const row of root.querySelectorAll(".tuple-form__wording")) {
      const button = row.querySelector("[data-add-span]");
      const wording = one[row.closest("[data-part]").dataset.part]?.[Number(row.dataset.place)];
      if (button) button.hidden = !span || row.dataset.place !== "0" || !wording?.spans.length;
    }
    whereAll();
  }

  function general() {
    const found = tooGeneral(one, parts, listed.general);
    return found && { ...found, field: lastFieldOf(found) };
  }

  function pointOut() {
    const found = general();
    refused &&= Boolean(found);
    hint.hidden = !found;
    hint.classList.toggle("is-error", refused);
    for (const input of root.querySelectorAll("[data-wordings] [aria-describedby]")) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
    if (!found) return;
    if (refused) found.field.setAttribute("aria-invalid", "true");
    found.field.setAttribute("aria-describedby", hint.id);
    hint.querySelector("span").textContent = word(root, "general", { noun: found.noun });
    const offered = listed.nouns.slice(0, MOST_SUGGESTED).map((noun) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "link", textContent: noun });
      button.dataset.suggest = "";
      return button;
    });
    hint.querySelector("[data-suggested]").replaceChildren(...offered);
  }

  function suggest(noun) {
    const found = general();
    if (!found) return;
    change(() => {
      const wording = one[found.part.name][found.place];
      wording.text = wording.text.trim().slice(0, wording.text.trim().length - found.noun.length) + noun;
    });
    lastFieldOf(found).focus();
  }

  const inputsOf = (name) => [...fieldset(name).querySelectorAll("[data-wordings] input")];
  const lastFieldOf = ({ part, place }) => [...fieldset(part.name).querySelectorAll(".tuple-form__wording")[place].querySelectorAll("input")].at(-1);

  return {
    show,
    selected,
    settle: () => {
      const input = document.activeElement;
      if (input?.matches?.("[data-wordings] input") && root.contains(input)) settle(input);
    },
    // A marked part is selected in the text, so the text gets the focus.
    focusOn: (name, element) => {
      const part = parts.find((found) => found.name === name);
      if (part.marked && !one[name]?.[0]?.implied) element.focus();
      else (inputsOf(name).find((input) => input.value === "") ?? inputsOf(name)[0]).focus();
    },
    focusOnWords: (name) => inputsOf(name)[0].focus(),
    refuseGeneral() {
      refused = true;
      pointOut();
      general()?.field.focus();
    },
  };
}
