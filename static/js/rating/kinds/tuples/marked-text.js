// Splits a text into units for the cursor and draws lines under its spans. Offsets count Unicode code points.
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\u{20000}-\u{3fffd}]/u;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const NARROW = 0.45;
const LABEL_CHARACTER = 0.3;
const MOST_LINES = 4;

export const length = (text) => [...text].length;

export const slice = (text, start, end) => [...text].slice(start, end).join("");

export const isUnspaced = (text) => UNSPACED.test(text);

// A single word of a script without spaces does not make the whole text unspaced.
function isMostlySpaced(text) {
  const letters = text.match(/\p{L}/gu) ?? [];
  return 2 * letters.filter(isUnspaced).length <= letters.length;
}

// Returns the position of words in a text as [start, end] in code points, or null. A space matches any white space.
export function find(text, words) {
  const spaced = words.split(/\s+/u).map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("\\s+");
  const exact = text.indexOf(words);
  const found = exact < 0 ? new RegExp(spaced, "u").exec(text) : { index: exact, 0: words };
  if (!found) return null;
  const start = length(text.slice(0, found.index));
  return [start, start + length(found[0])];
}

// Returns the units for keys and taps: words, or characters with their combining marks.
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

// Returns the word around a span if the browser can segment words and the span does not fill it; otherwise null.
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

// Assigns each span the line under the text (wider spans lower) and the row of its label.
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

// Draws the text: every unit is an element, nested in one element for each span that covers it.
export function draw(element, text, units, spans) {
  const placed = laidOut(text, spans);
  const cuts = new Set([0, length(text)]);
  for (const one of [...units, ...placed]) cuts.add(one.start).add(one.end);
  const ordered = [...cuts].sort((a, b) => a - b);
  // A lone carriage return in text content would not break the line.
  const characters = [...text.replace(/\r(?!\n)/g, "\n")];
  element.replaceChildren();
  let around = { key: "", element };
  ordered.slice(0, -1).forEach((start, place) => {
    const end = ordered[place + 1];
    const covering = placed.filter((span) => span.start <= start && start < span.end).sort((a, b) => b.line - a.line);
    const key = covering.map((span) => placed.indexOf(span)).join(" ");
    if (key !== around.key) around = { key, element: wrapped(element, covering, start) };
    around.element.append(piece(characters.slice(start, end).join(""), start, end));
  });
  element.classList.remove(...[...element.classList].filter((name) => name.startsWith("marked--")));
  element.classList.add(`marked--${placed.length ? Math.max(...placed.map(({ row }) => row)) + 1 : 0}`);
  keepWithin(element);
}

// Moves labels that extend beyond the text back under it.
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
