// A ranking: the fields of the options hold the answer, and the order of the rows sets them. Nothing is ranked until
// the rater acts.
import { word } from "../messages.js";
import { register } from "./registry.js";
import { watchDrag } from "./ranking/drag.js";
import { arrange, moved, ranksOf, readGroups, tied } from "./ranking/order.js";

const OWN_KEYS = new Set(["ArrowUp", "ArrowDown", " ", "Enter", "Escape", "="]);
const rankingOf = (criterion) => criterion.querySelector("[data-ranking]");
const rows = (root) => [...root.querySelectorAll("[data-option]")];
const field = (row) => row.querySelector("select");
const handle = (row) => row.querySelector("[data-handle]");
const isRanked = (root) => rows(root).some((row) => field(row).value !== "");
// The state of each ranking of the page: its groups of tied rows, and the lifted row.
const states = new WeakMap();

register("ranking", {
  watch(form) {
    for (const root of form.querySelectorAll("[data-ranking]")) watch(root, form);
  },
  isAnswered: (criterion) => isRanked(rankingOf(criterion)),
  values: (criterion) => rows(rankingOf(criterion)).filter((row) => field(row).value === "1").map((row) => row.dataset.option),
  focus(criterion) {
    const found = handle(rows(rankingOf(criterion))[0]);
    found.focus();
    return true;
  },
  ownsKey: (event) => Boolean(event.target.closest("[data-handle]")) && OWN_KEYS.has(event.key) && !leaves(event),
});

// Whether an arrow key leads out of the list, to another criterion.
function leaves({ target, key }) {
  const root = target.closest("[data-ranking]");
  const all = rows(root);
  const row = target.closest("[data-option]");
  return !states.get(root).before && row === (key === "ArrowUp" ? all[0] : key === "ArrowDown" ? all.at(-1) : null);
}

function watch(root, form) {
  states.set(root, { groups: rows(root).map((row) => [row]), before: null });
  root.classList.add("is-live");
  root.querySelector(".ranking__plain").hidden = true;
  for (const row of rows(root)) {
    field(row).hidden = true;
    handle(row).hidden = false;
    row.querySelector("[data-moves]").hidden = false;
  }
  root.querySelector("[data-cut]")?.removeAttribute("hidden");
  root.addEventListener("click", (event) => press(root, event));
  root.addEventListener("keydown", (event) => {
    if (event.target.closest("[data-handle]") && !event.ctrlKey && !event.metaKey && !event.altKey) act(root, event, form);
  });
  root.addEventListener("input", () => read(root));
  // The lifted row is dropped when the focus leaves it or the rater saves.
  const settleDown = () => states.get(root).before && drop(root);
  root.addEventListener("focusout", (event) => states.get(root).lifted?.contains(event.target) && settleDown());
  form.addEventListener("submit", settleDown, { capture: true });
  watchDrag(root, { lift: (_, row) => lift(root, row, "dragged"), place: (row, groups) => put(root, row, groups), drop: () => drop(root), cancel: () => back(root) });
  read(root);
  // A draft is restored after this script has started.
  queueMicrotask(() => read(root));
  form.addEventListener("focusin", () => read(root));
}

// Updates the rows from the fields, which a draft, a copied response or the page itself may have filled.
function read(root) {
  const state = states.get(root);
  if (state.before) return;
  const held = readGroups(rows(root), (row) => field(row).value);
  const shown = ranksOf(state.groups, root.dataset.top);
  if (held && rows(root).some((row) => field(row).value !== String(shown.get(row)))) {
    state.groups = held;
    arrange(root, held);
  }
  show(root);
}

function press(root, event) {
  const row = event.target.closest("[data-option]");
  const state = states.get(root);
  if (event.target.closest("[data-keep-order]")) {
    write(root);
    handle(rows(root)[0]).focus();
  } else if (event.target.closest("[data-up]")) step(root, row, -1);
  else if (event.target.closest("[data-down]")) step(root, row, 1);
  else if (event.target.closest("[data-tie]")) tie(root, row);
  else if (event.target.closest("[data-handle]") && !event.detail) {
    // A click without a pointer comes from a screen reader or a switch; the mouse drags instead.
    if (state.before) drop(root);
    else lift(root, row);
  }
}

