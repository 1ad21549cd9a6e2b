// Answers that could not be sent wait on this device, each with the key that makes sending it twice harmless.
import { device, read, write } from "./storage.js";

const KEY = "outbox";

export function waiting() {
  return read(device, KEY) ?? [];
}

export function put(action, fields) {
  const others = waiting().filter((answer) => key(answer.fields) !== key(fields));
  return write(device, KEY, [...others, { action, fields }]);
}

export function drop(fields) {
  const rest = waiting().filter((answer) => key(answer.fields) !== key(fields));
  write(device, KEY, rest.length ? rest : null);
}

export async function send(action, fields, token) {
  const body = new URLSearchParams(fields.filter(([name]) => name !== "csrfmiddlewaretoken"));
  return fetch(action, {
    method: "POST",
    body,
    headers: { "X-CSRFToken": token, Accept: "text/html", Prefer: "return=representation" },
    credentials: "same-origin",
  });
}

function key(fields) {
  return fields.find(([name]) => name === "submission_key")?.[1];
}
