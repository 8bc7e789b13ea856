/**
 * The process that responds to requests parses no untrusted documents. These tests check its modules: no module that
 * `quire serve` and `createService` load imports a document parser. The parsers run in child processes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import * as core from "../../packages/core/src/index.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * The entry points of the answering process: the service, every storage and store, the converter, and `quire serve`.
 */
const ENTRIES = [
  "packages/core/dist/host.js",
  "packages/http/dist/index.js",
  "packages/http/dist/parts.js",
  "packages/service/dist/index.js",
  "packages/jobs-sqlite/dist/index.js",
  "packages/postgres/dist/index.js",
  "packages/storage-fs/dist/index.js",
  "packages/storage-s3/dist/index.js",
  "packages/pdf-libreoffice/dist/index.js",
  "packages/cli/dist/main.js",
  "packages/cli/dist/commands/serve.js",
];

/** The packages that the answering process may load, and the input that they read in it. */
const PACKAGES: Readonly<Record<string, string>> = {
  "@aws-sdk/client-s3": "answers of the operator's own bucket",
  "@fastify/busboy": "uploads, piece by piece, within counted bytes",
  "@hono/node-server": "requests from Node",
  "@opentelemetry/api": "nothing",
  "big.js": "numbers",
  commander: "the operator's command line",
  "content-disposition": "writes a header",
  hono: "requests from Node",
  "ipaddr.js": "addresses of webhooks",
  jose: "tokens",
  "lossless-json": "JSON within limits, if a key has an escape sequence",
  "lru-cache": "nothing",
  oauth4webapi: "answers of the operator's own issuer",
  "p-limit": "nothing",
  pg: "answers of the operator's own database",
  "pg-connection-string": "the URL of the operator's database",
  pino: "nothing",
  "prom-client": "nothing",
  zod: "JSON that was parsed within limits",
};

/** The packages that use pdf-lib. */
const PACKAGES_WITH_PDFS = ["packages/pdf", "packages/pdf-libreoffice"];

/** Matches the folders with code that reads documents. */
const READERS =
  /^packages\/(?:ooxml|docx|pdf)\/src\/|^packages\/pdf-libreoffice\/src\/(?:pdf|join)\//;

/** Matches code that formats numbers and dates. It also checks the locale and time zone of a request. */
const FORMATS = /^packages\/docx\/src\/format\//;

/** Modules in those folders that do not read documents, and the input that they read. */
const READ_NONE: Readonly<Record<string, string>> = {
  "packages/docx/src/compile-options.ts": "the choices of a request",
  "packages/docx/src/annotate/words.ts": "the wording of a place",
  "packages/docx/src/fit/same-widths.ts": "nothing, it is a table of names of fonts",
  "packages/docx/src/values/budget.ts": "the limits of a renderer",
  "packages/docx/src/values/image/fonts/byte-reader.ts": "the operator's own fonts",
  "packages/docx/src/values/image/fonts/character-set.ts": "the operator's own fonts",
  "packages/docx/src/values/image/fonts/font-face.ts": "the operator's own fonts",
  "packages/docx/src/values/image/fonts/font-set.ts": "the operator's own fonts",
  "packages/pdf/src/form/form-options.ts": "the options of a request",
  "packages/pdf/src/read/is-pdf.ts": "the first 1,024 bytes of a template",
};

/** Imports that are not followed, by the module that contains them. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  // Each command runs in its own process. The command of the service is one of the entry points.
  "packages/cli/src/commands.ts": "import()",
  // `quire doctor` reads documents that Quire has made itself. A service does not do this.
  "packages/pdf-libreoffice/src/diagnosis.ts": "import()",
  // This finds the folder of a package that the operator has installed, but does not load the package.
  "packages/pdf-libreoffice/src/wasm/package.ts": "createRequire",
  // This finds the folders that a render process may read, but loads nothing from them.
  "packages/render-pool/src/pool/start-process.ts": "createRequire",
};

/**
 * The threads of the answering process, by the module that starts them. The modules of the threads are also checked.
 */
const THREADS: Readonly<Record<string, string>> = {
  "packages/jobs-sqlite/src/lease/heartbeat.ts":
    "packages/jobs-sqlite/dist/lease/heartbeat-thread.js",
  "packages/postgres/src/lease/heartbeat.ts": "packages/postgres/dist/lease/heartbeat-thread.js",
};

const REACHED = reach([...ENTRIES, ...Object.values(THREADS)]);

