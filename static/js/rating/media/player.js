// A native audio element with custom buttons: K plays, J and L skip five seconds. Without scripts it has native controls.
import { isTyping } from "../keyboard.js";
import { word } from "../messages.js";
import { isOn } from "../own-settings/switches.js";
import { clockTime } from "./clock-time.js";

const SPEEDS = [1, 1.25, 1.5, 2];
const STEP = 5;

export function watchPlayers(signal) {
  const players = [...document.querySelectorAll("[data-player]")].map(partsOf);
  for (const player of players) watch(player);
  const first = players[0]?.audio ?? document.querySelector("video[data-recording]");
  if (!first) return;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !isOn("keys")) return;
    const act = { k: () => toggle(first), j: () => skip(first, -STEP), l: () => skip(first, STEP) }[event.key.toLowerCase()];
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  }, { signal });
  signal.addEventListener("abort", () => first.pause());
}

function partsOf(player) {
  return {
    player,
    audio: player.parentElement.querySelector("audio"),
    play: player.querySelector("[data-play]"),
    line: player.querySelector("input[type=range]"),
    time: player.querySelector(".player__time"),
    speed: player.querySelector("[data-speed]"),
  };
}

function watch(parts) {
  const { player, audio, play, line, speed } = parts;
  audio.controls = false;
  audio.hidden = true;
  player.hidden = false;
  play.addEventListener("click", () => toggle(audio));
  line.addEventListener("input", () => audio.currentTime = Number(line.value));
  speed.addEventListener("click", () => audio.playbackRate = SPEEDS[(SPEEDS.indexOf(audio.playbackRate) + 1) % SPEEDS.length]);
  for (const name of ["play", "pause", "timeupdate", "durationchange", "ratechange", "ended"]) {
    audio.addEventListener(name, () => show(parts));
  }
  show(parts);
}

function toggle(audio) {
  if (audio.paused) audio.play();
  else audio.pause();
}

function skip(audio, seconds) {
  audio.currentTime = Math.min(Math.max(0, audio.currentTime + seconds), audio.duration || 0);
}

function show({ player, audio, play, line, time, speed }) {
  const all = Number.isFinite(audio.duration) ? audio.duration : 0;
  const words = play.querySelector("[data-play-word]");
  words.textContent = audio.paused ? words.dataset.playWord : words.dataset.pauseWord;
  line.max = all;
  line.value = audio.currentTime;
  line.parentElement.style.setProperty("--x", `${all ? (100 * audio.currentTime) / all : 0}%`);
  time.textContent = word(player, "time", { now: clockTime(audio.currentTime), all: clockTime(all) });
  line.setAttribute("aria-valuetext", time.textContent);
  speed.textContent = word(player, "speed", { n: audio.playbackRate });
}
