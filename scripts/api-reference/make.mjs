/**
 * `npm run docs:api`: writes the API reference of all packages to docs/api, from the built declarations. TypeDoc needs
 * the JavaScript API of TypeScript 6, so both are installed here and not in the repository's node_modules.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Application, Converter } from "typedoc";

const ROOT = join(import.meta.dirname, "..", "..");
const OUT = join(ROOT, "docs", "api");
const TSCONFIG = join(import.meta.dirname, "tsconfig.json");
const ENTRY_POINTS = ["index", "host", "parts"];

const entries = readdirSync(join(ROOT, "packages"))
  .flatMap((name) => ENTRY_POINTS.map((entry) => ({ name, entry })))
  .map(({ name, entry }) => ({
    file: join(ROOT, "packages", name, "dist", `${entry}.d.ts`),
    title: entry === "index" ? `@quire/${name}` : `@quire/${name}/${entry}`,
  }))
  .filter(({ file }) => existsSync(file));
const titles = new Map(entries.map(({ file, title }) => [file, title]));

const app = await Application.bootstrapWithPlugins({
  name: "Quire",
  entryPoints: entries.map(({ file }) => file),
  tsconfig: TSCONFIG,
  plugin: ["typedoc-plugin-markdown"],
  outputs: [{ name: "markdown", path: OUT }],
  router: "module",
  readme: "none",
  disableSources: true,
  skipErrorChecking: true,
  // Warns about links to names that are not in the reference. Types that are not exported are allowed.
  validation: { invalidLink: true, notExported: false, notDocumented: false, rewrittenLink: true },
});
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, module) => {
  const [source] = context.getSymbolFromReflection(module)?.declarations ?? [];
  const title = titles.get(source?.fileName ?? "");
  if (title !== undefined) module.name = title;
});
const project = await app.convert();
const isComplete = project?.children?.length === entries.length;
if (project === undefined || !isComplete) {
  throw new Error("The reference is not complete. Build the packages.");
}
app.validate(project);
rmSync(OUT, { recursive: true, force: true });
await app.generateOutputs(project);
if (app.logger.hasErrors()) process.exitCode = 1;
