// The order of the rows of a ranking: groups of tied rows, best first.

// The rank of each row, with gaps after ties; of the first few alone where only these count.
export function ranksOf(groups, top) {
  const ranks = new Map();
  let before = 0;
  for (const group of groups) {
    for (const row of group) ranks.set(row, top && before >= top ? "" : before + 1);
    before += group.length;
  }
  return ranks;
}

// The groups that the fields say; none where they say nothing. Rows without a rank come last, one by one.
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

// A row that leaves a tie comes to stand beside it; one that is alone passes the group next to it.
export function moved(groups, row, by) {
  const at = placeOf(groups, row);
  const isTied = groups[at].length > 1;
  const rest = without(groups, row);
  const to = Math.min(Math.max(isTied ? at + (by > 0 ? 1 : 0) : at + by, 0), rest.length);
  return [...rest.slice(0, to), [row], ...rest.slice(to)];
}

// A row is tied with those above it, or leaves them.
export function tied(groups, row) {
  const at = placeOf(groups, row);
  const within = groups[at].indexOf(row);
  if (within > 0) {
    return [...groups.slice(0, at), groups[at].slice(0, within), groups[at].slice(within), ...groups.slice(at + 1)];
  }
  return at === 0 ? groups : [...groups.slice(0, at - 1), [...groups[at - 1], ...groups[at]], ...groups.slice(at + 1)];
}

// A row at a place among all rows; between two that are tied it joins them.
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

// The row that is moved stays in the page, so that it keeps the focus and the pointer; the others go around it.
export function arrange(root, groups, kept = groups[0][0]) {
  const rows = groups.flat();
  const at = rows.indexOf(kept);
  for (const row of rows.slice(0, at)) kept.before(row);
  for (const row of rows.slice(at + 1).reverse()) kept.after(row);
  const cut = root.querySelector("[data-cut]");
  if (cut) rows[root.dataset.top - 1].after(cut);
}
