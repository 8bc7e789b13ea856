/**
 * Checks the packages as users get them: packs each package, lints the tarball (`publint`, `attw`), installs all
 * tarballs into an empty project, and type-checks and runs a program with them there.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
}

interface Packed extends Manifest {
  readonly tarball: string;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules", ".bin");
const PACKAGES = readdirSync(join(ROOT, "packages"));

/** The first program of a user: it uses every entry point, with values and types. */
const CONSUMER = `
import assert from "node:assert/strict";
import { createEngine, compileTemplate, ERROR_CODES, isQuireError, QuireError, type Converter, type Diagnostic, type JobStore, type Storage } from "@quire/core";
import { openDocx } from "@quire/ooxml";
import { createEngine as createHostEngine } from "@quire/core/host";
import * as conformance from "@quire/conformance";
import { createHttpHandler, unauthorized } from "@quire/http";
import { openApi } from "@quire/http/parts";
import { createService, startServer, staticTokens } from "@quire/service";
import { sqliteJobStore, sqliteStores } from "@quire/jobs-sqlite";
import { libreOffice } from "@quire/pdf-libreoffice";
import { fsStorage } from "@quire/storage-fs";
import { s3Storage } from "@quire/storage-s3";

const storage: Storage = fsStorage({ root: "." });
const bucket: Storage = s3Storage({ bucket: "letters", endpoint: "http://127.0.0.1:9", attempts: 1 });
const converter: Converter = libreOffice();
const jobs: JobStore = sqliteJobStore({ path: "jobs.db" });
const worker = await jobs.openWorker({ canConvert: false, leaseMs: 1000, keepFinishedMs: null });
assert.deepEqual(await worker.claim(1), { jobs: [], suspects: false });
await jobs.close();
const error: unknown = await storage.read({ type: "file", id: "no-such-file" }).catch((e) => e);
assert(isQuireError(error) && error instanceof QuireError);
assert.equal(error.code, "not_found");
const escaped: unknown = await bucket.read({ type: "file", id: "../x" }).catch((e) => e);
assert(isQuireError(escaped) && escaped.code === "forbidden");
const diagnostics: readonly Diagnostic[] = error.diagnostics;
assert(Array.isArray(diagnostics) && ERROR_CODES.length > 0);
assert.equal(createHostEngine, createEngine);
assert.equal(typeof openDocx, "function");
assert.equal(typeof compileTemplate, "function");
assert(Object.values(conformance).some((suite) => typeof suite === "function"));
await converter.close();
const token = { token: "a-token-of-ours", user: "ann", enterprise: "acme" };
const service = await createService({
  storage,
  stores: sqliteStores({ path: "service.db" }),
  authenticate: staticTokens([token]),
});
const server = await startServer(service.handler, { port: 0 });
const { status } = await fetch(server.url + "/2.0/folders/0/items", {
  headers: { authorization: "Bearer " + token.token },
});
assert.equal(status, 200);
await server.close();
const handler = createHttpHandler(service.engine, {
  authenticate: async ({ headers }) => unauthorized(headers),
});
const refused = await handler(new Request("http://quire.test/2.0/docgen_jobs"));
assert.equal(refused.status, 401);
assert.equal(typeof openApi, "function");
await service.close();
`;

/** Checks which packages an adapter installs. */
const ADAPTER = `
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fsStorage } from "@quire/storage-fs";

assert.equal(typeof fsStorage, "function");
assert.deepEqual(readdirSync("node_modules/@quire").sort(), ["contracts", "storage-fs"]);
assert.deepEqual(readdirSync("node_modules").filter((name) => !name.startsWith(".")), ["@quire"]);
`;

/** Renders with the packages for templates alone. A template with a QR code is rejected: bwip-js is not installed. */
const LIGHT = `
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { compileTemplate } from "@quire/docx";
import { openDocx } from "@quire/ooxml";

const letter = openDocx(readFileSync(process.argv[2]));
const template = await compileTemplate(letter.bytes);
assert(template.render({}, { onMissing: "blank" }).bytes.length > 1000);
const document = letter.readText(letter.mainPart);
const withCode = document.replace(/<w:body>/, "<w:body><w:p><w:r><w:t>{{code :: qrcode}}</w:t></w:r></w:p>");
const label = letter.write(new Map([[letter.mainPart, withCode]]));
await assert.rejects(compileTemplate(label), /bwip-js is not installed/);
`;

/** The maximum size of the packages that a user installs to render a docx. */
const LIGHT_BYTES = 10_000_000;

const CONSUMER_TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
  },
  files: ["consumer.ts"],
};

