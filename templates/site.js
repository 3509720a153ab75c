"use strict";
/* The search of the site: loads the parts of the index that a question needs, as scripts, and nothing else. */
const index = {words: {}, numbers: {}, entries: {}, parts: null};
const waiting = new Map();
function rulehistSearch(kind, part, value) {
  if (kind === "parts") { index.parts = value; begin(); return; }
  index[kind][part] = value;
}
function load(kind, part) {
  if (index[kind][part]) return Promise.resolve(index[kind][part]);
  const path = `search/${kind}-${part}.js`;
  if (!waiting.has(path)) waiting.set(path, new Promise(done => {
    const script = document.createElement("script");
    script.src = path;
    script.onload = () => done(index[kind][part]);
    script.onerror = () => { waiting.delete(path); done(null); };
    document.head.append(script);
  }));
  return waiting.get(path);
}
const wordsOf = text => text.toLowerCase().replace(/æ/g, "ae").replace(/œ/g, "oe").normalize("NFKD").replace(/\p{M}/gu, "").match(/[a-z0-9]+/g) || [];
// The places of a word, each with whether the newest text of the rule has it.
async function placesOf(word, whole) {
  const parts = index.parts.words.filter(part => part === word.slice(0, 2) || (!whole && word.length === 1 && part[0] === word));
  const found = new Map();
  for (const part of parts) {
    const held = await load("words", part) || {};
    for (const [other, places] of Object.entries(held))
      if (other === word || (!whole && other.startsWith(word)))
        places.forEach(place => { const at = place < 0 ? -1 - place : place; found.set(at, found.get(at) || place >= 0); });
  }
  return found;
}
async function placesOfAll(words) {
  let places = null;
  for (const [at, word] of words.entries()) {
    const found = await placesOf(word, at < words.length - 1);
    places = places ? new Map([...places].filter(([place]) => found.has(place)).map(([place, now]) => [place, now && found.get(place)])) : found;
  }
  return places;
}
async function placesOfNumber(number) {
  const part = number.slice(0, 2), held = index.parts.numbers.includes(part) && await load("numbers", part);
  return held && held[number] || [];
}
// What was meant by its name comes first, then what says it now, then what said it once; of these what is gone last.
function rank(entry, typed, words, now, had) {
  const name = entry[0].toLowerCase(), rest = name.slice(typed.length);
  if (name === typed) return 0;
  if (had) return 1;
  if (wordsOf(entry[1]).join(" ") === words.join(" ")) return 1;
  if (name.startsWith(typed) && (typed.includes(".") ? /^[a-z]/ : /^\./).test(rest)) return 2;
  if (words.every(word => wordsOf(name).includes(word))) return 2;
  return (now ? 3 : 4) + (entry[3] ? 2 : 0);
}
function line([number, opening, path, until], note) {
  const item = document.createElement("li"), link = document.createElement("a"), was = document.createElement("span");
  link.href = path;
  link.textContent = number;
  was.className = "was";
  was.textContent = [note, until && `until\u00a0${until.replace(/-/g, "\u2011")}`].filter(Boolean).map(words => ` ${words}`).join(",");
  item.append(link, ` ${opening}`, was);
  return item;
}
let asked = 0;
async function search() {
  const mine = ++asked, typed = document.getElementById("query").value.trim().toLowerCase().replace(/\.$/, ""), words = wordsOf(typed);
  const status = document.getElementById("found"), list = document.getElementById("results");
  if (!words.length) { status.textContent = ""; list.replaceChildren(); return; }
  const places = await placesOfAll(words), had = /^\d/.test(typed) ? await placesOfNumber(typed) : [];
  had.forEach(place => places.set(place, places.get(place) || false));
  const gone = document.getElementById("gone").checked, found = [];
  for (const [place, now] of places) {
    const held = await load("entries", String(Math.floor(place / index.parts.entries)));
    const entry = held && held[place % index.parts.entries];
    if (!entry || (entry[3] && !gone)) continue;
    const once = had.includes(place);
    const note = once ? (entry[0] === typed ? "" : `once ${typed}`) : now ? "" : "in an earlier text";
    found.push([rank(entry, typed, words, now, once), place, entry, note]);
  }
  if (mine !== asked) return;
  found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const shown = found.slice(0, 100);
  status.textContent = found.length > shown.length ? `${found.length} found, the first ${shown.length} shown` : `${found.length} found`;
  list.replaceChildren(...shown.map(([, , entry, note]) => line(entry, note)));
}
function begin() {
  const form = document.getElementById("find"), query = document.getElementById("query");
  form.hidden = false;
  document.getElementById("found").textContent = "";
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", search);
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) { query.value = wanted; search(); }
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== query) { event.preventDefault(); query.focus(); }
  });
}
