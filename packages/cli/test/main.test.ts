/** Tests `main`, the CLI as a function. */
import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { newCommand } from "../src/commands/command.ts";
import { COMMANDS } from "../src/commands.ts";
import { type Io, main } from "../src/index.ts";
import { makePlace } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

/** Creates a fake process for a command. `written` contains everything that the command writes. */
function fakeProcess(more: Partial<Io> = {}): Io & { readonly written: string[] } {
  const written: string[] = [];
  const keep = (where: string) =>
    new Writable({
      write(chunk, _encoding, done) {
        written.push(`${where}: ${chunk}`);
        done();
      },
    });
  const [stdout, stderr] = [keep("stdout"), keep("stderr")];
  const exit = () => {};
  return { stdout, stderr, env: {}, cwd: ".", signals: new EventEmitter(), exit, ...more, written };
}

describe("main", () => {
  test("returns the exit code, writes to the streams of its caller, and does not change the process", async () => {
    const io = fakeProcess();
    const before = process.exitCode;
    expect(await main(["render", "a.docx"], io)).toBe(1);
    expect(io.written[0]).toMatch(/^stderr: quire: quire render needs --data <file> .+ and --out/);
    expect(process.exitCode).toBe(before);
  });

  test("runs several commands at the same time, each in its own folder", async () => {
    const names = ["Ann", "Bob", "Cid"];
    const done = names.map(async (name) => {
      const place = await makePlace();
      await place.write("t.docx", docx(["Dear {{name}}"]));
      await place.write("data.json", { name });
      const io = fakeProcess({ cwd: place.folder });
      const code = await main(["render", "t.docx", "data.json", "-o", "out.docx"], io);
      return [code, io.written, await linesOf(place.path("out.docx"))];
    });
    expect(await Promise.all(done)).toEqual(
      names.map((name) => [0, ["stdout: out.docx\n"], [`Dear ${name}`]]),
    );
  });

  test("reads the settings of a service from the environment of its caller, but options take precedence", async () => {
    const env = { QUIRE_PORT: "many" };
    const io = fakeProcess({ env });
    expect(await main(["serve"], io)).toBe(1);
    expect(io.written.join()).toContain('QUIRE_PORT cannot be "many". It must be a whole number');
    const own = fakeProcess({ env });
    expect(await main(["serve", "--port", "none"], own)).toBe(1);
    expect(own.written.join()).toContain('--port cannot be "none". It must be a whole number');
  });
});

test.each(COMMANDS.map(({ name }) => name))(
  "the list of commands shows the arguments of %s",
  async (name) => {
    const listed = COMMANDS.find((command) => command.name === name);
    const io = { ...fakeProcess(), argv: [], exitCode: 0 };
    const command = newCommand(name, io);
    (await listed?.load())?.(command, io);
    const { subcommandTerm } = command.createHelp();
    expect(subcommandTerm(command)).toBe(`${name} ${listed?.takes}`.trimEnd());
  },
);
