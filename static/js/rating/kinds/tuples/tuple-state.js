// The tuples of a page as parts with wordings and spans: reads and writes the stored value, and keeps the undo history.
import { find, isUnspaced, slice } from "./marked-text.js";

const MOST_UNDONE = 100;
const PARALLEL = /[;；]/u;

// `hand` is the number of the tuple in the form, counted from 0; the last one is new unless it is edited.
export function tuplesFrom(stored) {
  const tuples = [];
  const numbers = new Map();
  for (const { tuple, part, start, end, text } of parsed(stored)) {
    if (!numbers.has(tuple)) numbers.set(tuple, tuples.push({}) - 1);
    const wordings = (tuples[numbers.get(tuple)][part] ??= []);
    let wording = wordings.find((one) => one.text === text);
    if (!wording) wordings.push((wording = { text, spans: [] }));
    if (Number.isInteger(start)) wording.spans.push([start, end]);
  }
  return tuples;
}

function parsed(stored) {
  try {
    const found = JSON.parse(stored || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function stored(tuples, parts) {
  const marks = [];
  let number = 0;
  for (const one of tuples) {
    if (isEmpty(one)) continue;
    number += 1;
    for (const part of parts) {
      for (const { text, spans } of filledWordings(one, part)) {
        for (const [start, end] of spans.length ? spans : [[null, null]]) {
          marks.push({ tuple: number, part, start, end, text: text.trim() });
        }
      }
    }
  }
  return marks.length ? JSON.stringify(marks) : "";
}

// The wordings of a part that are not blank.
export const filledWordings = (one, part) => (one?.[part] ?? []).filter(({ text }) => text.trim() !== "");

export const isEmpty = (one) => !one || Object.keys(one).every((part) => filledWordings(one, part).length === 0);

// Returns the names of the required parts that a tuple lacks.
export const lacking = (one, parts) => parts.filter(({ name, optional }) => !optional && filledWordings(one, name).length === 0).map(({ name }) => name);

// Returns the first wording without a letter or a digit, with its part; null if there is none.
export function wordless(one, parts) {
  for (const part of parts) {
    const found = filledWordings(one, part.name).find(({ text }) => !/[\p{L}\p{N}]/u.test(text));
    if (found) return { part, words: found.text.trim() };
  }
  return null;
}

// Returns the spans of all tuples. Equal spans of one part are merged and list the numbers of their tuples.
export function spansOf(tuples, parts) {
  const found = new Map();
  let number = 0;
  for (const one of tuples) {
    if (isEmpty(one)) continue;
    number += 1;
    for (const { name, label, css } of parts) {
      for (const { spans } of filledWordings(one, name)) {
        for (const [start, end] of spans) {
          const key = `${name} ${start} ${end}`;
          if (!found.has(key)) found.set(key, { part: css, name: label, start, end, numbers: new Set() });
          found.get(key).numbers.add(number);
        }
      }
    }
  }
  return [...found.values()].map((span) => ({ ...span, label: `${span.name} ${[...span.numbers].join(", ")}` }));
}

// The words of spans, in the order of the text and in one line, as a field shows them.
export function wordsOf(text, spans) {
  const pieces = [...spans].sort((a, b) => a[0] - b[0]).map(([start, end]) => inOneLine(slice(text, start, end).trim()));
  return pieces.reduce((words, piece) => words + (words && !isUnspaced(piece) ? " " : "") + piece, "");
}

export const inOneLine = (words) => words.replace(/\s*[\r\n\t]\s*/gu, isUnspaced(words) ? "" : " ");

// Splits parts at semicolons into tuples aligned by position; returns null if nothing can be split.
export function aligned(one, parts, text) {
  const pieces = new Map();
  for (const { name } of parts) {
    const wordings = filledWordings(one, name);
    const split = wordings.length === 1 ? wordings[0].text.split(PARALLEL).map((words) => words.trim()) : [""];
    if (wordings.length) pieces.set(name, split);
  }
  const most = Math.max(1, ...[...pieces.values()].map((found) => found.length));
  if (most === 1 || [...pieces.values()].some((found) => found.length !== 1 && found.length !== most)) return null;
  return Array.from({ length: most }, (_, place) => {
    const made = {};
    for (const { name, marked } of parts) {
      if (!pieces.has(name)) continue;
      const found = pieces.get(name);
      made[name] = found.length === 1 ? structuredClone(one[name]) : [{ text: found[place], spans: marked ? located(text, found[place]) : [] }];
    }
    return made;
  });
}

export function located(text, words) {
  const span = words.trim() ? find(text, words.trim()) : null;
  return span ? [span] : [];
}

export function keepHistory() {
  const earlier = [];
  return {
    note: (state) => {
      const now = written(state);
      if (earlier[earlier.length - 1] === now) return;
      earlier.push(now);
      if (earlier.length > MOST_UNDONE) earlier.shift();
    },
    has: (state) => earlier.some((one) => one !== written(state)),
    // Returns the last state that differs from the current one.
    back: (state) => {
      const now = written(state);
      while (earlier.length && earlier[earlier.length - 1] === now) earlier.pop();
      return earlier.length ? JSON.parse(earlier.pop()) : null;
    },
  };
}

// Serialises the state without empty fields.
function written({ tuples, hand, edits }) {
  const filled = tuples.map((one) => Object.fromEntries(Object.keys(one).map((part) => [part, filledWordings(one, part)]).filter(([, wordings]) => wordings.length)));
  while (filled.length && isEmpty(filled[filled.length - 1])) filled.pop();
  return JSON.stringify({ tuples: filled, hand: Math.min(hand, filled.length), edits });
}
