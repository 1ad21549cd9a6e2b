// The errors of a page in the order of the text: reads and writes the stored value, and keeps the undo history.
const MOST_UNDONE = 100;

// `none` is true if the rater stated that there is no error; without an answer it is false and `marks` is empty.
export function stateFrom(stored) {
  const marks = parsed(stored);
  return { marks: ordered(marks ?? []), none: marks !== null && marks.length === 0 };
}

function parsed(stored) {
  try {
    const found = JSON.parse(stored || "null");
    return Array.isArray(found) ? found.map(({ start, end, category, severity }) => ({ start, end, category, severity })) : null;
  } catch {
    return null;
  }
}

export const stored = ({ marks, none }) => (marks.length || none ? JSON.stringify(marks) : "");

export const ordered = (marks) => [...marks].sort((a, b) => a.start - b.start || a.end - b.end || (a.category < b.category ? -1 : 1));

export const isSame = (a, b) => ["start", "end", "category", "severity"].every((name) => a[name] === b[name]);

export const sharesWith = (a, b) => a.start < b.end && b.start < a.end;

// Returns the index of the error at a position, the shortest if several overlap; -1 if there is none.
export function markAt(marks, start) {
  const here = marks.filter((one) => one.start <= start && start < one.end);
  const shortest = here.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  return shortest ? marks.indexOf(shortest) : -1;
}

export function keepHistory() {
  const earlier = [];
  return {
    note(state) {
      earlier.push(JSON.stringify(state));
      if (earlier.length > MOST_UNDONE) earlier.shift();
    },
    back: () => (earlier.length ? JSON.parse(earlier.pop()) : null),
    isEmpty: () => earlier.length === 0,
  };
}
