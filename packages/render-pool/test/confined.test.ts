/**
 * Tests the permissions of a renderer process, which limit any code in it. Only Linux reports how a process was
 * started.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { pool } from "./support/pool.ts";

const isLinux = process.platform === "linux";

let how: Awaited<ReturnType<typeof started>>;
beforeAll(async () => {
  if (isLinux) how = await started();
});

/** A script that makes each attempt and prints the outcomes as JSON. */
const ATTEMPTS = `
const fs = require("node:fs");
const attempts = {
  "reads a file": () => fs.readFileSync("/etc/passwd"),
  "reads a file of another package": () => fs.readFileSync(process.argv[1]),
  "lists a folder": () => fs.readdirSync("/"),
  "writes a file": () => fs.writeFileSync(process.argv[2], ""),
  "starts a process": () => require("node:child_process").spawnSync("true"),
  "compiles code from a text": () => new Function("return 1")(),
  "reads its own program": () => fs.readFileSync(process.argv[3]),
};
const outcome = ([what, attempt]) => {
  try { attempt(); return [what, "done"]; } catch (error) { return [what, error.code ?? error.name]; }
};
console.log(JSON.stringify(Object.fromEntries(Object.entries(attempts).map(outcome))));
`;

test.runIf(isLinux)(
  "a renderer process may read its own package, and has no other access to files or processes",
  async () => {
    const { args, program } = how;
    const other = join(import.meta.dirname, "..", "..", "cli", "package.json");
    const written = join(process.env.TMPDIR ?? "/tmp", `quire-confined-${process.pid}`);
    const tried = [...args, "-e", ATTEMPTS, other, written, program];
    const { stdout } = await promisify(execFile)(process.execPath, tried, { env: {}, cwd: "/" });
    expect(JSON.parse(stdout)).toEqual({
      "reads a file": "ERR_ACCESS_DENIED",
      "reads a file of another package": "ERR_ACCESS_DENIED",
      "lists a folder": "ERR_ACCESS_DENIED",
      "writes a file": "ERR_ACCESS_DENIED",
      "starts a process": "ERR_ACCESS_DENIED",
      "compiles code from a text": "EvalError",
      "reads its own program": "done",
    });
  },
);

test.runIf(isLinux)("a renderer process gets no variables from its host's environment", () => {
  const { environment } = how;
  expect(
    environment.filter((variable) => !/^(?:NODE_ICU_DATA|SystemRoot)=/.test(variable)),
  ).toEqual([]);
});

test.runIf(isLinux)("a renderer process yields the processor to its host", () => {
  expect(how.priority).toBe(Math.max(10, getPriority()));
  // Kernels without autogroup do not report this.
  if (how.session !== "") expect(how.session).toMatch(/^\/autogroup-\d+ nice 10$/m);
});

/** Returns how the pool starts a process: the arguments for Node, the program, the environment and the priority. */
async function started() {
  await using renderer = pool({ processes: 1 });
  await renderer.open(docx({ body: p("Hello {{name}}") })).render({ name: "Ann" });
  const [pid] = renderer.processes();
  const listed = (name: string): string[] =>
    readFileSync(`/proc/${pid}/${name}`, "utf8")
      .split("\0")
      .filter((text) => text !== "");
  const [, ...args] = listed("cmdline");
  const at = args.findIndex((argument) => !argument.startsWith("--"));
  return {
    args: args.slice(0, at),
    program: args[at] ?? "",
    environment: listed("environ"),
    priority: getPriority(pid),
    session: existsSync(`/proc/${pid}/autogroup`) ? listed("autogroup").join("") : "",
  };
}