function act(root, event, form) {
  const state = states.get(root);
  const row = event.target.closest("[data-option]");
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by && state.before) step(root, row, by);
  else if (by) handle(rows(root)[rows(root).indexOf(row) + by] ?? row).focus();
  else if (event.key === "Escape" && state.before) back(root);
  else if (event.key === "=" && root.hasAttribute("data-ties")) tie(root, row);
  else if (event.key === " " || event.key === "Enter" && state.before) {
    if (state.before) drop(root);
    else lift(root, row);
  } else if (event.key === "Enter" && !event.repeat) form.requestSubmit();
  else return;
  if (!leaves(event) || event.key === "Enter") event.preventDefault();
}

function lift(root, row, by = "lifted") {
  const state = states.get(root);
  state.before = state.groups;
  state.by = by;
  state.lifted = row;
  row.classList.add("is-lifted");
  handle(row).setAttribute("aria-pressed", "true");
  say(root, by, row);
}

function drop(root) {
  const row = settle(root);
  write(root);
  say(root, "dropped", row);
}

function back(root) {
  const state = states.get(root);
  state.groups = state.before;
  const row = settle(root);
  arrange(root, state.groups, row);
  show(root);
  say(root, "back", row);
}

function settle(root) {
  const state = states.get(root);
  const row = state.lifted;
  row.classList.remove("is-lifted");
  handle(row).setAttribute("aria-pressed", "false");
  state.before = state.lifted = null;
  return row;
}

function step(root, row, by) {
  put(root, row, moved(states.get(root).groups, row, by));
}

function tie(root, row) {
  put(root, row, tied(states.get(root).groups, row));
}

function put(root, row, groups) {
  const state = states.get(root);
  state.groups = groups;
  arrange(root, groups, row);
  if (state.before) show(root);
  else write(root);
  say(root, state.before ? state.by : "dropped", row);
}

// Writes the ranks into the fields, which drafts, checks and the server read.
function write(root) {
  const ranks = ranksOf(states.get(root).groups, root.dataset.top);
  for (const [row, rank] of ranks) field(row).value = rank;
  show(root);
  field(rows(root)[0]).dispatchEvent(new Event("input", { bubbles: true }));
}

function show(root) {
  const { groups } = states.get(root);
  const ranks = ranksOf(groups, root.dataset.top);
  const isOpen = !isRanked(root);
  root.classList.toggle("is-open", isOpen);
  root.querySelector("[data-keep-order]").hidden = !isOpen;
  replaceStartHint(root, isOpen);
  for (const group of groups) {
    for (const [place, row] of group.entries()) {
      const rank = ranks.get(row);
      const shared = group.length > 1 && rank !== "";
      const text = textOf(row);
      row.querySelector("[data-rank]").textContent = rank === "" ? "–" : `${rank}${shared ? "=" : ""}`;
      row.classList.toggle("is-below", rank === "");
      row.classList.toggle("is-tied", shared && place < group.length - 1);
      row.classList.toggle("is-tied-above", shared && place > 0);
      name(handle(row), root, "handle", { text, rank: rank || "–" });
      name(row.querySelector("[data-up]"), root, "up", { text });
      name(row.querySelector("[data-down]"), root, "down", { text });
      showTie(root, row, place > 0, row === groups[0][0]);
    }
  }
}

// Replaces the initial hint once there is an answer, from a draft or from the “keep order” button.
function replaceStartHint(root, isOpen) {
  const says = root.querySelector("[data-says]");
  if (!isOpen && says.textContent === root.dataset.wordStart) says.textContent = root.dataset.wordKept;
}

const textOf = (row) => row.querySelector("[data-text]").textContent.trim();
const name = (button, root, key, values) => button.setAttribute("aria-label", word(root, key, values));

function showTie(root, row, isTied, isFirst) {
  const button = row.querySelector("[data-tie]");
  if (!button) return;
  button.textContent = word(root, isTied ? "untie" : "tie", {});
  button.setAttribute("aria-label", `${button.textContent}: ${textOf(row)}`);
  button.classList.toggle("is-away", isFirst);
  button.disabled = isFirst;
}

function say(root, key, row) {
  const group = states.get(root).groups.find((one) => one.includes(row));
  const rank = ranksOf(states.get(root).groups, root.dataset.top).get(row);
  const about = key !== "dropped" ? key : rank === "" ? "unranked" : group.length > 1 ? "tied" : key;
  root.querySelector("[data-says]").textContent = word(root, about, { text: textOf(row), rank: rank || "–" });
}
