// The photo page: tapping corners, choosing from the album, saying that reading takes a moment.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const ZOOMS = [1, 1.25, 1.5, 2, 3, 4, 6];
const photo = document.querySelector("[data-photo]");

if (photo) {
  zoomable(photo, photo.querySelector(".zoom"), photo.querySelector(".shot"));
  corners(photo, photo.querySelector("[data-corners]"), photo.querySelector("[data-handles]"));
}

// The picture begins as large as the game fits in; what is in the middle stays in the middle.
function zoomable(figure, frame, shot) {
  let at = 0;
  const zoom = (to, middle) => {
    at = Math.min(Math.max(to, 0), ZOOMS.length - 1);
    shot.style.width = `${100 * ZOOMS[at]}%`;
    frame.scrollTo(middle[0] * shot.offsetWidth - frame.clientWidth / 2, middle[1] * shot.offsetHeight - frame.clientHeight / 2);
  };
  for (const button of figure.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom(at + Number(button.dataset.zoom), [
      (frame.scrollLeft + frame.clientWidth / 2) / shot.offsetWidth,
      (frame.scrollTop + frame.clientHeight / 2) / shot.offsetHeight,
    ]));
  }
  if (!figure.dataset.part) return;
  const [width, height] = [Number(figure.dataset.width), Number(figure.dataset.height)];
  const [left, top, across, down] = figure.dataset.part.split(" ").map(Number);
  const most = Math.min(width / across, innerHeight * 0.8 / (frame.clientWidth * down / width));
  zoom(ZOOMS.findLastIndex((each) => each <= most), [(left + across / 2) / width, (top + down / 2) / height]);
}

// Corners as handles on the picture: each board is four points, moved by pointer or arrows.
function corners(figure, form, layer) {
  const [width, height] = [Number(figure.dataset.width), Number(figure.dataset.height)];
  const boards = JSON.parse(form.dataset.boards);
  const toggle = figure.querySelector("[data-move]");
  const within = (value, most) => Math.min(Math.max(value, 0), most);
  const element = (name, values) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };
  const place = (handle, point, outline, board) => {
    handle.setAttribute("cx", point[0]);
    handle.setAttribute("cy", point[1]);
    outline.setAttribute("points", board.map((each) => each.join(",")).join(" "));
  };
  const movable = (handle, point, outline, board) => {
    const move = (x, y) => {
      [point[0], point[1]] = [within(x, width), within(y, height)];
      place(handle, point, outline, board);
    };
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = layer.ownerSVGElement.getBoundingClientRect();
      move((event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height);
    });
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const size = width / (event.shiftKey ? 50 : 500);
      move(point[0] + step[0] * size, point[1] + step[1] * size);
    });
  };
  const show = () => {
    layer.replaceChildren(...boards.flatMap((board, i) => {
      const outline = element("polygon", { class: "frame quad", "aria-hidden": "true" });
      const handles = board.map((point, k) => {
        const label = layer.dataset.corner.replace("NN", i + 1).replace("CC", k + 1);
        const handle = element("circle", { class: "handle", r: width / 60, tabindex: 0, role: "button", "aria-label": label });
        place(handle, point, outline, board);
        movable(handle, point, outline, board);
        return handle;
      });
      return [outline, ...handles];
    }));
  };
  const add = () => {
    const [x, y, half] = [width / 2, height / 2, Math.min(width, height) / 4];
    boards.push([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]);
    show();
  };
  toggle.addEventListener("click", () => {
    const on = figure.classList.toggle("moving");
    toggle.setAttribute("aria-pressed", String(on));
  });
  form.querySelector("[data-add]").addEventListener("click", add);
  form.querySelector("[data-remove]").addEventListener("click", () => {
    boards.pop();
    show();
  });
  form.addEventListener("submit", () => {
    form.elements.corners.value = boards.flat().map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  });
  if (boards.length) show();
  else add();
}

// A picture goes to the apps of the device where they take one, else it is downloaded.
document.querySelector("[data-share]")?.addEventListener("click", async (event) => {
  if (!navigator.canShare) return;
  event.preventDefault();
  const link = event.currentTarget;
  const data = await (await fetch(link.href)).blob();
  const files = [new File([data], link.download, { type: data.type })];
  if (navigator.canShare({ files })) await navigator.share({ files }).catch(() => {});
  else location.assign(link.href);
});

for (const each of document.querySelectorAll("form[data-busy]")) {
  const button = each.querySelector("[data-busy-text]");
  const text = button.textContent;
  each.addEventListener("submit", () => {
    button.textContent = button.dataset.busyText;
    button.disabled = true;
  });
  each.addEventListener("refused", () => {
    button.textContent = text;
    button.disabled = false;
  });
}

document.querySelector("[data-no-camera]")?.addEventListener("change", (event) => {
  const input = document.getElementById("take");
  if (event.target.checked) input.removeAttribute("capture");
  else input.setAttribute("capture", "environment");
});
