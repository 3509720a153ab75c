"use strict";
/* The search of the site: loads the parts of the index that a question needs, as scripts, and nothing else. */
const index = {words: {}, entries: {}, parts: null};
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
async function placesOf(word, whole) {
  const parts = index.parts.words.filter(part => part === word.slice(0, 2) || (!whole && word.length === 1 && part[0] === word));
  const found = new Set();
  for (const part of parts) {
    const held = await load("words", part) || {};
    for (const [other, places] of Object.entries(held))
      if (other === word || (!whole && other.startsWith(word))) places.forEach(place => found.add(place));
  }
  return found;
}
let asked = 0;
async function search() {
  const mine = ++asked, words = wordsOf(document.getElementById("query").value);
  const status = document.getElementById("found"), list = document.getElementById("results");
  if (!words.length) { status.textContent = ""; list.replaceChildren(); return; }
  let places = null;
  for (const [at, word] of words.entries()) {
    const found = await placesOf(word, at < words.length - 1);
    places = places ? places.filter(place => found.has(place)) : [...found].sort((a, b) => a - b);
  }
  const gone = document.getElementById("gone").checked, shown = [];
  let count = 0;
  for (const place of places) {
    const held = await load("entries", String(Math.floor(place / index.parts.entries)));
    const entry = held && held[place % index.parts.entries];
    if (!entry || (entry[3] && !gone)) continue;
    count += 1;
    if (shown.length < 100) shown.push(entry);
  }
  if (mine !== asked) return;
  status.textContent = count > shown.length ? `${count} found, the first ${shown.length} shown` : `${count} found`;
  list.replaceChildren(...shown.map(([number, opening, path, until]) => {
    const item = document.createElement("li"), link = document.createElement("a"), was = document.createElement("span");
    link.href = path;
    link.textContent = number;
    was.className = "was";
    was.textContent = until ? ` until ${until}` : "";
    item.append(link, ` ${opening}`, was);
    return item;
  }));
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
