// Returns a sentence from the data attributes of the page with its placeholders filled in.
export function word(root, name, values) {
  const sentence = root.dataset[`word${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
  return sentence.replace(/\{(\w+)\}/gu, (whole, key) => values[key] ?? whole);
}
