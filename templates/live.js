(() => {
"use strict";
/* What a page of the live view leaves out of a long comparison is opened in place; without scripts it is a page. */
const part = document.getElementById("part");
const whole = () => location.replace(location.pathname + "?whole=yes" + location.hash);
const missing = () => part && location.hash.length > 1 && !document.getElementById(decodeURIComponent(location.hash.slice(1)));
const bring = async (link, walk) => {
  const holder = link.closest(".more");
  if (holder.dataset.asked) return;
  holder.dataset.asked = "yes";
  let page;
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(String(answer.status));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch { location.assign(link.href); return; }
  const brought = Array.from(page.querySelectorAll("main article, main table, main details.g p[data-k], main .more"));
  const count = part.querySelector("b"), number = words => Number(words.textContent.replace(/,/g, ""));
  count.textContent = (number(count) + number(page.querySelector("#part b"))).toLocaleString("en");
  holder.replaceWith(...brought);
  document.dispatchEvent(new Event("brought"));
  const first = brought[0];
  if (!walk || !first) return;
  first.tabIndex = -1;
  first.focus({preventScroll: true});
};
document.addEventListener("click", event => {
  const link = event.target.closest(".more a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  bring(link, true);
});
document.addEventListener("toggle", event => {
  const link = event.target.open && event.target.matches("details.g") && event.target.querySelector(":scope > .more a");
  if (link && !event.target.querySelector("article, table, p[data-k]")) bring(link, false);
}, true);
addEventListener("hashchange", () => { if (missing()) whole(); });
if (missing()) whole();
})();
