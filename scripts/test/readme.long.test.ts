/**
 * Runs the blocks of all pages except README.md on the pinned Node. `readme.chaos.test.ts` runs pages on the oldest Node.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { BLOCKS, ROOT } from "./support/doc-blocks.ts";
import { hasOldest, OLDEST } from "./support/oldest-node.ts";
import { LEVELS, runPages } from "./support/run-pages.ts";

const TIMEOUT_MS = 300_000;

const readme = BLOCKS.filter(({ page, mark }) => page === "README.md" && mark === "run");

test.runIf(hasOldest)("the oldest Node has the version that the packages require", async () => {
  const { stdout } = await promisify(execFile)(OLDEST, ["--version"]);
  const { engines } = JSON.parse(readFileSync(join(ROOT, "packages/core/package.json"), "utf8"));
  expect(engines.node).toBe(`>=${stdout.trim().slice(1).replace(/\.0$/, "")}`);
});

describe("with the pinned Node:", () => runPages(process.execPath, LEVELS.long));

test("the packages that README.md packs and installs run the programs of README.md", {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-readme-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [tarballs, project] = [join(folder, "tarballs"), join(folder, "project")];
  const install = readme.find(({ code }) => code.includes("npm pack"))?.code ?? "";
  // CI has already installed and built everything.
  const commands = install
    .replace("npm ci && npm run build && ", "")
    .replaceAll("/tmp/quire", tarballs)
    .replaceAll("../your-project", project);
  expect(commands).toMatch(/^mkdir -p .*npm pack .*\n *npm install --prefix /);
  const { npm_config_local_prefix: _prefix, ...env } = process.env;
  await promisify(execFile)("bash", ["-euc", commands], { cwd: ROOT, env });
  for (const kind of ["templates", "data"]) {
    await cp(join(ROOT, "examples", kind), join(project, "examples", kind), { recursive: true });
  }
  const programs = readme.filter(({ language }) => language === "ts");
  expect(programs.length).toBe(2);
  for (const { code, line } of programs) {
    const file = join(project, `line-${line}.mts`);
    await writeFile(file, code);
    const node = hasOldest ? OLDEST : process.execPath;
    const flags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
    const { stderr } = await promisify(execFile)(node, [...flags, file], { cwd: project });
    expect(stderr).toBe("");
  }
});