describe("from the process that answers", () => {
  test("only packages that read no documents are reached", () => {
    expectOnly(REACHED.packages, PACKAGES);
  });

  test("no module that reads templates or PDFs is reached", () => {
    const reached = [...REACHED.modules].filter(
      ([file]) => READERS.test(file) && !FORMATS.test(file),
    );
    expectOnly(new Map(reached), READ_NONE);
  });

  test("modules are loaded by literal names, and all threads are listed", () => {
    const sources = [...REACHED.modules.keys()].map((file) => [file, read(file)] as const);
    const found = (pattern: RegExp): string[] =>
      sources.filter(([, source]) => pattern.test(source)).map(([file]) => file);
    expect(found(/\bimport\((?!"[^"]+"\))|\brequire\(|\bcreateRequire\b/)).toEqual(
      found(/\bcreateRequire\b/).filter((file) => NOT_FOLLOWED[file] === "createRequire"),
    );
    expect(found(/\bnew Worker\(/)).toEqual(Object.keys(THREADS));
    expect(Object.values(THREADS).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

test("the process of the renderer reaches the parsers, so the walk can find them", () => {
  const { packages } = reach(["packages/render-pool/dist/process/pool-process.js"]);
  expect([...packages.keys()]).toEqual(
    expect.arrayContaining(["docxtemplater", "pdf-lib", "saxes", "yauzl"]),
  );
});

describe("pdf-lib, whose parser has no limits", () => {
  const sources = PACKAGES_WITH_PDFS.flatMap((folder) =>
    readdirSync(join(ROOT, folder, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => [`${folder}/src/${file}`, read(`${folder}/src/${file}`)] as const),
  );
  const found = (pattern: RegExp): string[] =>
    sources.filter(([, source]) => pattern.test(source)).map(([file]) => file);

  test("is loaded in two places, one of which reads only output of LibreOffice", () => {
    const loads =
      /^(?:import|export) (?!type\b)[^;]*from "pdf-lib"|(?<!typeof )\bimport\("pdf-lib"\)/m;
    expect(found(loads)).toEqual([
      "packages/pdf/src/read/pdf-lib.ts",
      "packages/pdf-libreoffice/src/pdf/check-with-pdf-lib.ts",
    ]);
  });

  test("reads untrusted files only within the limits of parse-pdf.ts", () => {
    // These are all exports of pdf-lib that parse or unpack. Quire's wrapper exports no others.
    const [, names = ""] =
      /export const \{([^}]*)\} = pdfLib/.exec(read("packages/pdf/src/read/pdf-lib.ts")) ?? [];
    expect(names.match(/\w*(?:Pars|Document|[dD]ecod|Embedder)\w*/g)).toEqual([
      "PDFObjectStreamParser",
      "PDFParser",
      "StandardFontEmbedder",
    ]);
    expect(found(/\bPDF(?:ObjectStream)?Parser\b/)).toEqual([
      "packages/pdf/src/read/parse-pdf.ts",
      "packages/pdf/src/read/pdf-lib.ts",
    ]);
  });
});

test("@quire/core exports every value of @quire/core/host unchanged", async () => {
  const host: Record<string, unknown> = await import("../../packages/core/src/host.ts");
  const whole: Record<string, unknown> = { ...core };
  expect(Object.keys(host).filter((name) => host[name] !== whole[name])).toEqual([]);
});

interface Reached {
  /** For each file of dist, the file that imports it; null for an entry point. */
  readonly files: Map<string, string | null>;
  /** For each module, the file of dist that contains it. */
  readonly modules: Map<string, string>;
  /** For each third-party package, the file that imports it. */
  readonly packages: Map<string, string>;
}

/** Returns all direct and indirect imports. Follows the built code, so every module of a loaded chunk is included. */
function reach(entries: readonly string[]): Reached {
  const files = new Map<string, string | null>(entries.map((entry) => [entry, null]));
  const packages = new Map<string, string>();
  for (const file of files.keys()) {
    for (const name of importsOf(file)) {
      if (name.startsWith("node:")) continue;
      const to = name.startsWith(".")
        ? relative(ROOT, join(ROOT, dirname(file), name))
        : ownModule(name);
      if (to === null) packages.set(packageOf(name), file);
      else if (!files.has(to)) files.set(to, file);
    }
  }
  const modules = [...files.keys()].flatMap((file) =>
    modulesOf(file).map((module) => [module, file] as const),
  );
  return { files, modules: new Map(modules), packages };
}

/** Returns the modules in a file of dist: all modules of a chunk, or the only one. */
function modulesOf(file: string): string[] {
  const map = `${file}.map`;
  if (!existsSync(join(ROOT, map))) {
    return [file.replace("/dist/", "/src/").replace(/\.js$/, ".ts")];
  }
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(read(map));
  return sources.map((source) => join(dirname(file), source));
}

function importsOf(file: string): string[] {
  const source = read(file);
  const fixed = source.matchAll(/^(?:import|export)\b[^"';]*?\bfrom "([^"]+)"|^import "([^"]+)"/gm);
  const isFollowed = modulesOf(file).every((module) => NOT_FOLLOWED[module] !== "import()");
  const later = isFollowed ? source.matchAll(/\bimport\("([^"]+)"\)/g) : [];
  return [...fixed, ...later].map(([, one, other]) => one ?? other ?? "");
}

/** Returns the module behind an import from one of Quire's packages; null for a third-party package. */
function ownModule(name: string): string | null {
  const [, folder = "", path = ""] = /^@quire\/([^/]+)(\/.+)?$/.exec(name) ?? [];
  if (folder === "") return null;
  const { exports } = JSON.parse(read(`packages/${folder}/package.json`));
  const entry = exports[`.${path}`] ?? exports["./internal/*"];
  return join("packages", folder, entry.default.replace("*", path.replace("/internal/", "")));
}

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Expects exactly the known names. For any other name, the failure message shows the chain of imports. */
function expectOnly(
  found: ReadonlyMap<string, string | null>,
  known: Readonly<Record<string, string>>,
): void {
  const others = [...found].filter(([name]) => !(name in known));
  expect(
    others.map(([name, from]) => `${from === null ? "" : `${wayTo(from)} → `}${name}`),
  ).toEqual([]);
  expect(Object.keys(known).filter((name) => !found.has(name))).toEqual([]);
}

/** Returns the chain of imports that leads to a module. */
function wayTo(file: string): string {
  const from = REACHED.files.get(file) ?? null;
  return from === null ? file : `${wayTo(from)} → ${file}`;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
