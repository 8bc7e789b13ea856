import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newCommand } from "../../packages/cli/src/commands/command.ts";
import { variableOf } from "../../packages/cli/src/options/env-option.ts";
import { withServeOptions } from "../../packages/cli/src/options/serve.ts";
import { withWorkOptions } from "../../packages/cli/src/options/work.ts";

const PAGE = readFileSync(new URL("../../docs/service.md", import.meta.url), "utf8");
const { stdout, stderr } = process;
const IO = { stdout, stderr, env: {} };
const SERVE = withServeOptions(newCommand("serve", IO), IO).options;
const WORK = withWorkOptions(newCommand("work", IO), IO).options;
/** The options of `quire work` that `quire serve` does not have. */
const ONLY_WORK = WORK.filter(({ long }) => SERVE.every((option) => option.long !== long));
const OPTIONS = [...SERVE, ...ONLY_WORK];

test("docs/service.md has a row for each option of quire serve and quire work with its variable, and no other rows", () => {
  const rows = PAGE.matchAll(/^\| `(--[a-z0-9-]+)` \| `(\w+)` \|/gm);
  expect([...rows].map(([, flag, variable]) => `${flag} ${variable}`)).toEqual(
    OPTIONS.map((option) => `${option.long} ${variableOf(option)}`),
  );
});

test("options of quire work mean the same as those of quire serve with the same name", () => {
  const both = WORK.flatMap((one) => {
    const same = SERVE.find(({ long }) => long === one.long);
    return same === undefined ? [] : [[one, same] as const];
  });
  expect(both.length).toBeGreaterThan(10);
  for (const [one, same] of both) {
    expect([one.description, one.defaultValue]).toEqual([same.description, same.defaultValue]);
  }
});

test("docs/service.md has the defaults of quire serve and quire work", () => {
  const wrong = OPTIONS.filter(({ long, defaultValue, description }) => {
    const said = defaultValue ?? /\(default: (\d+|[a-z]+)\)/.exec(description)?.[1];
    if (said === undefined || said === "" || typeof said === "boolean" || said === "looked") {
      return false;
    }
    const row = PAGE.split("\n").find((line) => line.startsWith(`| \`${long}\` |`)) ?? "";
    return row.split(" | ")[2]?.replaceAll("`", "") !== String(said);
  });
  expect(wrong.map(({ long }) => long)).toEqual([]);
});

test.each([
  "quire.env.example",
  "compose.yaml",
  "compose-roles.yaml",
  "Dockerfile",
  "quire.service",
  "healthcheck.mjs",
])("every variable in deploy/%s is a variable of quire serve", (name) => {
  const text = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
  const known = new Set(OPTIONS.map(variableOf));
  const unknown = [...text.matchAll(/\bQUIRE_[A-Z][A-Z0-9_]*/g)].filter(
    ([variable]) => !known.has(variable),
  );
  expect(unknown.map(([variable]) => variable)).toEqual([]);
});
