// A text as units to move by and pieces with lines under them. Offsets count Unicode code points, as the server does.
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\u{20000}-\u{3fffd}]/u;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const NARROW = 0.45;
const LABEL_CHARACTER = 0.3;
const MOST_LINES = 4;

export const length = (text) => [...text].length;

export const slice = (text, start, end) => [...text].slice(start, end).join("");

export const isUnspaced = (text) => UNSPACED.test(text);

// A word of another script in it does not make a text one without spaces.
function isMostlySpaced(text) {
  const letters = text.match(/\p{L}/gu) ?? [];
  return 2 * letters.filter(isUnspaced).length <= letters.length;
}

// Where words stand in a text, as [start, end] in code points; null where they do not. A space may be a line break there.
export function find(text, words) {
  const spaced = words.split(/\s+/u).map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("\\s+");
  const exact = text.indexOf(words);
  const found = exact < 0 ? new RegExp(spaced, "u").exec(text) : { index: exact, 0: words };
  if (!found) return null;
  const start = length(text.slice(0, found.index));
  return [start, start + length(found[0])];
}

// What keys and taps move by: words, or characters as they are read, with their combining marks.
export function unitsOf(text, wanted, lang) {
  const byWords = wanted ? wanted === "words" : isMostlySpaced(text);
  const units = [];
  let start = 0;
  for (const piece of pieces(text, byWords ? "word" : "grapheme", lang)) {
    const end = start + length(piece);
    if (piece.trim() !== "") units.push({ start, end });
    start = end;
  }
  return units;
}

// The word around a span, where the browser can tell words apart.
export function wordAround(text, span, lang) {
  if (!Intl.Segmenter) return null;
  let start = 0;
  let found = null;
  for (const piece of pieces(text, "word", lang)) {
    const end = start + length(piece);
    if (end > span[0] && start < span[1] && piece.trim() !== "") found = [found ? found[0] : start, end];
    start = end;
  }
  return found && (found[0] < span[0] || found[1] > span[1]) ? found : null;
}

function pieces(text, granularity, lang) {
  if (!Intl.Segmenter) return granularity === "word" ? text.match(/\s+|\S+/gu) ?? [] : text.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? [];
  let segmenter;
  try {
    segmenter = new Intl.Segmenter(lang || undefined, { granularity });
  } catch {
    segmenter = new Intl.Segmenter(undefined, { granularity });
  }
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

// Spans with the lines that they take, the wider the lower, and the rows of their labels.
export function laidOut(text, spans) {
  const all = spans.map((span) => ({ ...span }));
  const shorter = [...all].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start || order(a.part, b.part));
  shorter.forEach((span, place) => {
    const above = shorter.slice(0, place).filter((other) => other.start < span.end && span.start < other.end);
    span.line = Math.min(Math.max(-1, ...above.map(({ line }) => line)) + 1, MOST_LINES - 1);
  });
  const widths = [0];
  for (const one of text) widths.push(widths[widths.length - 1] + (WIDE.test(one) ? 1 : NARROW));
  const ends = [];
  for (const span of [...all].sort((a, b) => a.start - b.start || b.end - a.end || order(a.part, b.part))) {
    const begin = widths[span.start];
    let row = ends.findIndex((end) => end <= begin);
    if (row < 0) row = ends.length;
    ends[row] = begin + LABEL_CHARACTER * (length(span.label) + 1);
    span.row = Math.min(row, MOST_LINES - 1);
  }
  return all;
}

const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Draws the text: every unit an element of its own, within an element for each span that covers it.
export function draw(element, text, units, spans) {
  const told = laidOut(text, spans);
  const cuts = new Set([0, length(text)]);
  for (const one of [...units, ...told]) cuts.add(one.start).add(one.end);
  const ordered = [...cuts].sort((a, b) => a - b);
  // Written by a script, a carriage return alone would break no line.
  const characters = [...text.replace(/\r(?!\n)/g, "\n")];
  element.replaceChildren();
  let around = { key: "", element };
  ordered.slice(0, -1).forEach((start, place) => {
    const end = ordered[place + 1];
    const covering = told.filter((span) => span.start <= start && start < span.end).sort((a, b) => b.line - a.line);
    const key = covering.map((span) => told.indexOf(span)).join(" ");
    if (key !== around.key) around = { key, element: wrapped(element, covering, start) };
    around.element.append(piece(characters.slice(start, end).join(""), start, end));
  });
  element.classList.remove(...[...element.classList].filter((name) => name.startsWith("marked--")));
  element.classList.add(`marked--${told.length ? Math.max(...told.map(({ row }) => row)) + 1 : 0}`);
  keepWithin(element);
}

// A label that would end beyond the text is moved back under it.
export function keepWithin(element) {
  const labels = [...element.querySelectorAll(".mk__l > span")];
  for (const label of labels) label.style.removeProperty("transform");
  const within = element.getBoundingClientRect();
  const beyond = labels.map((label) => {
    const { left, right } = label.getBoundingClientRect();
    return Math.max(right - within.right, 0) + Math.min(left - within.left, 0);
  });
  labels.forEach((label, place) => {
    if (beyond[place]) label.style.transform = `translateX(${-beyond[place]}px)`;
  });
}

function wrapped(element, covering, start) {
  let inner = element;
  for (const span of covering) {
    const mark = document.createElement("span");
    mark.className = `mk mk--${span.part} mk--line-${span.line}`;
    if (span.start === start) {
      const label = document.createElement("span");
      label.className = `mk__l mk__l--under-${covering[0].line} mk__l--${span.row}`;
      label.append(document.createElement("span"));
      // The direction of the text is found from its own characters.
      label.firstChild.dir = "auto";
      label.firstChild.textContent = span.label;
      mark.append(label);
    }
    inner.append(mark);
    inner = mark;
  }
  return inner;
}

function piece(text, start, end) {
  const one = document.createElement("span");
  one.className = "u";
  one.dataset.start = String(start);
  one.dataset.end = String(end);
  one.textContent = text;
  return one;
}
