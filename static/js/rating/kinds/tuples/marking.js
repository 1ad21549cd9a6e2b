// Tuples marked in the text: with mouse, touch or keyboard alone, told in words beside it.
import { draw, keepWithin, slice, unitsOf, wordAround } from "./marked-text.js";
import { tooGeneral } from "./nouns.js";
import { partFields } from "./part-fields.js";
import { selecting } from "./text-selection.js";
import { tupleList } from "./tuple-list.js";
import { aligned, isEmpty, keepHistory, lacking, spansOf, stored, told, tuplesFrom, wordsOf } from "./tuple-state.js";
import { word } from "../../messages.js";

const pages = new WeakMap();

// A criterion is marked where the page has the text; plain fields stay where it has not.
export function watchMarking(form, signal) {
  const criterion = form.querySelector("fieldset.criterion:has([data-marking])");
  const text = document.querySelector("[data-marked-text]");
  if (criterion && text) pages.set(criterion, marking(form, criterion, text, signal));
}

export const isMarked = (criterion) => pages.has(criterion);

export const isComplete = (criterion) => pages.get(criterion).isComplete();

export const focusText = (criterion) => pages.get(criterion).focus();

function marking(form, criterion, element, signal) {
  const root = criterion.querySelector("[data-marking]");
  const output = root.querySelector("[data-stored]");
  const text = JSON.parse(element.dataset.markedText);
  root.querySelector("[data-plain]").remove();
  root.append(root.querySelector("[data-marking-form]").content.cloneNode(true));
  const parts = [...root.querySelectorAll("[data-part]")].map(partOf);
  const units = unitsOf(text, root.dataset.units, element.lang);
  const listed = { nouns: listedIn(root.dataset.nouns), general: listedIn(root.dataset.general) };
  const readOnly = Boolean(form.querySelector("fieldset.bare[disabled]"));
  const history = keepHistory();
  let state = opened(output.value);

  const said = root.querySelector("[data-said]");
  const say = (name, values = {}) => {
    said.textContent = word(root, name, values);
  };
  const number = (place) => state.tuples.slice(0, place).filter((one) => !isEmpty(one)).length + 1;
  const inHand = () => (state.tuples[state.hand] ??= {});
  const wordAt = (unit) => unit && wordAround(text, [unit.start, unit.end], element.lang);
  const selection = selecting(element, units, { changed: selectionChanged, act, wordAt, signal });
  const note = () => history.note(state);
  const fields = partFields(root, parts, text, listed, { note, change, typed, add: addSelected, unmark, enter: addTuple });
  const list = tupleList(root, parts, { edit, remove });

  function isRefused(one) {
    return root.dataset.refuse === "true" ? tooGeneral(one, parts, listed.general) : null;
  }

  // A tuple that cannot stand as it is comes open.
  function opened(value) {
    const tuples = tuplesFrom(value);
    const open = tuples.findIndex((one) => lacking(one, parts).length > 0 || isRefused(one));
    const hand = open < 0 ? tuples.length : open;
    return { tuples, hand, edits: hand < tuples.length - 1 };
  }

  // What was changed is kept, shown and told to the page.
  function change(alter) {
    note();
    alter();
    render();
    tell();
  }

  function typed() {
    tell();
    drawText();
    list.show(state, number);
  }

  function tell() {
    output.value = stored(state.tuples, parts.map(({ name }) => name));
    output.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function drawText() {
    draw(element, text, units, criterion.hidden ? [] : spansOf(state.tuples, parts));
    selection.show();
  }

  function render() {
    drawText();
    fields.show(inHand(), number(state.hand), state.edits, selection.span());
    list.show(state, number);
  }

  function selectionChanged(span, unit) {
    fields.selected(span, span && wordAround(text, span, element.lang));
    if (span) say("selected", { words: slice(text, ...span) });
    else if (unit) said.textContent = "";
  }

  function mark(name, further) {
    const span = selection.span();
    const part = parts.find((one) => one.name === name);
    if (!span) {
      say("choose");
      return;
    }
    change(() => {
      const wording = ((inHand()[name] ??= [])[0] ??= { text: "", spans: [] });
      const others = further ? wording.spans.filter(([start, end]) => start !== span[0] || end !== span[1]) : [];
      wording.spans = [...others, span].sort((a, b) => a[0] - b[0]);
      wording.text = wordsOf(text, wording.spans);
    });
    selection.drop();
    say("marked", { part: part.label, n: number(state.hand), words: told(inHand(), name)[0].text });
  }

  function addSelected(name) {
    mark(name, true);
  }

  function unmark(name, place) {
    change(() => {
      inHand()[name][place].spans = [];
    });
    say("unmarked", { part: labelOf(name), n: number(state.hand) });
  }

  const labelOf = (name) => parts.find((one) => one.name === name).label;

  // Whether there was a tuple in hand, complete or not.
  function addTuple() {
    fields.settle();
    if (isEmpty(inHand())) return false;
    const several = aligned(inHand(), parts, text);
    const wrong = (several ?? [inHand()]).map((made) => lacking(made, parts)).find((names) => names.length);
    if (wrong) {
      say("lacks", { n: number(state.hand), parts: wrong.map(labelOf).join(", ") });
      fields.focusOn(wrong[0], element);
      return true;
    }
    if (refuses(several ?? [inHand()])) return true;
    const added = number(state.hand);
    change(() => put(several ?? [inHand()]));
    say(several ? "several" : "added", { n: added, count: several?.length });
    element.focus({ preventScroll: window.matchMedia("(hover: none)").matches });
    return true;
  }

  function put(made) {
    state.tuples.splice(state.hand, 1, ...made);
    state.tuples = state.tuples.filter((one) => !isEmpty(one));
    Object.assign(state, { hand: state.tuples.length, edits: false });
  }

  function refuses(made) {
    const found = made.map((one) => isRefused(one)).find(Boolean);
    if (!found) return false;
    fields.focusOnGeneral();
    say("general", found);
    return true;
  }

  // What is in hand when the page is sent belongs to the answer.
  function settle(event) {
    if (event.submitter?.formNoValidate) return;
    fields.settle();
    const several = aligned(inHand(), parts, text);
    if (!criterion.hidden && !form.elements?.cannot_rate?.checked && refuses(several ?? [inHand()])) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (several) change(() => put(several));
  }

  function edit(place) {
    change(() => {
      state.tuples = state.tuples.filter((one, at) => at <= place || !isEmpty(one));
      Object.assign(state, { hand: place, edits: true });
    });
    say("edited", { n: number(place) });
    fields.focusOn(parts[0].name, element);
  }

  function remove(place) {
    const gone = number(place);
    change(() => {
      state.tuples.splice(place, 1);
      if (state.hand === place) Object.assign(state, { hand: state.tuples.length, edits: false });
      else if (state.hand > place) state.hand -= 1;
    });
    say("removed", { n: gone });
    root.querySelector("[data-undo]").focus();
  }

  function undo() {
    const earlier = history.back(state);
    if (earlier) {
      state = earlier;
      render();
      tell();
    }
    say(earlier ? "undone" : "nothing");
  }

  function takeWord() {
    const span = selection.span();
    const around = span && wordAround(text, span, element.lang);
    if (around) selection.take(...around);
  }

  // Keys within the text; what is none of them is left to the page.
  function act(event) {
    const key = event.key.toLowerCase();
    if (key === "u" || (key === "z" && (event.ctrlKey || event.metaKey))) undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (key === "enter") return !event.repeat && addTuple();
    else if (key === "w") takeWord();
    else {
      const part = parts.find((one) => one.key === key);
      if (!part) return false;
      if (part.marked) mark(part.name, event.shiftKey);
      else fields.focusOn(part.name, element);
    }
    return true;
  }

  function enable() {
    const on = !criterion.hidden && !readOnly;
    element.tabIndex = on ? 0 : -1;
    element.classList.toggle("is-markable", on);
    for (const hint of document.querySelectorAll("[data-marking-hint]")) hint.hidden = !on;
  }

  let shownWhen = null;
  function follow() {
    if (shownWhen === criterion.hidden) return;
    shownWhen = criterion.hidden;
    enable();
    drawText();
  }

  root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-mark]");
    if (button) mark(button.dataset.mark, false);
    else if (target.closest("[data-undo]")) undo();
    else if (target.closest("[data-take]")) takeWord();
    else if (target.closest("[data-add-tuple]")) addTuple();
  });
  form.addEventListener("input", follow);
  new ResizeObserver(() => keepWithin(element)).observe(element);
  form.addEventListener("submit", settle, { capture: true });
  element.classList.remove("figure-text", "literal");
  element.classList.add("marked");
  element.setAttribute("role", "textbox");
  element.setAttribute("aria-readonly", "true");
  element.setAttribute("aria-multiline", "true");
  element.setAttribute("aria-labelledby", "marked-label");
  follow();
  render();
  return {
    isComplete: () => state.tuples.some((one) => !isEmpty(one)) && state.tuples.every((one) => isEmpty(one) || lacking(one, parts).length === 0),
    focus: () => element.focus(),
  };
}

function partOf(element) {
  const { part, name, key } = element.dataset;
  const known = ["tenor", "vehicle", "ground", "comparator", "event"].includes(part);
  const flags = { marked: "marked" in element.dataset, optional: "optional" in element.dataset, two: "two" in element.dataset, endsInNoun: "nounPart" in element.dataset };
  return { name: part, label: name, css: known ? part : "other", key, ...flags };
}

const listedIn = (text) => (text ? text.split("|") : []);
