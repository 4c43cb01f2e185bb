// Bundle the studio's page with esbuild: node bundle_studio.mjs MODULES ENTRY OUTFILE
// Called by build_studio.py, which says where the npm packages were installed.
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, entry, outfile] = process.argv.slice(2);
const { buildSync } = createRequire(join(modules, "anchor.js"))("esbuild");

buildSync({
  entryPoints: [entry],
  outfile,
  nodePaths: [modules],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof", // three.js asks that its notice travels with it
  logLevel: "warning",
});
