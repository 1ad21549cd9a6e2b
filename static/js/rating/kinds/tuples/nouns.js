// Joins and splits wordings that end in a noun, and finds nouns that the study lists as too general.
import { isUnspaced } from "./marked-text.js";

export function joined(adjective, noun, language) {
  return adjective + (adjective && noun ? between([...adjective].at(-1), [...noun][0], language) : "") + noun;
}

const isHan = (letter) => /\p{Script=Han}/u.test(letter);

// Chinese inserts 的, at which `split` separates the two again; in Japanese the adjective itself has an ending.
function between(last, first, language) {
  if (isHan(last) && isHan(first) && !language.startsWith("ja")) return last === "的" || first === "的" ? "" : "的";
  return isUnspaced(last) || isUnspaced(first) ? "" : " ";
}

// The noun is a listed noun if the wording ends in one; otherwise the words after the last space or 的.
export function split(words, nouns) {
  const phrase = words.trim();
  const found = nouns.filter((noun) => endsIn(phrase, noun)).sort((a, b) => b.length - a.length)[0];
  const cut = found ? phrase.length - found.length : Math.max(phrase.search(/\s\S+$/u), phrase.lastIndexOf("的")) + 1;
  return [phrase.slice(0, cut).trim(), phrase.slice(cut)];
}

function endsIn(words, noun) {
  const [text, wanted] = [words.trim().toLowerCase(), noun.trim().toLowerCase()];
  if (!wanted || !text.endsWith(wanted)) return false;
  const before = [...text.slice(0, text.length - wanted.length)].at(-1);
  return before === undefined || !/[\p{L}\p{N}]/u.test(before) || isUnspaced([...wanted][0]);
}

// Returns the first wording of a tuple that ends in a general noun, with its position; null if none does.
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
