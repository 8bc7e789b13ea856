/** Runs every example of every help text in a copy of the folder `examples`. */
import { cp, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeEmptyPlace } from "../../postgres/test/support/place.ts";
import { newCommand, type QuireCommand } from "../src/commands/command.ts";
import { COMMANDS } from "../src/commands.ts";
import { interruptWhenItListens, makePlace, type Place } from "./support/cli.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));
/** The database in the examples of `quire migrate`, and the options for a free port of commands that listen. */
const DATABASE = "postgres://owner@db.example/quire";
const FREE_PORT: Readonly<Record<string, string>> = { serve: "--port", work: "--health-port" };
/** The id in the examples of `quire token revoke`. */
const TOKEN_ID = "0f8fad5b-d9cd-469f-a165-70867728950e";

async function allCommands(): Promise<QuireCommand[]> {
  const io = { stdout: process.stdout, stderr: process.stderr, env: {} };
  const commands: QuireCommand[] = [];
  for (const { name, load } of COMMANDS) {
    const command = newCommand(name, io);
    (await load())(command, io as never);
    commands.push(command, ...(command.commands as QuireCommand[]));
  }
  return commands;
}

async function placeWithExamples(): Promise<Place> {
  const place = await makePlace();
  for (const folder of ["templates", "data"]) {
    for (const name of await readdir(`${EXAMPLES}${folder}`)) {
      if (/\.(?:docx|pdf|json|jsonl|csv)$/.test(name)) {
        await cp(`${EXAMPLES}${folder}/${name}`, place.path(name));
      }
    }
  }
  return place;
}

function argumentsOf(example: string): string[] {
  const [program, ...args] = example.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  expect(program).toBe("quire");
  return args.map((arg) => arg.replaceAll("'", ""));
}

async function runExample(place: Place, example: string): Promise<void> {
  const args = argumentsOf(example);
  const port = FREE_PORT[args[0] ?? ""];
  if (port !== undefined) {
    const begun = place.begin([...args, port, "0"]);
    interruptWhenItListens(begun);
    expect([example, (await begun.ended).code]).toEqual([example, 0]);
    return;
  }
  if (args.includes(TOKEN_ID)) {
    await place.quire(["token", "create", "--user", "ann", "--enterprise", "acme"]);
    const { stdout } = await place.quire(["token", "list"]);
    args[args.indexOf(TOKEN_ID)] = stdout.slice(0, TOKEN_ID.length);
  }
  if (args.includes(DATABASE)) {
    const database = await makeEmptyPlace();
    onTestFinished(() => database.destroy());
    args[args.indexOf(DATABASE)] = database.url;
  }
  const { code, stderr } = await place.quire(args);
  expect([example, code, code === 0 ? "" : stderr]).toEqual([example, 0, ""]);
}

test("the help of every command ends with two examples", async () => {
  const place = await makePlace();
  for (const { name } of COMMANDS) {
    const { stdout } = await place.quire([name, "--help"]);
    expect(stdout, name).toMatch(/\nExamples:\n(?: {2}\$ quire .+\n){2}$/);
  }
});

test("every example works", { timeout: 240_000 }, async () => {
  const place = await placeWithExamples();
  const commands = await allCommands();
  const examples = commands.flatMap((command) => command.examples);
  expect(examples.length).toBe(2 * commands.length);
  for (const example of new Set(examples)) await runExample(place, example);
});

test("older spellings of options still work", async () => {
  const place = await placeWithExamples();
  for (const args of [
    ["render", "letter.docx", "letter.json", "-o", "a.docx"],
    ["render", "letter.docx", "letter.json", "--output", "b.docx"],
    ["render", "letter.docx", "letter.json", "--output=c.docx"],
    ["sample", "letter.docx", "--output", "d.json"],
    ["types", "letter.docx", "-o=e.ts"],
    ["annotate", "letter.docx", "--output", "f.docx"],
  ]) {
    expect([args.join(" "), (await place.quire(args)).code]).toEqual([args.join(" "), 0]);
  }
  expect(await place.names(".")).toEqual(
    expect.arrayContaining(["a.docx", "b.docx", "c.docx", "d.json", "e.ts", "f.docx"]),
  );
});
