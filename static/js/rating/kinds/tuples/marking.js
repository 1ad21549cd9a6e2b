// Marks tuples in the text, by mouse, touch or keyboard, and lists them in words next to it.
import { draw, keepWithin, slice, unitsOf, wordAround } from "./marked-text.js";
import { split, tooGeneral } from "./nouns.js";
import { keyLegend } from "./key-legend.js";
import { offers } from "./offers.js";
import { partFields } from "./part-fields.js";
import { selecting } from "./text-selection.js";
import { toolbar } from "./toolbar.js";
import { tupleList } from "./tuple-list.js";
import { aligned, filledWordings, isEmpty, keepHistory, lacking, located, spansOf, stored, tuplesFrom, wordless, wordsOf } from "./tuple-state.js";
import { word } from "../../messages.js";
import { isOn } from "../../own-settings/switches.js";

const pages = new WeakMap();

// Marking replaces the plain fields of a criterion only if the page contains the text.
export function watchMarking(form, signal) {
  const criterion = form.querySelector("fieldset.criterion:has([data-marking])");
  const text = document.querySelector("[data-marked-text]");
  if (criterion && text) pages.set(criterion, marking(form, criterion, text, signal));
}

export const isMarked = (criterion) => pages.has(criterion);

export const isComplete = (criterion) => pages.get(criterion).isComplete();

export const focusText = (criterion) => pages.get(criterion).focus();

export const enter = (criterion, event) => pages.get(criterion).enter(event);

