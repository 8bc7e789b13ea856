/**
 * `npm run newer-office [-- COMMAND ...]` runs a command, such as the tests of the seal, in this clone with LibreOffice
 * 25.2 from Debian 13. It needs root and debootstrap. The first run creates /var/tmp/quire-trixie, which takes some
 * minutes. Without a command, it tests every link vector.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLONE = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const SUITE = "trixie";
const ROOT = `/var/tmp/quire-${SUITE}`;
const READY = join(ROOT, ".quire-ready");
const PACKAGES = [
  ...["libreoffice-writer-nogui", "libreoffice-math-nogui", "fontconfig", "strace"],
  // These packages read the workbooks and presentations in documents. Most tests use a LibreOffice that lacks them.
  ...["libreoffice-calc-nogui", "libreoffice-impress-nogui", "libreoffice-draw-nogui"],
  ...["fonts-liberation", "fonts-crosextra-carlito", "fonts-crosextra-caladea"],
];
const TESTS = [
  ...["node", "node_modules/vitest/vitest.mjs", "run", "--project", "long"],
  "packages/pdf-libreoffice/test/links.long.test.ts",
  "packages/cli/test/serve-links.long.test.ts",
];

/** Changes the root with pivot_root. In a chroot, the kernel forbids user namespaces, which the seal needs. */
const ENTER = `set -e
mount --bind "$1" "$1"
mkdir -p "$1$2" "$1/old"
mount --bind "$2" "$1$2"
for folder in dev proc sys; do mount --rbind /$folder "$1/$folder"; done
cp /etc/resolv.conf "$1/etc/resolv.conf"
cd "$1"
pivot_root . old
umount -l /old
cd "$2"
shift 2
exec "$@"`;

const wanted = PACKAGES.join(" ");
if (!existsSync(READY)) run(["debootstrap", "--variant=minbase", SUITE, ROOT]);
if (!existsSync(READY) || readFileSync(READY, "utf8") !== wanted) {
  const install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends";
  enter(["sh", "-c", `${install} ${wanted}`]);
  writeFileSync(READY, wanted);
}
const command = process.argv.slice(2);
enter(command.length === 0 ? TESTS : command);

/** Runs a command in the other root. From this root, it contains only the clone, at its usual path. */
function enter(inside: readonly string[]): void {
  const environment = [
    ...["HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"],
    `PATH=${CLONE}/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  ];
  const within = ["env", "-i", ...environment, ...inside];
  const own = ["unshare", "--mount", "--propagation", "private"];
  run([...own, "sh", "-c", ENTER, "sh", ROOT, CLONE, ...within]);
}

function run([program = "", ...args]: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error !== undefined) console.error(`${program} cannot be started: ${error.message}.`);
  if (status !== 0) process.exit(status ?? 1);
}
