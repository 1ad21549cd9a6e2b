// Marks errors in the text, by mouse, touch or keyboard, and lists them in words below it.
import { draw, keepWithin, slice, unitsOf, wordAround } from "../tuples/marked-text.js";
import { selecting } from "../tuples/text-selection.js";
import { toolbar } from "../tuples/toolbar.js";
import { isSame, keepHistory, markAt, ordered, sharesWith, stateFrom, stored } from "./state.js";
import { word } from "../../messages.js";
import { isOn } from "../../own-settings/switches.js";

const pages = new WeakMap();

export const pageOf = (criterion) => pages.get(criterion);

// On a page without the text, the plain rows of fields remain.
export function watchErrors(form, signal) {
  const root = form.querySelector("[data-errors]");
  const text = document.querySelector("[data-marked-text]");
  if (root && text) pages.set(root.closest("fieldset.criterion"), marking(form, root, text, signal));
}

function marking(form, root, element, signal) {
  const criterion = root.closest("fieldset.criterion");
  const output = root.querySelector("[data-stored]");
  const text = JSON.parse(element.dataset.markedText);
  root.querySelector("[data-plain]").remove();
  output.disabled = false;
  root.append(root.querySelector("[data-errors-form]").content.cloneNode(true));
  const buttons = [...root.querySelectorAll("[data-mark]")];
  const points = new Map(buttons.map(({ dataset }) => [dataset.mark, dataset]));
  const none = root.querySelector("[data-none]");
  const list = root.querySelector("[data-told-list]");
  const noneYet = root.querySelector("[data-none-yet]");
  inMargin(root.querySelector("[data-list]"));
  const model = root.querySelector("[data-told]");
  const units = unitsOf(text, root.dataset.units, element.lang);
  const readOnly = Boolean(form.querySelector("fieldset.bare[disabled]"));
  const history = keepHistory();
  let state = stateFrom(output.value);
  // The severity and category chosen so far for the selected words, and the position of the error being edited.
  let begun = {};

  const message = root.querySelector("[data-said]");
  form.querySelector(".tell")?.prepend(message);
  // The original error text of the criterion while another one replaces it.
  let asked = null;
  const say = (name, values = {}) => {
    message.classList.remove("is-error");
    message.textContent = word(root, name, values);
  };
  const wordAt = (unit) => unit && wordAround(text, [unit.start, unit.end], element.lang);
  const selection = selecting(element, units, { changed: selectionChanged, act, wordAt, signal });
  const bar = toolbar(root, element, { mark, drop: selection.drop, takeWord, signal });

  const nameOf = (value) => points.get(value).name;

  function change(alter) {
    history.note(state);
    alter();
    state.marks = ordered(state.marks);
    if (state.marks.length) state.none = false;
    render();
    tell();
  }

  function tell() {
    output.value = stored(state);
    output.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function render() {
    const spans = state.marks.map(({ start, end, category, severity }, place) => ({
      start, end, part: `severity-${points.get(severity)?.severity ?? 0}`, label: `${place + 1} ${points.get(category)?.name ?? ""}`,
    }));
    draw(element, text, units, criterion.hidden ? [] : spans);
    selection.show();
    list.replaceChildren(...state.marks.map(row));
    noneYet.hidden = state.marks.length > 0;
    none.checked = state.none;
    none.disabled = state.marks.length > 0;
    root.querySelector("[data-undo-mark]").setAttribute("aria-disabled", String(history.isEmpty()));
  }

  function row({ start, end, category, severity }, place) {
    const item = model.content.firstElementChild.cloneNode(true);
    const number = String(place + 1);
    item.dataset.place = String(place);
    item.querySelector(".num").textContent = number;
    for (const shown of item.querySelectorAll("[data-number]")) shown.textContent = number;
    const words = item.querySelector("[data-words]");
    words.textContent = inOneLine(slice(text, start, end));
    words.lang = element.lang;
    const severe = document.createElement("b");
    severe.className = `severity severity--${points.get(severity)?.severity ?? 0}`;
    severe.textContent = nameOf(severity);
    item.querySelector("[data-named]").append(severe, `, ${nameOf(category)}`);
    return item;
  }

  function selectionChanged(span) {
    takeBack();
    const around = span && wordAround(text, span, element.lang);
    const place = begun.place ?? state.marks.length;
    bar.show(span && { words: inOneLine(slice(text, ...span)), number: place + 1, around: around ? slice(text, ...around) : "" });
    if (!span) begun = {};
    press();
    if (span) say("selected", { words: inOneLine(slice(text, ...span)) });
  }

  function press() {
    for (const one of buttons) one.setAttribute("aria-pressed", String([begun.severity, begun.category].includes(one.dataset.mark)));
  }

  // A severity and a category, chosen in either order, complete an error.
  function mark(value) {
    const span = selection.span();
    if (!span) {
      say("choose");
      return;
    }
    const isSeverity = "severity" in points.get(value);
    begun[isSeverity ? "severity" : "category"] = value;
    press();
    if (begun.severity && begun.category) complete(span);
    else say(isSeverity ? "severity" : "category", { severity: nameOf(value), category: nameOf(value) });
  }

  function complete([start, end]) {
    const { severity, category, place } = begun;
    const made = { start, end, category, severity };
    const others = state.marks.filter((_, at) => at !== place);
    const shared = root.dataset.overlap ? null : others.find((one) => sharesWith(one, made));
    const same = others.find((one) => isSame(one, made));
    if (shared || same) {
      say(shared ? "shared" : "twice", { n: state.marks.indexOf(shared ?? same) + 1 });
      return;
    }
    change(() => {
      state.marks = [...others, made];
    });
    const n = state.marks.findIndex((one) => isSame(one, made)) + 1;
    selection.drop();
    say("marked", { n, words: inOneLine(slice(text, start, end)), severity: nameOf(severity), category: nameOf(category) });
  }

  function edit(place) {
    const { start, end } = state.marks[place];
    begun = { place };
    element.focus();
    selection.take(start, end);
    begun = { place };
    say("selected", { words: inOneLine(slice(text, start, end)) });
  }

  function remove(place) {
    change(() => state.marks.splice(place, 1));
    selection.drop();
    say("removed", { n: place + 1 });
  }

  function undo() {
    const earlier = history.back();
    if (earlier) {
      state = earlier;
      render();
      tell();
    }
    say(earlier ? "undone" : "nothing");
  }

  function sayNone(wanted) {
    if (state.marks.length) return;
    change(() => {
      state.none = wanted;
    });
    if (wanted) say("none");
    else message.textContent = "";
  }

  function takeWord() {
    const span = selection.span();
    const around = span && wordAround(text, span, element.lang);
    if (around) selection.take(...around);
  }

  function removeAtCursor() {
    const unit = selection.cursor();
    const place = unit ? markAt(state.marks, unit.start) : -1;
    if (place >= 0) remove(place);
    return place >= 0;
  }

  // Handles the shortcuts of marking wherever the focus is; returns false for keys that it leaves to the page.
  function act(event) {
    if (!isEnabled()) return false;
    const key = event.key.toLowerCase();
    if (key === "z" && (event.ctrlKey || event.metaKey)) undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (key === "backspace" || key === "delete") return document.activeElement === element && removeAtCursor();
    else if (key.length > 1 || !isOn("keys")) return false;
    else if (key === "u") undo();
    else if (key === "n") sayNone(!state.none);
    else {
      const point = buttons.find(({ dataset }) => dataset.key === key);
      if (!point || !selection.span()) return false;
      mark(point.dataset.mark);
    }
    return true;
  }

  const isEnabled = () => !criterion.hidden && !readOnly;

  let shownWhen = null;
  function follow() {
    if (shownWhen === criterion.hidden) return;
    shownWhen = criterion.hidden;
    element.tabIndex = isEnabled() ? 0 : -1;
    element.classList.toggle("is-markable", isEnabled());
    for (const hint of document.querySelectorAll("[data-marking-hint]")) hint.classList.toggle("is-off", !isEnabled());
    render();
  }

  // Prevents saving while words are selected: their unfinished error would be lost.
  function settle(event) {
    takeBack();
    if (event.submitter?.formNoValidate || criterion.hidden || form.elements.cannot_rate?.checked || !selection.span()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse();
    element.focus();
  }

  function refuse() {
    const lack = criterion.querySelector(".criterion__error");
    asked = lack.querySelector("span").textContent;
    lack.querySelector("span").textContent = word(root, "unfinished", {});
    lack.hidden = false;
    criterion.setAttribute("aria-invalid", "true");
    say("unfinished");
    message.classList.add("is-error");
    lack.scrollIntoView({ block: "nearest" });
  }

  function takeBack() {
    if (asked === null) return;
    const lack = criterion.querySelector(".criterion__error");
    lack.querySelector("span").textContent = asked;
    lack.hidden = true;
    criterion.removeAttribute("aria-invalid");
    asked = null;
  }

  root.querySelector("[data-undo-mark]").addEventListener("click", undo);
  list.addEventListener("click", ({ target }) => {
    const item = target.closest("li");
    if (target.closest("[data-edit]")) edit(Number(item.dataset.place));
    if (target.closest("[data-remove]")) {
      remove(Number(item.dataset.place));
      root.querySelector("[data-undo-mark]").focus();
    }
  });
  none.addEventListener("change", () => sayNone(none.checked));
  form.addEventListener("input", follow);
  form.addEventListener("submit", settle, { capture: true });
  new ResizeObserver(() => keepWithin(element)).observe(element);
  element.classList.remove("figure-text", "literal");
  element.classList.add("marked");
  element.setAttribute("role", "textbox");
  element.setAttribute("aria-readonly", "true");
  element.setAttribute("aria-multiline", "true");
  element.setAttribute("aria-labelledby", "marked-label");
  follow();
  return {
    isAnswered: () => state.marks.length > 0 || state.none,
    // The values that display conditions of later questions can refer to.
    values: () => (state.marks.length ? state.marks.flatMap(({ category, severity }) => [category, severity]) : state.none ? ["none"] : []),
    focus: () => element.focus(),
    act: (event) => act(event),
  };
}

// In a wide window the list is in the margin, so that added rows do not move the buttons.
function inMargin(list) {
  const margin = document.querySelector("aside.rubrics");
  if (margin && window.matchMedia("(min-width: 60rem)").matches) margin.prepend(list);
}

const inOneLine = (words) => words.trim().replace(/\s+/gu, " ");
