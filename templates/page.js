(() => {
"use strict";
const all = (wanted, within = document) => Array.from(within.querySelectorAll(wanted));
const by = id => document.getElementById(id);
const status = by("status"), search = by("search"), keys = by("keys"), side = by("side");
let changes, lines, counted, groups;
const gather = () => {
  const paragraphs = all("#front p[data-k], #contents p[data-k]");
  changes = all("article");
  lines = changes.concat(all("#news dl > div, #lists dl > div, details.r, #renumbered tbody tr:has(td)"), paragraphs);
  counted = new Set(changes.concat(paragraphs));
  groups = all("main > section, details.g, #renumbered tbody");
};
gather();
// What the style sheet hides by the form's state is told by that state: to ask for the style of what is folded costs minutes.
const checked = id => Boolean(by(id) && by(id).checked);
const shown = line => {
  const kind = line.dataset.k || (line.closest("#renumbered") ? "renumbered" : ""), box = kind && by("k-" + kind.replace("+", "-"));
  const section = by("section") && by("section").value, own = section && line.closest("[data-s]");
  return !(line.classList.contains("off") || (box && !box.checked) || (own && own.dataset.s !== section)
    || (kind === "added" && checked("t-old")) || (kind === "removed" && checked("t-new")));
};
const say = words => { if (status) status.textContent = words; };
const open = from => { for (let at = from; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; };
const go = change => {
  open(change);
  all(".at").forEach(other => other.classList.remove("at"));
  change.classList.add("at");
  change.tabIndex = -1;
  change.focus({preventScroll: true});
  change.scrollIntoView({block: "start"});
};
const count = () => {
  groups.forEach(group => group.classList.remove("off"));
  const seen = lines.filter(shown);
  groups.forEach(group => group.classList.toggle("off", !seen.some(line => group.contains(line)) && lines.some(line => group.contains(line))));
  const left = seen.filter(line => counted.has(line)).length;
  say(left === counted.size ? "" : `${left} of ${counted.size} changes shown`);
};
const target = () => {
  const found = location.hash.length > 1 && by(decodeURIComponent(location.hash.slice(1)));
  if (found) { open(found); found.scrollIntoView(); }
};
all(".tools").forEach(tools => { tools.hidden = false; });
all(".filters").forEach(form => { form.addEventListener("submit", event => event.preventDefault()); form.addEventListener("change", count); });
const plain = text => text.toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, " ");
const textOf = (line, without) => {
  const text = line.cloneNode(true);
  all(`.copy, .two, .note a, article > details, article > h3 i:last-of-type, ${without}`, text).forEach(part => part.remove());
  return plain(text.textContent);
};
const texts = new Map(), opened = new Set();
const find = wanted => {
  if (wanted) lines.filter(line => !texts.has(line)).forEach(line => texts.set(line, [textOf(line, "ins"), textOf(line, "del")]));
  const folded = new Set();
  lines.forEach(line => {
    const hit = !wanted || texts.get(line).some(text => text.includes(wanted));
    line.classList.toggle("off", !hit);
    const group = wanted && hit && line.closest("details.g");
    if (group) folded.add(group);
  });
  folded.forEach(group => { if (!group.open) { group.open = true; opened.add(group); } });
  opened.forEach(group => { if (!folded.has(group)) { group.open = false; opened.delete(group); } });
  count();
};
if (search) search.addEventListener("input", () => find(plain(search.value.trim())));
document.addEventListener("keydown", event => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
  if (event.key === "Escape" && event.target === search) { search.value = ""; search.dispatchEvent(new Event("input")); search.blur(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys || !keys.checked) return;
  if (event.key === "/" && search) { event.preventDefault(); search.focus(); return; }
  if (event.key !== "n" && event.key !== "p") return;
  const visible = changes.filter(shown);
  if (!visible.length) return;
  const at = visible.findIndex(change => change.classList.contains("at"));
  const next = event.key === "n" ? at + 1 : (at < 0 ? visible.length - 1 : at - 1);
  if (next < 0 || next >= visible.length) { say(event.key === "n" ? "That was the last change" : "That was the first change"); return; }
  go(visible[next]);
});
const linkable = change => {
  const head = change.querySelector("h3");
  if (!head || !change.id || head.querySelector(".copy")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy link";
  button.setAttribute("aria-label", `copy link to ${head.firstChild.textContent}`);
  button.addEventListener("click", async () => {
    const address = location.href.split("#")[0] + "#" + change.id;
    try { await navigator.clipboard.writeText(address); button.textContent = "copied"; }
    catch { location.hash = change.id; button.textContent = "in the address bar"; }
    setTimeout(() => { button.textContent = "copy link"; }, 2000);
  });
  head.append(button);
};
changes.forEach(linkable);
const column = (words, title, without) => {
  const made = document.createElement("div"), name = document.createElement("b"), text = words.cloneNode(true);
  name.textContent = title;
  all(without, text).forEach(gone => gone.remove());
  made.append(name, text);
  return made;
};
if (side) side.addEventListener("change", () => {
  document.body.classList.toggle("sides", side.checked);
  all(".two").forEach(two => two.remove());
  changes.forEach(change => {
    const words = change.querySelector("p");
    if (!words || /^(added|removed)$/.test(change.dataset.k)) return;
    words.hidden = side.checked;
    if (!side.checked) return;
    const two = document.createElement("div");
    two.className = "two";
    two.append(column(words, "before", "ins"), column(words, "after", "del"));
    all("[hidden]", two).forEach(text => { text.hidden = false; });
    words.after(two);
  });
});
const slider = by("asof");
if (slider) {
  const texts = all("[data-text]"), place = by("asof-text"), when = by("asof-when");
  const read = () => {
    const chosen = texts[texts.length - 1 - Number(slider.value)];
    when.textContent = slider.ariaValueText = chosen.dataset.text;
    place.replaceChildren(...Array.from(chosen.cloneNode(true).childNodes));
  };
  slider.max = String(texts.length - 1);
  slider.value = slider.max;
  slider.addEventListener("input", read);
  read();
}
// The live view brings the rest of a long report when it is asked for.
document.addEventListener("brought", () => {
  gather();
  changes.forEach(linkable);
  if (side && side.checked) side.dispatchEvent(new Event("change"));
  if (search) find(plain(search.value.trim()));
});
addEventListener("hashchange", target);
addEventListener("beforeprint", () => all("details").forEach(details => { details.open = true; }));
target();
})();