await main();

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "quire-packages-"));
  try {
    const packages = await Promise.all(PACKAGES.map((name) => pack(name, folder)));
    const checks = [
      ...packages.map(lint),
      checkAsConsumer(packages, join(folder, "consumer")),
      checkAdapter(packages, join(folder, "adapter")),
      checkLight(packages, join(folder, "light")),
    ];
    for (const check of await Promise.allSettled(checks)) {
      if (check.status === "fulfilled") console.log(check.value);
      else report(check.reason);
    }
  } catch (error) {
    report(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function pack(name: string, folder: string): Promise<Packed> {
  const source = join(ROOT, "packages", name);
  const manifest = readManifest(source);
  await run("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], source);
  const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
  return { ...manifest, tarball: join(folder, file) };
}

/** `attw` checks types. A package with only a program has no types. */
async function lint({ name, version, bin, tarball }: Packed): Promise<string> {
  await run(join(BIN, "publint"), ["run", tarball, "--strict"], ROOT);
  if (bin !== undefined) return `ok  ${name} ${version}  publint`;
  const options = ["--profile", "esm-only", "--no-definitely-typed", "--no-emoji", "--no-color"];
  await run(join(BIN, "attw"), [tarball, ...options], ROOT);
  return `ok  ${name} ${version}  publint, attw`;
}

async function checkAsConsumer(packages: readonly Packed[], folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONSUMER_TSCONFIG));
  await writeFile(join(folder, "consumer.ts"), CONSUMER);
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const tarballs = packages.map((entry) => entry.tarball);
  await run("npm", ["install", ...options, ...tarballs], folder);
  for (const entry of packages) checkInstalled(entry, folder);
  await run(join(BIN, "tsc"), ["-p", "tsconfig.json"], folder);
  await run("node", ["consumer.ts"], folder);
  const cli = packages.find((entry) => entry.bin !== undefined);
  const version = await run(join(folder, "node_modules", ".bin", "quire"), ["--version"], folder);
  if (cli === undefined || version.trim() !== cli.version) {
    throw new Error(`\`quire --version\` printed "${version.trim()}", not ${cli?.version}.`);
  }
  return "ok  the packed packages install, type-check and run in an empty project";
}

/** Installs these packages into an empty project and runs a program in it. */
async function runIn(
  folder: string,
  names: readonly string[],
  packages: readonly Packed[],
  [program, ...args]: readonly [string, ...string[]],
): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(folder, "program.js"), program);
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const tarballs = packages.filter(({ name }) => names.includes(name)).map((one) => one.tarball);
  await run("npm", ["install", ...options, ...tarballs], folder);
  await run("node", ["program.js", ...args], folder);
}

async function checkAdapter(packages: readonly Packed[], folder: string): Promise<string> {
  await runIn(folder, ["@quire/contracts", "@quire/storage-fs"], packages, [ADAPTER]);
  return "ok  @quire/storage-fs installs @quire/contracts and nothing else";
}

async function checkLight(packages: readonly Packed[], folder: string): Promise<string> {
  const names = ["@quire/contracts", "@quire/ooxml", "@quire/docx"];
  await runIn(folder, names, packages, [LIGHT, join(ROOT, "examples", "templates", "letter.docx")]);
  const bytes = sizeOf(join(folder, "node_modules"));
  if (bytes > LIGHT_BYTES) {
    throw new Error(`@quire/docx installs ${bytes} bytes; the limit is ${LIGHT_BYTES}.`);
  }
  return `ok  @quire/docx installs ${(bytes / 1e6).toFixed(1)} MB and renders`;
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The installed package must be the packed package, be installed only once, and contain its licence. */
function checkInstalled({ name, version }: Packed, folder: string): void {
  const installed = join(folder, "node_modules", name);
  const found = readManifest(installed).version;
  if (found !== version) throw new Error(`${name} ${found} was installed instead of ${version}.`);
  if (existsSync(join(installed, "node_modules", "@quire"))) {
    throw new Error(
      `${name} installed another copy of a @quire package. Check its version ranges.`,
    );
  }
  for (const file of ["LICENSE", "README.md", "dist"]) {
    if (!existsSync(join(installed, file)))
      throw new Error(`The tarball of ${name} lacks ${file}.`);
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Runs a program in a folder and returns its output. An error quotes the whole output. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  // npm passes the project's folder to its scripts. The npm that is started here must find its own folder.
  const { npm_config_local_prefix: _prefix, ...env } = process.env;
  try {
    return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Partial<Record<string, string>>;
    const output = `${stdout}${stderr}`.trim() || message;
    throw new Error(`\`${basename(command)} ${args.join(" ")}\` in ${cwd} failed.\n${output}`);
  }
}
