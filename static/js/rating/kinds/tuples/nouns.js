// Wordings that end in a noun: put together, taken apart, and those on the study's list of nouns that say too little.
import { isUnspaced } from "./marked-text.js";

export function joined(adjective, noun, language) {
  return adjective + (adjective && noun ? between([...adjective].at(-1), [...noun][0], language) : "") + noun;
}

const isHan = (letter) => /\p{Script=Han}/u.test(letter);

// Chinese has 的 there, by which the two are also told apart again; in Japanese the adjective itself has an ending.
function between(last, first, language) {
  if (isHan(last) && isHan(first) && !language.startsWith("ja")) return last === "的" || first === "的" ? "" : "的";
  return isUnspaced(last) || isUnspaced(first) ? "" : " ";
}

// The noun is what a list names, else what follows the last space, or 的.
export function split(words, nouns) {
  const told = words.trim();
  const found = nouns.filter((noun) => endsIn(told, noun)).sort((a, b) => b.length - a.length)[0];
  const cut = found ? told.length - found.length : Math.max(told.search(/\s\S+$/u), told.lastIndexOf("的")) + 1;
  return [told.slice(0, cut).trim(), told.slice(cut)];
}

function endsIn(words, noun) {
  const [told, wanted] = [words.trim().toLowerCase(), noun.trim().toLowerCase()];
  if (!wanted || !told.endsWith(wanted)) return false;
  const before = [...told.slice(0, told.length - wanted.length)].at(-1);
  return before === undefined || !/[\p{L}\p{N}]/u.test(before) || isUnspaced([...wanted][0]);
}

// The first wording of a tuple that ends in such a noun, with its place; null where none does.
export function tooGeneral(one, parts, general) {
  for (const part of parts) {
    if (!part.endsInNoun) continue;
    for (const [place, { text }] of (one?.[part.name] ?? []).entries()) {
      const noun = general.find((listed) => endsIn(text, listed));
      if (noun) return { noun, part, place };
    }
  }
  return null;
}
