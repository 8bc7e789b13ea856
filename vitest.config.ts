import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

/**
 * Tests for `npm run test:long` only: long forms, and tests of processes and servers that take more than five seconds
 * and whose faults a shorter test would probably find, too.
 */
const LONG = [
  "{packages/*,chaos,examples,scripts}/test/**/*.long.test.ts",
  "chaos/test/processes.test.ts",
  "examples/test/examples.test.ts",
  "packages/cli/test/{convert,doctor,help,loading,migrate-from,releases,roles,svg-fonts}.test.ts",
  "packages/cli/test/run-{again,dry,journal,packet,process,s3,selection,shards}.test.ts",
  "packages/cli/test/serve-{crash,database,sdk,settings,shutdown}.test.ts",
  "packages/conformance/test/job-store-mutants.test.ts",
  "packages/core/test/{laws-hardened,renderer-engine,renderer-long-jobs}.test.ts",
  "packages/jobs-sqlite/test/writer.test.ts",
  "packages/pdf-libreoffice/test/{budgets,column-widths,embedded-fonts,failures,groups,host-death,machine-trouble}.test.ts",
  "packages/pdf-libreoffice/test/{pdf-options,processes,security,shrunk-text,supervisor,tenants,whole-life}.test.ts",
  "packages/postgres/test/{catalog-crash,catalog-races,conformance,job-queries,move,rolling-update,service-queries,writable}.test.ts",
  "packages/render-pool/test/{affinity,check,poison,preemption,renderer,svg-fonts,tenants,webp}.test.ts",
  "packages/service/test/{handler/long-failures,mount/examples}.test.ts",
  "packages/storage-s3/test/{multipart,second-server,streams}.test.ts",
  "scripts/test/{docs-types,old-node}.test.ts",
];
/** Tests for `npm run chaos` only: kills, faults, the layers around LibreOffice one by one, LibreOffice as WebAssembly. */
const CHAOS = ["{packages/*,chaos,scripts}/test/**/*.chaos.test.ts"];
/** Laws over random cases: few cases in `npm test`, all of them in `npm run test:long`. */
const LAWS = [
  "packages/core/test/parse-json.test.ts",
  "packages/docx/test/{laws,inspect}/*.test.ts",
  "packages/docx/test/include/references.test.ts",
  "packages/docx/test/language/{other-languages,pointers,structure,text-forms}.test.ts",
  "packages/docx/test/render/{deflate,differential,hostile-packages,oracle}.test.ts",
  "packages/docx/test/tags/{near-tags,splits}.test.ts",
  "packages/docx/test/values/{images,rich/laws,svg-fonts}.test.ts",
  "packages/docx/test/word/{looped-headers,references}.test.ts",
  "packages/ooxml/test/gate.test.ts",
  "packages/pdf/test/packet.test.ts",
];
/** Tests that start processes or real servers. */
const PROCESSES = [
  "{chaos,examples,scripts}/test/**/*.test.ts",
  "packages/{cli,jobs-*,postgres,storage-*}/test/**/*.test.ts",
  "packages/pdf-libreoffice/test/!(conformance-abort|fonts-needs|join-*|slim|steady|waiting-line).test.ts",
  "packages/core/test/renderer-*.test.ts",
  "packages/docx/test/laws/determinism.test.ts",
  "packages/render-pool/test/*.test.ts",
];

/** Node before 22.18 runs TypeScript files with a flag only: it is for the programs that tests start. */
const RUNS_TYPESCRIPT = Boolean(process.features.typescript);
const RUN_TYPESCRIPT = RUNS_TYPESCRIPT
  ? []
  : ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

/** Tests of sources resolve our packages to their sources, so that each module exists once. */
const SOURCES = [
  { find: /^@quire\/([\w-]+)$/, replacement: `${ROOT}packages/$1/src/index.ts` },
  { find: /^@quire\/([\w-]+)\/internal\/(.+)$/, replacement: `${ROOT}packages/$1/src/$2.ts` },
  { find: /^@quire\/([\w-]+)\/(\w+)$/, replacement: `${ROOT}packages/$1/src/$2.ts` },
];

export default defineConfig({
  test: {
    env: { NODE_OPTIONS: RUN_TYPESCRIPT.join(" ") },
    globalSetup: [
      "scripts/test-run/temporary-folder.ts",
      "packages/storage-s3/test/support/global-setup.ts",
      "packages/postgres/test/support/global-setup.ts",
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // Templates and data are never run as code: the whole suite passes where no code can be made of texts.
    execArgv: [
      "--disallow-code-generation-from-strings",
      "--disable-proto=throw",
      ...RUN_TYPESCRIPT,
    ],
    maxWorkers: 2,
    // Node loads built code itself, without a transform.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    projects: [
      {
        extends: true,
        // Threads of the sources have no such flag.
        plugins: RUNS_TYPESCRIPT ? [] : [testBuiltCode()],
        resolve: { alias: RUNS_TYPESCRIPT ? SOURCES : [] },
        test: {
          name: "pure",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: [...PROCESSES, ...LONG, ...CHAOS],
          // Files share a worker and its modules. A test that changes global state restores it.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [testBuiltCode()],
        test: {
          name: "processes",
          include: PROCESSES,
          exclude: [...LONG, ...CHAOS],
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [testBuiltCode()],
        test: {
          name: "long",
          include: [...LONG, ...LAWS],
          env: { QUIRE_TEST_LEVEL: "long" },
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        plugins: [testBuiltCode()],
        test: {
          name: "chaos",
          include: CHAOS,
          env: { QUIRE_TEST_LEVEL: "long" },
          testTimeout: 600_000,
        },
      },
    ],
  },
});

/**
 * Resolves a test's import of a package's `src` to its `dist`, so that the processes that the test starts run
 * the built code. A process loads it several times faster than the TypeScript sources.
 */
function testBuiltCode(): Plugin {
  return {
    name: "test-built-code",
    enforce: "pre",
    async resolveId(id, importer) {
      if (!id.endsWith(".ts") || importer === undefined) return null;
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      const path = relative(ROOT, resolved?.id ?? "");
      const [, folder, file] = /^packages\/([^/]+)\/src\/(.+)\.ts$/.exec(path) ?? [];
      return folder === undefined ? null : join(ROOT, "packages", folder, "dist", `${file}.js`);
    },
  };
}
