/**
 * Runs scripts/setup.mjs as on a machine without any packages. Programs that only record their calls replace the real
 * ones.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const SETUP = join(import.meta.dirname, "..", "setup.mjs");
/** A preloaded module. It makes the user appear not to be root, and hides files outside of the folder. */
const HOOK = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { existsSync } = fs;
  fs.existsSync = (path) => path.startsWith(import.meta.dirname) && existsSync(path);
  process.getuid = () => 1000;
  syncBuiltinESMExports();`;

test("without CI setup installs nothing with sudo, and says in one line what to install", async () => {
  const { status, stderr, notes } = await setUp("--office", {});
  expect(notes).not.toContain("sudo");
  expect(notes).not.toContain("apt-get install");
  expect(stderr).toMatch(/^setup: PDF output needs LibreOffice Writer, .+ apt-get install .+\n$/);
  expect(status).toBe(1);
});

test("in CI setup installs with sudo without a password", async () => {
  const { notes } = await setUp("--office", { CI: "true" });
  expect(notes).toMatch(/^sudo -n env .*apt-get .+ install -y .*libreoffice-writer-nogui/m);
});

test("with --tests setup says how to install the programs for tests, or installs them in CI", async () => {
  const { status, stderr, notes } = await setUp("--tests", {});
  expect(notes).not.toContain("apt-get install");
  expect(stderr).toMatch(
    /^setup: The test suite needs ceph, .+ apt-get install .+ strace postgresql\.\n$/,
  );
  expect(status).toBe(1);
  const inCi = await setUp("--tests", { CI: "true" });
  expect(inCi.notes).toMatch(
    /^sudo -n env .*apt-get .+ install -y .*ceph-mon ceph-osd radosgw strace postgresql$/m,
  );
  expect(inCi.notes).not.toContain("libreoffice");
});

test("with --chaos setup says how to install the programs for networks, or installs them in CI", async () => {
  const { status, stderr, notes } = await setUp("--chaos", {});
  expect(notes).not.toContain("apt-get install");
  expect(stderr).toMatch(/^setup: The fault suite needs ip, nft, .+ iproute2 nftables\.\n$/);
  expect(status).toBe(1);
  const inCi = await setUp("--chaos", { CI: "true" });
  expect(inCi.notes).toMatch(/^sudo -n env .*apt-get .+ install -y .*iproute2 nftables$/m);
});

test("setup installs PostgreSQL without creating a server", async () => {
  const { notes } = await setUp("--tests", { CI: "true" });
  const file = "/etc/postgresql-common/createcluster.d/quire.conf";
  const steps = notes.split("\n").filter((line) => /^sudo .*(?:postgresql|quire\.conf)/.test(line));
  expect(steps).toEqual([
    expect.stringMatching(
      `^sudo -n sh -c mkdir -p .* && echo create_main_cluster = false >${file}$`,
    ),
    expect.stringMatching(/ install .* postgresql$/),
    `sudo -n sh -c rm -f ${file}`,
  ]);
});

test("with --demo setup installs a Japanese font in CI, and only says so elsewhere", async () => {
  const { status, stdout, notes } = await setUp("--demo", {});
  expect(notes).not.toContain("apt-get install");
  expect(stdout).toMatch(/^setup: the font IPAexGothic is missing, .+ fonts-ipaexfont-gothic\.$/m);
  expect(status).toBe(0);
  const inCi = await setUp("--demo", { CI: "true" });
  expect(inCi.notes).toMatch(/^sudo -n env .*apt-get .+ install -y .*fonts-ipaexfont-gothic$/m);
});

describe("the npm dependencies", () => {
  const core = { resolved: "packages/core", link: true };
  const zod = { version: "4.0.0", integrity: "sha512-a", license: "MIT" };
  const locked = { "": { name: "quire" }, "node_modules/zod": zod, "node_modules/core": core };
  const other = { version: "1.0.0", optional: true, os: ["aix"], cpu: ["ppc64"] };
  const own = { ...other, os: [process.platform], cpu: [process.arch] };
  const { "": root, ...complete } = locked;

  test.each([
    ["everything in the lock file", locked, complete],
    ["all but a package for another platform", { ...locked, "node_modules/x": other }, complete],
  ])("are not installed again if npm has installed %s", async (_, lock, installed) => {
    expect((await setUp("--none", {}, { lock, installed })).notes).not.toMatch(/^npm /m);
  });

  test.each([
    ["npm has not finished", locked, undefined],
    ["a package is missing", locked, { "node_modules/core": core }],
    ["a package for this platform is missing", { ...locked, "node_modules/x": own }, complete],
    ["the lock file has another version", locked, { ...complete, "node_modules/zod": other }],
    ["there is an extra package", { "node_modules/zod": zod }, complete],
  ])("are installed if %s", async (_, lock, installed) => {
    expect((await setUp("--none", {}, { lock, installed })).notes).toMatch(/^npm ci /m);
  });

  test("are installed again if the lock file has changed since the last setup", async () => {
    const state = { lock: locked, installed: complete, stamp: "of another lock file" };
    expect((await setUp("--none", {}, state)).notes).toMatch(/^npm ci /m);
  });
});

/** The packages in the lock file and in npm's list of installed packages, and the stamp of the set-up. */
interface Modules {
  readonly lock?: object;
  readonly installed?: object | undefined;
  readonly stamp?: string;
}

/** Runs a copy of the script in a separate folder, so that the script finds only the files in that folder. */
async function setUp(
  flag: string,
  env: Readonly<Record<string, string>>,
  { lock, installed, stamp }: Modules = {},
): Promise<{ status: number | null; stdout: string; stderr: string; notes: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "quire-setup-test-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const folder of ["bin", "scripts", "node_modules/.bin"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await cp(SETUP, join(root, "scripts", "setup.mjs"));
  const write = (name: string, text: string) => writeFile(join(root, name), text);
  await write("package.json", '{"workspaces":[]}');
  if (lock) await write("package-lock.json", JSON.stringify({ packages: lock }));
  if (installed) {
    await write("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
  }
  if (stamp) await write("node_modules/.quire-setup", stamp);
  const notes = join(root, "notes");
  for (const program of ["npm", "apt-get", "apt-cache", "sudo", "../node_modules/.bin/node"]) {
    const script = `#!/bin/sh\necho "${basename(program)} $*" >>'${notes}'\n`;
    await writeFile(join(root, "bin", program), script, { mode: 0o755 });
  }
  await writeFile(join(root, "hook.mjs"), HOOK);
  const script = join(root, "scripts", "setup.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", join(root, "hook.mjs"), script, flag],
    { cwd: root, encoding: "utf8", env: { PATH: join(root, "bin"), ...env } },
  );
  return { status, stdout, stderr, notes: await readFile(notes, "utf8") };
}
