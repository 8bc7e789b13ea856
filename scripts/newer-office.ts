/**
 * `npm run newer-office [-- --release 26.8] [COMMAND ...]` runs a command, such as the tests of the seal, in this clone
 * with LibreOffice 25.2 from Debian 13, or with 26.8 from its backports. It needs root and debootstrap. The first run
 * creates a root in /var/tmp, which takes some minutes. Without a command, it tests every link vector.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLONE = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const SUITE = "trixie";
/** Where LibreOffice comes from, by its release. */
const RELEASES: Readonly<Record<string, { readonly from: string; readonly root: string }>> = {
  "25.2": { from: SUITE, root: "/var/tmp/quire-trixie" },
  "26.8": { from: `${SUITE}-backports`, root: "/var/tmp/quire-trixie-backports" },
};
const PACKAGES = [
  ...["libreoffice-writer-nogui", "libreoffice-math-nogui", "fontconfig", "strace"],
  // These packages read the workbooks and presentations in documents. Most tests use a LibreOffice that lacks them.
  ...["libreoffice-calc-nogui", "libreoffice-impress-nogui", "libreoffice-draw-nogui"],
  ...["fonts-liberation", "fonts-crosextra-carlito", "fonts-crosextra-caladea"],
];
const TESTS = [
  ...[
    "env",
    "QUIRE_ALL_WAYS=1",
    "node",
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "long",
    "--project",
    "chaos",
  ],
  "packages/pdf-libreoffice/test/links.chaos.test.ts",
  "packages/cli/test/serve-links",
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

const [release, command] = readArguments(process.argv.slice(2));
const { from, root } = RELEASES[release] ?? fail(`Unknown release. Known: ${knownReleases()}.`);
const ready = join(root, ".quire-ready");
const wanted = PACKAGES.join(" ");
if (!existsSync(ready)) run(["debootstrap", "--variant=minbase", SUITE, root]);
if (!existsSync(ready) || readFileSync(ready, "utf8") !== wanted) {
  install();
  writeFileSync(ready, wanted);
}
enter(command.length === 0 ? TESTS : command);

function readArguments([flag, value = "", ...rest]: readonly string[]): [string, string[]] {
  if (flag === "--release") return [value, rest];
  return ["25.2", process.argv.slice(2)];
}

function knownReleases(): string {
  return Object.keys(RELEASES).join(", ");
}

/** Installs the packages, and checks their release, because a suite gets newer releases over time. */
function install(): void {
  const sources = join(root, "etc/apt/sources.list");
  const [mirror = ""] = /http\S+/.exec(readFileSync(sources, "utf8")) ?? [];
  const suites = new Set([SUITE, from]);
  writeFileSync(sources, [...suites].map((suite) => `deb ${mirror} ${suite} main\n`).join(""));
  const options = `-y -qq --no-install-recommends --target-release ${from}`;
  enter(["sh", "-c", `apt-get update -qq && apt-get install ${options} ${wanted}`]);
  enter(["sh", "-c", `soffice --version | grep -F "LibreOffice ${release}."`]);
}

/** Runs a command in the other root. From this root, it contains only the clone, at its usual path. */
function enter(inside: readonly string[]): void {
  const environment = [
    ...["HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"],
    `PATH=${CLONE}/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  ];
  const within = ["env", "-i", ...environment, ...inside];
  const own = ["unshare", "--mount", "--propagation", "private"];
  run([...own, "sh", "-c", ENTER, "sh", root, CLONE, ...within]);
}

function run([program = "", ...args]: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error !== undefined) console.error(`${program} cannot be started: ${error.message}.`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
