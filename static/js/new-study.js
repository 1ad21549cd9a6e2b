// Sends the first rows of a chosen text file with the preview request; the file itself is sent only with the form.
const SAMPLED = /\.(csv|tsv|jsonl)$/i;
const MOST_BYTES = 50_000;
const UNREADABLE = "\ufffd";

const form = document.getElementById("new-study");
const chosen = form.elements.items;
let sample = {};

async function firstRows(file) {
  if (!file || !SAMPLED.test(file.name)) return {};
  const text = await file.slice(0, MOST_BYTES).text();
  const rows = file.size > MOST_BYTES ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  return rows.includes(UNREADABLE) ? {} : { sample: rows, sample_name: file.name };
}

async function readChosen() {
  sample = await firstRows(chosen.files[0]);
  form.dispatchEvent(new CustomEvent("sampled"));
}

chosen.addEventListener("change", readChosen);
form.addEventListener("htmx:configRequest", (event) => Object.assign(event.detail.parameters, sample));
// A file may have been chosen before this script loaded; browsers also retain it when the user goes back.
if (chosen.files.length) readChosen();
