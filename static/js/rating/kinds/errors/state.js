// The errors of a page: read from and written as what is stored, in the order of the text, with undo.
const MOST_UNDONE = 100;

// `none` says that there is no error; null where nothing is answered yet.
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

// The error at a place, the shortest of those that lie over one another; -1 where there is none.
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