export const press = (criterion, event) => pages.get(criterion).act(event);

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
  let warned = "";

  const message = root.querySelector("[data-said]");
  // Messages appear in the line above the buttons, which is always visible; on a page without that line, in the form.
  form.querySelector(".tell")?.prepend(message);
  const legend = keyLegend(root);
  const say = (name, values = {}) => {
    message.textContent = word(root, name, values);
  };
  const number = (place) => state.tuples.slice(0, place).filter((one) => !isEmpty(one)).length + 1;
  const inHand = () => (state.tuples[state.hand] ??= {});
  const wordAt = (unit) => unit && wordAround(text, [unit.start, unit.end], element.lang);
  const selection = selecting(element, units, { changed: selectionChanged, act, wordAt, signal });
  const note = () => history.note(state);
  const fields = partFields(root, parts, text, listed, { note, change, typed, add: addSelected, imply, enter: addOrSay, say });
  const list = tupleList(root, parts, { edit, remove });
  const offered = offers(root, parts, element.dataset.offered, takeOver);
  const bar = toolbar(root, element, { mark, drop: selection.drop, takeWord, signal });
  const lack = root.querySelector("[data-lack]");

  function isRefused(one) {
    return root.dataset.refuse === "true" ? tooGeneral(one, parts, listed.general) : null;
  }

  // The first incomplete or refused tuple is opened for editing.
  function opened(value) {
    const tuples = tuplesFrom(value);
    const open = tuples.findIndex((one) => lacking(one, parts).length > 0 || isRefused(one));
    const hand = open < 0 ? tuples.length : open;
    return { tuples, hand, edits: hand < tuples.length - 1 };
  }

  // Changes the state, with undo, redraws it and reports the new value to the page.
  function change(alter) {
    note();
    alter();
    render();
    tell();
  }

  function typed() {
    tell();
    drawText();
    showLists();
  }

  function showLists() {
    list.show(state, number);
    offered.show(state);
    sayLack(false);
    showKeys();
  }

  const halves = (words) => split(words, [...listed.nouns, ...listed.general]);
  const labels = (names) => names.map((name) => labelOf(name).toLowerCase()).join(", ");

  // Shows what the current tuple still needs; as an error only after the rater tried to complete it.
  function sayLack(wrong) {
    const one = inHand();
    const names = lacking(one, parts);
    const half = parts.find((part) => part.two && filledWordings(one, part.name).some(({ text }) => halves(text).includes("")));
    const values = { n: number(state.hand), parts: labels(names), part: half?.label.toLowerCase() };
    lack.classList.toggle("is-error", wrong);
    const whole = half ? "half" : "whole";
    const now = word(root, isEmpty(one) ? "first" : names.length ? "needs" : whole, values);
    if (lack.textContent !== now) lack.textContent = now;
  }

  // Shows each keyboard shortcut only while it has an effect.
  function showKeys() {
    const on = isEnabled();
    legend.show({
      text: on, selection: on && Boolean(selection.span()), begun: on && !isEmpty(inHand()), undo: on && history.has(state),
      offer: on && Boolean(offered.first()),
    });
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
    showLists();
  }

  function selectionChanged(span, unit) {
    const around = span && wordAround(text, span, element.lang);
    fields.selected(span);
    bar.show(span && { words: slice(text, ...span), number: number(state.hand), around: around ? slice(text, ...around) : "" });
    showKeys();
    if (span) say("selected", { words: slice(text, ...span) });
    else if (unit) message.textContent = "";
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
      delete wording.implied;
    });
    selection.drop();
    say("marked", { part: part.label, n: number(state.hand), words: filledWordings(inHand(), name)[0].text });
  }

  function addSelected(name) {
    mark(name, true);
  }

  // Switches a part between marked and implied: an implied part is a field; back again, its words are searched in the text.
  function imply(name, place) {
    const wording = inHand()[name][place];
    const implied = wording.spans.length === 0 && (wording.implied || wording.text.trim() !== "");
    const found = implied ? located(text, wording.text) : [];
    const words = wording.text.trim();
    change(() => {
      wording.spans = found;
      wording.implied = !implied;
      if (implied && !found.length) wording.text = "";
    });
    if (!implied) {
      say("implied", { part: labelOf(name), n: number(state.hand) });
      fields.focusOnWords(name);
    } else if (found.length) say("marked", { part: labelOf(name), n: number(state.hand), words });
    else {
      say(words ? "above" : "choose", { words });
      element.focus();
    }
  }

  // A complete suggestion is inserted before the current tuple; an incomplete one becomes the current tuple.
  function takeOver(one) {
    const whole = lacking(one, parts).length === 0;
    const instead = !whole && isEmpty(inHand());
    const place = state.edits ? state.tuples.length : state.hand;
    change(() => {
      state.tuples.splice(place, instead ? 1 : 0, one);
      if (!state.edits && !instead) state.hand += 1;
    });
    say("taken", { n: number(place) });
    element.focus({ preventScroll: true });
  }

  const labelOf = (name) => parts.find((one) => one.name === name).label;

  // Returns whether there was a current tuple, complete or not.
  function addTuple() {
    fields.settle();
    if (isEmpty(inHand())) return false;
    const several = aligned(inHand(), parts, text);
    const wrong = (several ?? [inHand()]).map((made) => lacking(made, parts)).find((names) => names.length);
    if (wrong) {
      sayLack(true);
      fields.focusOn(wrong[0], element);
      // The focus may be far above it.
      lack.scrollIntoView({ block: "nearest" });
      return true;
    }
    if (hasNoWords(several ?? [inHand()]) || refuses(several ?? [inHand()])) return true;
    const added = number(state.hand);
    change(() => put(several ?? [inHand()]));
    say(several ? "several" : "added", { n: added, count: several?.length });
    element.focus({ preventScroll: window.matchMedia("(hover: none)").matches });
    return true;
  }

  // Enter adds a tuple; it does not save the page, even if there is no tuple to add.
  function addOrSay() {
    if (!addTuple()) say(state.tuples.some((one) => !isEmpty(one)) ? "all" : "choose");
  }

  function put(made) {
    state.tuples.splice(state.hand, 1, ...made);
    state.tuples = state.tuples.filter((one) => !isEmpty(one));
    Object.assign(state, { hand: state.tuples.length, edits: false });
  }

  function refuses(made) {
    const found = made.map((one) => isRefused(one)).find(Boolean);
    if (!found) return false;
    fields.refuseGeneral();
    return true;
  }

  function hasNoWords(made) {
    const found = made.map((one) => wordless(one, parts)).find(Boolean);
    if (!found) return false;
    lack.classList.add("is-error");
    lack.textContent = word(root, "wordless", { n: number(state.hand), words: found.words, part: found.part.label.toLowerCase() });
    fields.focusOnWords(found.part.name);
    return true;
  }

  // On submit, the current tuple becomes part of the answer; an incomplete tuple is opened instead.
  function settle(event) {
    if (event.submitter?.formNoValidate || criterion.hidden) return;
    if (warnsOfSelection()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    fields.settle();
    const several = aligned(inHand(), parts, text);
    const refused = !form.elements?.cannot_rate?.checked && refuses(several ?? [inHand()]);
    const whole = several?.every(isWhole);
    if (whole && !refused) change(() => put(several));
    if (!refused && !(several && !whole ? addTuple() : opensHalfMade())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // Warns once that selected words that are not marked as a part are not saved.
  function warnsOfSelection() {
    const span = form.elements?.cannot_rate?.checked ? null : selection.span();
    const marked = (one) => span[0] >= one.start && span[1] <= one.end;
    if (!span || String(span) === warned || spansOf(state.tuples, parts).some(marked)) return false;
    warned = String(span);
    say("pending", { words: slice(text, ...span) });
    return true;
  }

  const isWhole = (one) => lacking(one, parts).length === 0 && !wordless(one, parts);

  function opensHalfMade() {
    const half = state.tuples.findIndex((one) => !isEmpty(one) && !isWhole(one));
    if (half < 0) return false;
    if (half !== state.hand) edit(half);
    return addTuple();
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

  // Handles the shortcuts of marking; returns false for keys that it leaves to the page.
  function act(event) {
    const key = event.key.toLowerCase();
    if ((key === "u" && isOn("keys")) || (key === "z" && (event.ctrlKey || event.metaKey))) undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (key === "enter") return !event.repeat && addTuple();
    else if (!isOn("keys")) return false;
    else if (key === "w") takeWord();
    else if (key === "a" && offered.first()) takeOver(offered.first());
    else {
      const part = parts.find((one) => one.key === key);
      if (!part) return false;
      if (part.marked) mark(part.name, event.shiftKey);
      else fields.focusOn(part.name, element);
    }
    return true;
  }

  const isEnabled = () => !criterion.hidden && !readOnly;

  function enable() {
    const on = isEnabled();
    element.tabIndex = on ? 0 : -1;
    element.classList.toggle("is-markable", on);
    for (const hint of document.querySelectorAll("[data-marking-hint]")) hint.classList.toggle("is-off", !on);
  }

  let shownWhen = null;
  function follow() {
    if (shownWhen === criterion.hidden) return;
    shownWhen = criterion.hidden;
    enable();
    drawText();
    showKeys();
  }

  root.addEventListener("click", ({ target }) => {
    if (target.closest("[data-undo]")) undo();
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
    act: (event) => isEnabled() && act(event),
    enter(event) {
      if (isEnabled() && !event.repeat) addOrSay();
      return isEnabled();
    },
  };
}

function partOf(element) {
  const { part, name, key } = element.dataset;
  const known = ["tenor", "vehicle", "ground", "comparator", "event"].includes(part);
  const flags = { marked: "marked" in element.dataset, optional: "optional" in element.dataset, two: "two" in element.dataset, endsInNoun: "nounPart" in element.dataset };
  return { name: part, label: name, css: known ? part : "other", key, ...flags };
}

const listedIn = (text) => (text ? text.split("|") : []);
