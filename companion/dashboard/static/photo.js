// The photo page: tapping corners, choosing from the album, saying that reading takes a moment.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const taps = document.querySelector("[data-taps]");
const form = document.querySelector("[data-corners]");

if (taps && form) {
  const field = form.querySelector("input[name=corners]");
  const count = form.querySelector("[data-count]");
  const tapped = taps.querySelector("[data-tapped]");
  const read = () => field.value.trim().split(/\s+/).filter(Boolean);
  const show = () => {
    tapped.replaceChildren(...read().map((pair) => {
      const [x, y] = pair.split(",");
      const dot = document.createElementNS(SVG, "circle");
      dot.setAttribute("class", "tap");
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", y);
      dot.setAttribute("r", String(taps.dataset.width / 60));
      return dot;
    }));
    count.textContent = read().length ? `${count.dataset.some} ${read().length}` : count.dataset.none;
  };
  taps.addEventListener("click", (event) => {
    const box = taps.getBoundingClientRect();
    const x = Math.round((event.clientX - box.left) / box.width * taps.dataset.width);
    const y = Math.round((event.clientY - box.top) / box.height * taps.dataset.height);
    field.value = [...read(), `${x},${y}`].join(" ");
    show();
  });
  field.addEventListener("input", show);
  form.querySelector("[data-clear]").addEventListener("click", () => {
    field.value = "";
    show();
  });
}

for (const each of document.querySelectorAll("form[data-busy]")) {
  each.addEventListener("submit", () => {
    const button = each.querySelector("[data-busy-text]");
    button.textContent = button.dataset.busyText;
    button.disabled = true;
  });
}

document.querySelector("[data-no-camera]")?.addEventListener("change", (event) => {
  const input = document.getElementById("take");
  if (event.target.checked) input.removeAttribute("capture");
  else input.setAttribute("capture", "environment");
});
