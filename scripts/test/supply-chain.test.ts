/**
 * Tests of third-party packages and workflow actions. docs/dependencies.md gives the reasons; these tests enforce the
 * rules.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { productionPackages, publishedFolders, readLockFile } from "../production-packages.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = read("docs/dependencies.md");
const LOCK = readLockFile();
const PUBLISHED = publishedFolders();
/** The folders of all packages that users install. */
const INSTALLED = new Set(PUBLISHED.flatMap((folder) => [...productionPackages(LOCK, folder)]));
const FOREIGN = [...INSTALLED].filter((folder) => !PUBLISHED.includes(folder));

describe("packages", () => {
  test("docs/dependencies.md counts what each package installs, as package.json and the lock file say", () => {
    const rows = PAGE.matchAll(/^\| `@quire\/([a-z0-9-]+)` \| (\d+) \| (\d+) \|/gm);
    const counted = PUBLISHED.map((folder) => {
      const direct = foreignDependencies(folder).length;
      return [basename(folder), String(direct), String(namesOf(folder).size)];
    });
    expect([...rows].map(([, ...row]) => row).sort()).toEqual(counted.sort());
  });

  test("docs/dependencies.md has a line for each runtime dependency, with the number of its dependencies", () => {
    const rows = PAGE.matchAll(
      /^\| `([^`]+)` \| ([^|]+) \| [^|]{4,} \| (\d+) \|.* \| [^|]{20,} \|$/gm,
    );
    const described = [...rows].flatMap(([, name, users = "", brings]) =>
      users.split(", ").map((user) => `${user} uses ${name}, which brings ${brings}`),
    );
    const declared = PUBLISHED.flatMap((folder) =>
      foreignDependencies(folder).map(([name]) => {
        const brings = namesOf(placeOf(name, folder)).size;
        return `${basename(folder)} uses ${name}, which brings ${brings}`;
      }),
    );
    expect(described.sort()).toEqual(declared.sort());
  });

  test("versions of dependencies are exact, so that an update is a commit", () => {
    const ranges = PUBLISHED.flatMap((folder) =>
      foreignDependencies(folder).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    );
    expect(ranges).toEqual([]);
  });

  test("every dependency is imported by the package that lists it, or is an optional peer of another package", () => {
    const peers = new Set(
      PUBLISHED.flatMap((folder) => Object.keys(manifestOf(folder).peerDependencies ?? {})),
    );
    const unused = PUBLISHED.flatMap((folder) => {
      const sources = readdirSync(join(ROOT, folder, "src"), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => read(`${folder}/src/${file}`));
      return foreignDependencies(folder)
        .filter(([name]) => !peers.has(name))
        .filter(([name]) => !sources.some((source) => imports(source, name)))
        .map(([name]) => `${folder}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  test("every installed package has a hash, comes from the registry, and runs no install script", () => {
    expect(FOREIGN.length).toBeGreaterThan(50);
    const doubtful = FOREIGN.filter((folder) => {
      const { resolved, integrity = "", hasInstallScript } = LOCK.packages[folder] ?? {};
      // A package without a URL comes from the registry in npm's configuration.
      return (
        resolved !== undefined || !integrity.startsWith("sha512-") || hasInstallScript === true
      );
    });
    expect(doubtful).toEqual([]);
  });

  test("packages are published with a provenance, which only the workflow can create", () => {
    const without = PUBLISHED.filter(
      (folder) => manifestOf(folder).publishConfig?.provenance !== true,
    );
    expect(without).toEqual([]);
  });
});

test("npm run sbom lists exactly the installed packages, without network access", () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-sbom-test-"));
  try {
    const file = join(folder, "quire.cdx.json");
    execFileSync(process.execPath, [join(ROOT, "scripts", "sbom.ts"), file], {
      stdio: ["ignore", "inherit", "pipe"],
      // No registry responds at this address.
      env: { ...process.env, npm_config_registry: "http://127.0.0.1:9/" },
    });
    const { bomFormat, components } = JSON.parse(readFileSync(file, "utf8"));
    expect(bomFormat).toBe("CycloneDX");
    const listed = components.map(({ purl }: { readonly purl: string }) =>
      decodeURIComponent(purl),
    );
    const expected = [...INSTALLED, ...PUBLISHED].map((place) => `pkg:npm/${nameOf(place)}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set(expected)].sort());
    expect(components.filter(isForeignWithoutHash)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("dependencies are audited for each change, each week and before anything is published", () => {
  const AUDIT = /^ +- run: npm audit --omit=dev --audit-level=high$/m;
  const [ci, release] = ["ci", "release"].map((name) => read(`.github/workflows/${name}.yml`));
  expect(ci).toMatch(AUDIT);
  expect(ci).toMatch(/^on:\n {2}push:\n {4}branches: \[main\]\n {2}pull_request:\n {2}schedule:$/m);
  expect(release).toMatch(AUDIT);
  expect(release).toMatch(/^ {2}publish:\n {4}needs: check$/m);
});

describe.each(readdirSync(join(ROOT, ".github", "workflows")))("the workflow %s", (name) => {
  const workflow = read(`.github/workflows/${name}`);

  test("pins actions to commits, with their versions in comments", () => {
    const actions = [...workflow.matchAll(/^ *(?:- )?uses: *(.*)$/gm)].map(
      ([, action = ""]) => action,
    );
    const byCommit = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !byCommit.test(action))).toEqual([]);
  });

  test("grants only the permissions that a job requests", () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m);
    const jobs = workflow
      .slice(workflow.indexOf("\njobs:\n"))
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1);
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.filter((job) => !/^ {4}permissions:\n(?: {6}[a-z-]+: )/m.test(job))).toEqual([]);
    // A job with write permission runs no code of dependencies, except to publish.
    const writers = jobs.filter(
      (job) => job.includes(": write") && /npm (?:ci|test|run)/.test(job),
    );
    expect(writers.map((job) => job.slice(0, job.indexOf(":")))).toEqual(
      name === "release.yml" ? ["publish"] : [],
    );
  });

  test("leaves no token in the checkout", () => {
    const steps = workflow.split(/^ {6}- /m);
    const checkouts = steps.filter((step) => step.startsWith("uses: actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    expect(checkouts.filter((step) => !step.includes("persist-credentials: false"))).toEqual([]);
  });
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly provenance?: boolean };
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(read(`${folder}/package.json`));
}

/** Returns the third-party dependencies of a package, each with its version. */
function foreignDependencies(folder: string): [string, string][] {
  const { dependencies = {} } = manifestOf(folder);
  return Object.entries(dependencies).filter(([name]) => !name.startsWith("@quire/"));
}

/** Returns the third-party packages that a package installs, as name and version. */
function namesOf(folder: string): ReadonlySet<string> {
  const all = [...productionPackages(LOCK, folder)];
  return new Set(all.filter((place) => !PUBLISHED.includes(place)).map(nameOf));
}

function nameOf(folder: string): string {
  const { name = folder.slice(folder.lastIndexOf("node_modules/") + 13), version } =
    LOCK.packages[folder] ?? {};
  return `${name}@${version}`;
}

function placeOf(name: string, folder: string): string {
  const own = `${folder}/node_modules/${name}`;
  return own in LOCK.packages ? own : `node_modules/${name}`;
}

/**
 * Whether a source imports a package or resolves a file of it. The types of a package count as imported with it:
 * declarations refer to both.
 */
function imports(source: string, dependency: string): boolean {
  const name = dependency.replace(/^@types\//, "");
  return (
    source.includes(`from "${name}"`) ||
    source.includes(`import("${name}`) ||
    source.includes(`from "${name}/`) ||
    source.includes(`import.meta.resolve("${name}/`)
  );
}

function isForeignWithoutHash({
  purl,
  hashes,
}: {
  readonly purl: string;
  readonly hashes?: unknown;
}): boolean {
  return !decodeURIComponent(purl).startsWith("pkg:npm/@quire/") && hashes === undefined;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
