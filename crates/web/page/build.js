// Builds the page into dist: one script, one style, each also packed.
import { context, build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const options = {
  entryPoints: { app: "src/main.tsx" },
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "linked",
  logLevel: "info",
};

/** Bytes of script and style, packed, that the page may have. */
const LARGEST = 150_000;

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
copyFileSync("src/index.html", "dist/index.html");
copyFileSync("src/icon.svg", "dist/icon.svg");

if (process.argv.includes("--watch")) {
  const watched = await context({ ...options, minify: false, sourcemap: "inline" });
  await watched.watch();
} else {
  await build(options);
  let total = 0;
  for (const name of ["app.js", "app.css"]) {
    const packed = gzipSync(readFileSync(`dist/${name}`), { level: 9 });
    writeFileSync(`dist/${name}.gz`, packed);
    total += packed.length;
  }
  console.log(`script and style: ${total} bytes packed`);
  if (total > LARGEST) {
    console.error(`that is more than ${LARGEST}: the page would load too slowly`);
    process.exit(1);
  }
}
