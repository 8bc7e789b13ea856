import { execFile, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ENTRIES = [
  ...readdirSync(new URL("../../packages", import.meta.url)).map(
    (name) => `packages/${name}/dist/index.js`,
  ),
  "packages/core/dist/host.js",
];

/**
 * Returns, for each entry point, the error message when a Node imports it, or "fine". The Node can pretend to be
 * another version.
 */
async function told(node: string, version: string | null): Promise<string[]> {
  const program = `
    if (${JSON.stringify(version)} !== null) {
      const versions = { ...process.versions, node: ${JSON.stringify(version)} };
      Object.defineProperty(process, "versions", { value: versions });
    }
    const all = [];
    for (const url of JSON.parse(process.argv[1])) {
      all.push(await import(url).then(() => "fine", (error) => error.message));
    }
    console.log(JSON.stringify(all));`;
  const urls = ENTRIES.map((entry) => new URL(`../../${entry}`, import.meta.url).href);
  const args = ["--input-type=module", "--eval", program, JSON.stringify(urls)];
  const { stdout } = await promisify(execFile)(node, args, { env: { PATH: process.env.PATH } });
  return JSON.parse(stdout) as string[];
}

function tells(version: string): string[] {
  return ENTRIES.map(() => `Quire needs Node 22.13 or newer, but this is Node ${version}.`);
}

test("each package reports in one sentence which Node it needs", async () => {
  for (const version of ["20.20.2", "22.12.0"]) {
    expect(await told(process.execPath, version)).toEqual(tells(version));
  }
  for (const version of ["22.13.0", "23.0.0"]) {
    expect(await told(process.execPath, version)).toEqual(ENTRIES.map(() => "fine"));
  }
});

/**
 * Returns the Node of the system, ignoring the folders of this project; null if it is not older than the supported
 * versions.
 */
function olderNode(): { readonly path: string; readonly version: string } | null {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const folders = (process.env.PATH ?? "").split(":").filter((each) => !each.startsWith(root));
  try {
    const env = { PATH: folders.join(":") };
    const program = "console.log(JSON.stringify([process.execPath, process.versions.node]))";
    const [path = "", version = ""] = JSON.parse(
      execFileSync("/usr/bin/env", ["node", "--eval", program], { env, encoding: "utf8" }),
    ) as string[];
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return major < 22 || (major === 22 && minor < 13) ? { path, version } : null;
  } catch {
    return null;
  }
}

const older = olderNode();

test.skipIf(older === null)(
  "each package reports that on the older Node of this machine as well",
  async () => {
    const { path, version } = older as NonNullable<typeof older>;
    expect(await told(path, null)).toEqual(tells(version));
  },
);
