// Builds the two bundles that softdock puts into its pages. The output is committed: pip install needs no Node.
import { build } from "esbuild";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

const out = new URL("../softdock/replay/bundle/", import.meta.url).pathname;
await build({
  entryPoints: { replay: "src/main.ts", gallery: "src/gallery.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "inline",
  charset: "ascii",
  outdir: out,
});
copyFileSync(new URL("src/theme.css", import.meta.url), out + "theme.css"); // every page has it, also those that are not built here
for (const name of ["replay.js", "gallery.js"]) {
  const text = readFileSync(out + name, "utf8");
  // Inside a <script> element, these would end it or open a comment.
  const safe = text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  writeFileSync(out + name, safe);
  console.log(`${name}: ${(safe.length / 1024).toFixed(0)} KiB`);
}
