/** Tests which modules a command loads. A short command spends most of its time on loading. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

const OWN = "@quire/cli";

/** A loaded module: its package, and its path in the package without `dist`. */
interface Loaded {
  readonly from: string;
  readonly path: string;
}

/** The modules for `quire --version`, which every command loads. */
const VERSION = ["main.js", "manifest.js", "quire.js", "terminal/exit.js", "terminal/io.js"];

/** Returns the modules that a command loads, as V8 lists them in a coverage report. */
async function loadedBy(place: Place, ...args: readonly string[]): Promise<readonly Loaded[]> {
  const folder = place.path("coverage");
  await place.start(args, { env: { NODE_V8_COVERAGE: folder } }).ended;
  const [report, ...others] = await readdir(folder);
  if (report === undefined || others.length > 0) throw new Error("There must be one process.");
  const { result } = JSON.parse(await readFile(place.path("coverage", report), "utf8"));
  const urls: readonly string[] = result.map(({ url }: { readonly url: string }) => url);
  return urls.filter((url) => url.startsWith("file:")).map(moduleAt);
}

function moduleAt(url: string): Loaded {
  const file = fileURLToPath(url).replaceAll("\\", "/");
  const [, installed, path = ""] =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)/.exec(file) ??
    /.*\/packages\/([^/]+)\/dist\/(.*)/.exec(file) ??
    [];
  if (installed === undefined) throw new Error(`Unexpected module: ${file}`);
  return { from: file.includes("/node_modules/") ? installed : `@quire/${installed}`, path };
}

function ownOf(modules: readonly Loaded[]): string[] {
  return modules.flatMap(({ from, path }) => (from === OWN ? [path] : [])).sort();
}

function packagesOf(modules: readonly Loaded[]): string[] {
  return [...new Set(modules.map(({ from }) => from))].sort();
}

describe("the modules that are loaded", () => {
  test.each(["--version", "-V"])("by quire %s are five small ones", async (flag) => {
    const modules = await loadedBy(await makePlace(), flag);
    expect(packagesOf(modules)).toEqual([OWN]);
    expect(ownOf(modules)).toEqual(VERSION);
  });

  test("by quire --help are commander and the list of commands", async () => {
    const modules = await loadedBy(await makePlace(), "--help");
    expect(packagesOf(modules)).toEqual([OWN, "commander"]);
    const help = ["commands.js", "commands/command.js", "program.js"];
    expect(ownOf(modules)).toEqual([...VERSION, ...help].sort());
  });

  test.each(COMMANDS)(
    "by quire $name --help are its texts, and none of its work",
    async (command) => {
      const modules = await loadedBy(await makePlace(), command.name, "--help");
      expect(packagesOf(modules)).toEqual([OWN, "commander"]);
      const own = ownOf(modules);
      const commands = ["commands/command.js", `commands/${command.name}.js`];
      expect(own.filter((path) => path.startsWith("commands/"))).toEqual(commands.sort());
      // The data options need `entries/` to validate the names of types, locales and encodings.
      const texts = /^(?:[a-z]+\.js|(?:commands|options|entries)\/.*|terminal\/(?:exit|io)\.js)$/;
      expect(own.filter((path) => !texts.test(path))).toEqual([]);
      expect(own.length).toBeLessThan(25);
    },
  );
});

describe("the packages that are loaded", () => {
  const PARSERS = ["docxtemplater", "pizzip", "parse5", "marked", "saxes", "csv-parse"];
  const SERVICE = ["@quire/service", "@quire/http", "hono", "zod", "pino", "prom-client"];
  const OFFICE = ["@quire/pdf-libreoffice"];
  const STORES = ["@quire/jobs-sqlite"];

  test.each([
    { args: ["report", "none.db"], unused: [...PARSERS, ...SERVICE, ...OFFICE] },
    { args: ["verify", "none.db"], unused: [...PARSERS, ...SERVICE, ...OFFICE] },
    { args: ["token", "list"], unused: [...PARSERS, ...SERVICE, ...OFFICE] },
    { args: ["tenant", "list"], unused: [...PARSERS, ...OFFICE] },
    { args: ["convert", "none.docx", "-o", "a.pdf"], unused: [...PARSERS, ...SERVICE, ...STORES] },
    { args: ["inspect", "t.docx"], unused: [...SERVICE, ...OFFICE, ...STORES, "csv-parse"] },
    { args: ["render", "t.docx", "d.json", "-o", "a.docx"], unused: [...OFFICE, ...STORES] },
    { args: ["check", "t.docx", "--data", "d.json"], unused: [...OFFICE, ...STORES, "csv-parse"] },
  ])("by quire $args.0 do not include those for other commands", async ({ args, unused }) => {
    const place = await makePlace();
    await place.write("t.docx", docx(["Dear {{name}}"]));
    await place.write("d.json", { name: "Ann" });
    const loaded = packagesOf(await loadedBy(place, ...args));
    // The modules that implement the command were loaded.
    expect(loaded.filter((each) => each.startsWith("@quire/")).length).toBeGreaterThan(1);
    expect(loaded.filter((each) => unused.includes(each))).toEqual([]);
  });
});
