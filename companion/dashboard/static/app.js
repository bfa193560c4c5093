// What pages need of scripts beyond htmx: sheets, lit cells, the voice, the switch of the overlay. All works without too.
"use strict";

const sheet = document.getElementById("sheet");
const content = document.getElementById("sheet-content");
const toast = document.getElementById("toast");
const pulse = document.getElementById("pulse");

function say(text) {
  if (!text) return;
  // A dialog covers everything else, so what is said while one is open is said in it.
  (sheet.open ? sheet : document.body).append(toast);
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => toast.classList.remove("shown"), 4000);
}

function open(url) {
  htmx.ajax("GET", url, { target: content, swap: "innerHTML" }).then(() => {
    const title = content.querySelector("h1, h2");
    if (title) sheet.setAttribute("aria-label", title.textContent.trim());
    if (!sheet.open) sheet.showModal();
    sheet.scrollTop = 0;
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-sheet]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open(link.getAttribute("href"));
    return;
  }
  // A link inside a drawing is asked for by htmx, which does not keep the browser from following it.
  if (event.target.closest("svg a[hx-get]") && !event.ctrlKey && !event.metaKey) event.preventDefault();
  const spot = event.target.closest("[data-correct] .spot");
  if (spot) {
    const board = spot.closest("[data-correct]");
    open(board.dataset.correct.replace("CELL", encodeURIComponent(spot.dataset.cell)));
  }
  if (event.target === sheet) sheet.close();
});

// What a line of points counts lights up on the board beside it.
document.addEventListener("toggle", (event) => {
  const details = event.target;
  if (!(details instanceof HTMLElement) || !details.matches("details[data-lights]")) return;
  const scope = details.closest("[data-lit-scope]");
  const board = scope && scope.querySelector(".board");
  if (!board) return;
  const lit = new Set();
  for (const each of scope.querySelectorAll("details[data-lights][open]")) {
    for (const cell of each.dataset.lights.split(" ")) lit.add(cell);
  }
  board.classList.toggle("dim", lit.size > 0);
  for (const spot of board.querySelectorAll(".spot")) spot.classList.toggle("lit", lit.has(spot.dataset.cell));
}, true);

document.body.addEventListener("done", (event) => {
  if (event.detail.sheet) open(event.detail.sheet);
  else if (sheet.open) sheet.close();
  say(event.detail.said);
});
document.body.addEventListener("htmx:responseError", (event) => say(event.detail.xhr.responseText));
document.body.addEventListener("htmx:sendError", () => say(document.body.dataset.off));

// A form that cannot be taken stays as it was typed, with the reason in it.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-stay]")) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const isFile = form.enctype === "multipart/form-data";
  const answer = await fetch(form.action, { method: "POST", body: isFile ? data : new URLSearchParams(data), headers: { "HX-Request": "true" } })
    .catch(() => null);
  if (answer?.ok) {
    const told = JSON.parse(answer.headers.get("HX-Trigger") ?? "{}").done;
    location.assign(answer.headers.get("HX-Redirect") ?? told?.then ?? location.href);
    return;
  }
  form.dispatchEvent(new Event("refused"));
  let reason = form.querySelector(".form-error");
  if (!reason) {
    reason = document.createElement("p");
    reason.className = "loss form-error";
    reason.setAttribute("role", "alert");
    (form.querySelector(".acts") ?? form.querySelector("button")).before(reason);
  }
  reason.textContent = answer ? await answer.text() : document.body.dataset.off;
});

// Whether the page hears of what happens; what a camera does meanwhile is told by the server.
function connected(is) {
  pulse?.classList.toggle("lost", !is);
}
document.body.addEventListener("htmx:sseOpen", () => connected(true));
document.body.addEventListener("htmx:sseError", () => connected(false));

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-overlay-switch]")) overlay(event.target.checked);
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});
function overlay(shown) {
  sessionStorage.setItem("overlay", shown ? "yes" : "no");
  document.documentElement.classList.toggle("no-overlay", !shown);
}
function keepOverlay() {
  const shown = sessionStorage.getItem("overlay") !== "no";
  document.documentElement.classList.toggle("no-overlay", !shown);
  for (const each of document.querySelectorAll("[data-overlay-switch]")) each.checked = shown;
}
keepOverlay();
document.body.addEventListener("htmx:sseMessage", keepOverlay);

// A screen on the wall has nobody to tap it: it goes on to the next game by itself.
document.body.addEventListener("htmx:sseMessage", () => {
  const next = document.querySelector("[data-follow]");
  if (next) location.assign(next.dataset.follow);
});

// The announcer: off until somebody asks for it, on this device alone.
const voice = document.getElementById("voice");
function speak(text) {
  if (!text || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
if (voice) {
  const show = () => voice.setAttribute("aria-pressed", String(localStorage.getItem("voice") === "on"));
  show();
  voice.addEventListener("click", () => {
    const on = localStorage.getItem("voice") !== "on";
    localStorage.setItem("voice", on ? "on" : "off");
    show();
    if (on) speak(voice.dataset.test);
  });
  document.body.addEventListener("htmx:sseMessage", (event) => {
    if (event.detail.type === "said" && localStorage.getItem("voice") === "on") speak(document.getElementById("said").textContent);
  });
}

// Cells of a board that are links: arrows go from one to the next.
document.addEventListener("keydown", (event) => {
  const link = event.target.closest?.("a.pick");
  const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  if (!link || !step) return;
  const here = link.getBoundingClientRect();
  let best = null;
  let least = Infinity;
  for (const other of link.closest("svg").querySelectorAll("a.pick")) {
    const there = other.getBoundingClientRect();
    const across = there.x - here.x, down = there.y - here.y;
    const ahead = across * step[0] + down * step[1];
    const aside = Math.abs(across * step[1]) + Math.abs(down * step[0]);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [other, ahead + 3 * aside];
  }
  if (best) {
    best.focus();
    event.preventDefault();
  }
});

// A picture that is asked for again and again: the camera's, while it is being set up.
for (const image of document.querySelectorAll("img[data-again]")) {
  const source = image.src;
  setInterval(() => { image.src = `${source}?${Date.now()}`; }, Number(image.dataset.again));
}
