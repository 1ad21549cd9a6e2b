// The order of the rows of a ranking: groups of tied rows, best first.

// Returns the rank of each row, with gaps after ties; rows below the first `top`, if given, have no rank.
export function ranksOf(groups, top) {
  const ranks = new Map();
  let before = 0;
  for (const group of groups) {
    for (const row of group) ranks.set(row, top && before >= top ? "" : before + 1);
    before += group.length;
  }
  return ranks;
}

// Returns the groups that the fields define, or null if all are empty. Rows without a rank follow, each as a group.
export function readGroups(rows, rankOf) {
  const ranked = new Map();
  for (const row of rows.filter((one) => rankOf(one) !== "")) {
    const rank = Number(rankOf(row));
    ranked.set(rank, [...(ranked.get(rank) ?? []), row]);
  }
  if (!ranked.size) return null;
  const groups = [...ranked.keys()].sort((one, other) => one - other).map((rank) => ranked.get(rank));
  return [...groups, ...rows.filter((row) => rankOf(row) === "").map((row) => [row])];
}

const without = (groups, row) => groups.map((group) => group.filter((one) => one !== row)).filter((group) => group.length);
const placeOf = (groups, row) => groups.findIndex((group) => group.includes(row));

// A row that leaves a tie is placed directly before or after it; an untied row moves past the neighbouring group.
export function moved(groups, row, by) {
  const at = placeOf(groups, row);
  const isTied = groups[at].length > 1;
  const rest = without(groups, row);
  const to = Math.min(Math.max(isTied ? at + (by > 0 ? 1 : 0) : at + by, 0), rest.length);
  return [...rest.slice(0, to), [row], ...rest.slice(to)];
}

// Ties a row with the group above it, or separates it from the rows above in its own group.
export function tied(groups, row) {
  const at = placeOf(groups, row);
  const within = groups[at].indexOf(row);
  if (within > 0) {
    return [...groups.slice(0, at), groups[at].slice(0, within), groups[at].slice(within), ...groups.slice(at + 1)];
  }
  return at === 0 ? groups : [...groups.slice(0, at - 1), [...groups[at - 1], ...groups[at]], ...groups.slice(at + 1)];
}

// Places a row at a position among all rows; between two tied rows it joins their tie.
export function placed(groups, row, to) {
  const rest = without(groups, row);
  let before = 0;
  for (const [at, group] of rest.entries()) {
    if (to === before) return [...rest.slice(0, at), [row], ...rest.slice(at)];
    if (to < before + group.length) {
      const joined = [...group.slice(0, to - before), row, ...group.slice(to - before)];
      return [...rest.slice(0, at), joined, ...rest.slice(at + 1)];
    }
    before += group.length;
  }
  return [...rest, [row]];
}

// Moves the other rows around `moving`, which is not detached from the page, so that it keeps focus and pointer.
export function arrange(root, groups, moving = groups[0][0]) {
  const rows = groups.flat();
  const at = rows.indexOf(moving);
  for (const row of rows.slice(0, at)) moving.before(row);
  for (const row of rows.slice(at + 1).reverse()) moving.after(row);
  const cut = root.querySelector("[data-cut]");
  if (cut) rows[root.dataset.top - 1].after(cut);
}
