/** Runs scripts/setup.mjs as on a machine without any packages, with programs that only record their calls. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const SETUP = join(import.meta.dirname, "..", "setup.mjs");
/** A preloaded module: it makes the user appear not to be root, and hides files outside of the folder. */
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
  expect(stderr).toMatch(/^setup: The test suite needs ceph, .+ apt-get install .+ strace\.\n$/);
  expect(status).toBe(1);
  const inCi = await setUp("--tests", { CI: "true" });
  expect(inCi.notes).toMatch(
    /^sudo -n env .*apt-get .+ install -y .*ceph-mon ceph-osd radosgw strace$/m,
  );
  expect(inCi.notes).not.toContain("libreoffice");
});

/** Runs a copy of the script in a separate folder, so that it finds only the files there. */
async function setUp(
  flag: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; stderr: string; notes: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "quire-setup-test-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const folder of ["bin", "scripts", "node_modules/.bin"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await cp(SETUP, join(root, "scripts", "setup.mjs"));
  await writeFile(join(root, "package.json"), '{"workspaces":[]}');
  const notes = join(root, "notes");
  for (const program of ["npm", "apt-get", "apt-cache", "sudo", "../node_modules/.bin/node"]) {
    const script = `#!/bin/sh\necho "${basename(program)} $*" >>'${notes}'\n`;
    await writeFile(join(root, "bin", program), script, { mode: 0o755 });
  }
  await writeFile(join(root, "hook.mjs"), HOOK);
  const script = join(root, "scripts", "setup.mjs");
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", join(root, "hook.mjs"), script, flag],
    { cwd: root, encoding: "utf8", env: { PATH: join(root, "bin"), ...env } },
  );
  return { status, stderr, notes: await readFile(notes, "utf8") };
}
