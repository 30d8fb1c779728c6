"use strict";
// Boards that can be stepped through: buttons, arrow keys, moves and the graph.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIDE = 45;
  let current = null;

  function element(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // A board in a game; the nodes are the positions it can show.
  function viewer(game) {
    const nodes = JSON.parse(game.querySelector(".nodes").textContent);
    const board = game.querySelector(".board");
    const bar = game.querySelector(".bar");
    const now = game.querySelector(".now");
    const then = game.querySelector(".then");
    const graph = game.querySelector(".graph");
    const cursor = game.querySelector(".cursor");
    const list = game.querySelector(".moves");
    const last = nodes.reduce((most, node) => Math.max(most, node.i), 0);
    let shown = 0;
    let turned = false;

    function corner(square) {
      const file = square.charCodeAt(0) - 97;
      const rank = Number(square[1]) - 1;
      return turned ? [SIDE * (7 - file), SIDE * rank] : [SIDE * file, SIDE * (7 - rank)];
    }

    function drawSquares(node) {
      for (let file = 0; file < 8; file++) {
        for (let rank = 0; rank < 8; rank++) {
          const square = String.fromCharCode(97 + file) + (rank + 1);
          const [x, y] = corner(square);
          const kinds = [(file + rank) % 2 ? "light" : "dark"];
          if (node.m && node.m.includes(square)) kinds.push("marked");
          if (node.k === square) kinds.push("check");
          board.append(element("rect", { x, y, width: SIDE, height: SIDE, class: kinds.join(" ") }));
          const isLeft = x === 0, isBelow = y === 7 * SIDE;
          if (isLeft) write(x + 2, y + 9, rank + 1);
          if (isBelow) write(x + SIDE - 7, y + SIDE - 3, square[0]);
        }
      }
    }

    function write(x, y, text) {
      const made = element("text", { x, y });
      made.textContent = text;
      board.append(made);
    }

    function drawMen(node) {
      node.f.split("/").forEach((row, index) => {
        let file = 0;
        for (const sign of row) {
          if (/\d/.test(sign)) { file += Number(sign); continue; }
          const [x, y] = corner(String.fromCharCode(97 + file) + (8 - index));
          const side = sign === sign.toUpperCase() ? "w" : "b";
          board.append(element("use", { href: "#" + side + sign.toUpperCase(), x, y, width: SIDE, height: SIDE }));
          file++;
        }
      });
    }

    function show(number) {
      if (!nodes[number]) return;
      shown = number;
      const node = nodes[number];
      board.replaceChildren();
      drawSquares(node);
      drawMen(node);
      now.textContent = node.t;
      then.textContent = node.l ? "Best play: " + node.l : "";
      bar.classList.toggle("turned", turned);
      bar.firstElementChild.style.height = node.c + "%";
      cursor.setAttribute("x1", node.i);
      cursor.setAttribute("x2", node.i);
      for (const old of list.querySelectorAll(".active")) old.classList.remove("active");
      const active = list.querySelector(`[data-n="${number}"]`);
      if (active) {
        active.classList.add("active");
        // The list scrolls, never the page.
        if (list.scrollHeight > list.clientHeight) {
          list.scrollTop = active.offsetTop - list.clientHeight / 2;
        }
      } else {
        list.scrollTop = 0;
      }
    }

    // The node after one: of the game, or of a better line.
    function after(number) {
      const isOfGame = number <= last;
      if (isOfGame) return number < last ? number + 1 : number;
      return nodes[number + 1] && nodes[number + 1].p === number ? number + 1 : number;
    }

    function nextBad() {
      const bad = [...list.querySelectorAll(".move.inaccuracy, .move.mistake, .move.blunder")];
      const numbers = bad.map((move) => Number(move.dataset.n));
      const here = nodes[shown].i;
      return numbers.find((number) => number > here) ?? numbers[0] ?? shown;
    }

    function go(where) {
      current = self;
      switch (where) {
        case "first": return show(0);
        case "back": return show(nodes[shown].p ?? 0);
        case "on": return show(after(shown));
        case "last": return show(last);
        case "bad": return show(nextBad());
        case "flip": turned = !turned; return show(shown);
      }
    }

    const self = { go };
    game.addEventListener("click", (event) => {
      current = self;
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.go) go(button.dataset.go);
      if (button.dataset.n) show(Number(button.dataset.n));
    });
    graph.addEventListener("click", (event) => {
      const box = graph.getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * last));
    });
    const asked = Number(new URLSearchParams(location.search).get("ply"));
    show(asked > 0 && asked <= last ? asked : 0);
    return self;
  }

  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", n: "bad", f: "flip" };
  document.addEventListener("keydown", (event) => {
    const where = keys[event.key];
    if (!where || !current || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    current.go(where);
  });

  for (const game of document.querySelectorAll(".game")) {
    if (game.tagName !== "DETAILS") { current = viewer(game); continue; }
    let made = null;
    game.addEventListener("toggle", () => {
      if (!game.open) return;
      made = made || viewer(game);
      current = made;
    });
  }
  function openAsked() {
    const game = document.getElementById(location.hash.slice(1));
    if (game && game.tagName === "DETAILS") { game.open = true; game.scrollIntoView(); }
  }
  addEventListener("hashchange", openAsked);
  openAsked();
})();
