// The review: a slider through the frames, by hand or by keyboard, and the plot of the scores.
"use strict";

const slider = document.getElementById("slider");
const holder = document.querySelector("[data-plot]");
const COLOURS = ["#2f6fd0", "#d2691e", "#2e8b57", "#9b59b6"];
let plot = null;

const PACE_MS = 1500;
const play = document.getElementById("play");
const moves = document.querySelectorAll("[data-at]");

// The address follows, so that it is a link to the moment that is shown.
function show() {
  clearTimeout(show.timer);
  show.timer = setTimeout(() => htmx.ajax("GET", slider.dataset.frames + slider.value, { target: "#frame", swap: "innerHTML" }), 80);
  for (const each of moves) {
    const here = each.dataset.at === slider.value;
    each.toggleAttribute("aria-current", here);
    if (!here) continue;
    each.setAttribute("aria-current", "true");
    history.replaceState(null, "", each.getAttribute("href"));
    const list = each.closest(".moves");
    list.scrollTop = each.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  if (plot) plot.redraw();
}
function go(to) {
  const before = slider.value;
  slider.value = to;
  if (slider.value !== before) show();
  return slider.value !== before;
}
function playing(on) {
  clearInterval(playing.timer);
  play.setAttribute("aria-pressed", String(on));
  play.textContent = on ? play.dataset.pause : play.dataset.play;
  if (on) playing.timer = setInterval(() => { if (!go(Number(slider.value) + 1)) playing(false); }, PACE_MS);
}
if (slider) {
  slider.addEventListener("input", show);
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => go(Number(slider.value) + Number(button.dataset.step)));
  }
  play.addEventListener("click", () => {
    const on = play.getAttribute("aria-pressed") !== "true";
    if (on && slider.value === slider.max) go(1);
    playing(on);
  });
  for (const each of moves) {
    each.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(each.dataset.at);
    });
  }
  document.getElementById("copy").addEventListener("click", async (event) => {
    await navigator.clipboard?.writeText(location.href);
    say(event.target.dataset.copied);
  });
  document.addEventListener("keydown", (event) => {
    const typed = event.target.closest?.("input, select, textarea, dialog, [data-photo]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (typed || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(Number(slider.value) + step);
  });
}

// Broken rules and corrections are marked by shapes, so that colour alone tells nothing.
function marks(data) {
  return (u) => {
    const { ctx } = u;
    const draw = (at, shape, colour) => {
      const x = u.valToPos(at, "x", true);
      const y = u.bbox.top + 10 * devicePixelRatio;
      const r = 5 * devicePixelRatio;
      ctx.fillStyle = colour;
      ctx.beginPath();
      if (shape === "triangle") {
        ctx.moveTo(x, y - r);
        ctx.lineTo(x + r, y + r);
        ctx.lineTo(x - r, y + r);
      } else ctx.rect(x - r, y - r, 2 * r, 2 * r);
      ctx.fill();
    };
    gaps(u, data);
    spans(u, data);
    for (const at of data.violations) draw(at, "triangle", "#c0392b");
    for (const at of data.corrections) draw(at, "square", "#b7791f");
    const x = u.valToPos(Number(slider.value), "x", true);
    ctx.strokeStyle = ink();
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
  };
}

// A stretch in which moves were missed: grey, with dashed edges.
function gaps(u, data) {
  const { ctx } = u;
  ctx.save();
  ctx.fillStyle = "rgb(128 128 128 / 0.200)";
  ctx.strokeStyle = ink();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const at of data.bridges) {
    const [from, to] = [Math.max(at - 1, data.frames[0]), at].map((each) => u.valToPos(each, "x", true));
    ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
    ctx.beginPath();
    for (const x of [from, to]) {
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
    }
    ctx.stroke();
  }
  ctx.restore();
}

// A score that is open at a moment: from the least to the most that it can be, with a bar at both ends.
function spans(u, data) {
  const { ctx } = u;
  const half = 4 * devicePixelRatio;
  ctx.lineWidth = 2 * devicePixelRatio;
  data.low.forEach((low, i) => {
    ctx.strokeStyle = COLOURS[i];
    ctx.beginPath();
    data.frames.forEach((at, k) => {
      if (low[k] === data.high[i][k]) return;
      const x = u.valToPos(at, "x", true);
      const ends = [low[k], data.high[i][k]].map((score) => u.valToPos(score, "y", true));
      ctx.moveTo(x, ends[0]);
      ctx.lineTo(x, ends[1]);
      for (const y of ends) {
        ctx.moveTo(x - half, y);
        ctx.lineTo(x + half, y);
      }
    });
    ctx.stroke();
  });
}

// A band for each player whose score is open somewhere: its two edges are lines of their own, which the legend leaves out.
function bands(data, first) {
  const open = data.players.map((_, i) => i).filter((i) => data.low[i].some((low, k) => low !== data.high[i][k]));
  const edge = (i) => ({ label: data.players[i], class: "edge", stroke: COLOURS[i], width: 1, points: { show: false } });
  return {
    series: open.flatMap((i) => [edge(i), edge(i)]),
    values: open.flatMap((i) => [data.high[i], data.low[i]]),
    bands: open.map((i, k) => ({ series: [first + 2 * k, first + 2 * k + 1], fill: COLOURS[i] + "40" })),
  };
}

function ink() {
  return getComputedStyle(document.body).color;
}

if (holder) {
  fetch(holder.dataset.plot).then((answer) => answer.json()).then((data) => {
    const grid = { stroke: "rgb(128 128 128 / 0.250)", width: 1 };
    const axis = { stroke: ink, grid, ticks: grid };
    const series = data.players.map((label, i) => ({ label, stroke: COLOURS[i], width: 2, dash: [[], [8, 4], [2, 3], [10, 3, 2, 3]][i] }));
    const open = bands(data, 1 + series.length);
    const options = {
      width: holder.clientWidth,
      height: 220,
      scales: { x: { time: false }, y: { range: (u, low, high) => [Math.min(0, low ?? 0), Math.max(10, (high ?? 0) * 1.2)] } },
      legend: { live: false },
      axes: [axis, axis],
      series: [{ label: holder.dataset.moment }, ...series, ...open.series],
      bands: open.bands,
      hooks: { draw: [marks(data)] },
      cursor: { drag: { x: false, y: false } },
    };
    plot = new uPlot(options, [data.frames, ...data.scores, ...open.values], holder);
    addEventListener("resize", () => plot.setSize({ width: holder.clientWidth, height: 220 }));
    holder.addEventListener("click", () => {
      if (plot.cursor.idx == null) return;
      slider.value = data.frames[plot.cursor.idx];
      show();
    });
  });
}
