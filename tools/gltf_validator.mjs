// node gltf_validator.mjs NODE_MODULES FILE... : print the validator's issues for every file as one JSON array.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const { validateBytes } = createRequire(join(modules, "_"))("gltf-validator");

const issues = [];
for (const file of files) {
  const report = await validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 100 });
  issues.push(report.issues);
}
process.stdout.write(JSON.stringify(issues));
