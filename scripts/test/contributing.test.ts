/** Checks the pages of docs/contributing against the repository. contributing.long.test.ts follows these pages. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyChange, CONTRIBUTING } from "./support/contributing-pages.ts";
import { ROOT } from "./support/doc-blocks.ts";

describe.each(CONTRIBUTING)("$page", ({ files, changes, commands }) => {
  test("adds files that do not exist, and changes files that have the lines around the changes", () => {
    expect([...files.keys()].filter((path) => existsSync(join(ROOT, path)))).toEqual([]);
    for (const [path, change] of changes) {
      const text = readFileSync(join(ROOT, path), "utf8");
      expect(applyChange(text, change).length, path).toBeGreaterThan(text.length);
    }
  });

  test("runs scripts of package.json, with tests of the repository or of the page", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const called = commands.flatMap((command) => command.replace(/ #.*$/, "").split(" && "));
    const isKnown = (path: string) =>
      globSync(`${path}*`, { cwd: ROOT }).length > 0 ||
      [...files.keys()].some((file) => file.startsWith(path));
    expect(called.length).toBeGreaterThan(3);
    for (const command of called) {
      const [, script = "", rest = ""] =
        /^npm run ([\w:-]+)(?: -- (.*))?$/.exec(command.trim()) ?? [];
      expect(Object.keys(scripts), command).toContain(script);
      const paths = script === "tests" ? rest.split(" ").filter((path) => path !== "") : [];
      expect(paths.filter((path) => !isKnown(path))).toEqual([]);
    }
  });
});
