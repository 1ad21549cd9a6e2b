// Sentences that the page brings with it, with what they are about put in.
export function word(root, name, values) {
  const told = root.dataset[`word${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
  return told.replace(/\{(\w+)\}/gu, (whole, key) => values[key] ?? whole);
}
