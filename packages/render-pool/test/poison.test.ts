import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { QuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, linesOf, p } from "../../ooxml/test/support/docx.ts";
import { inProcess, isAlive, type Pool, pool, until } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

/** Returns a template that includes another template by name. */
function including(name: string): Uint8Array {
  return docx({ body: p(`{{include "${name}"}}`) });
}

/** Sends a signal to every process of the pool, as a crash would. */
async function strike({ processes }: Pool, signal: NodeJS.Signals): Promise<Uint8Array> {
  for (const pid of processes()) process.kill(pid, signal);
  return LETTER;
}

describe.concurrent("a poisonous document", () => {
  test.each([
    ["never ends", "SIGSTOP", "timeout", /longer than 5000 ms/],
    ["ends its process", "SIGKILL", "render_failed", /was killed by SIGKILL, twice/],
  ] as const)("that %s fails alone", async (_, signal, code, message) => {
    await using renderer = pool({ processes: 1, documentTimeoutMs: 5000 });
    const template = renderer.open(LETTER);
    await template.render({ name: "first" });
    const names = Array.from({ length: 10 }, (_, index) => `N${index}`);
    const [poison, ...made] = await Promise.all([
      refusal(template.render(ASKING, { readFile: () => strike(renderer, signal) })),
      ...names.map((name) => template.render({ name })),
    ]);
    expect([poison.code, poison.retryable]).toEqual([code, false]);
    expect(poison.message).toMatch(message);
    for (const [index, { bytes }] of made.entries()) {
      const { bytes: expected } = await inProcess(LETTER, { name: names[index] });
      expect(Buffer.compare(bytes, expected)).toBe(0);
    }
  });

  test("does not delay later documents if another process is free", async () => {
    await using renderer = pool({ processes: 2, documentTimeoutMs: 20_000 });
    const template = renderer.open(LETTER);
    await template.render({ name: "first" });
    const slow = new AbortController();
    const held = refusal(
      template.render(ASKING, { readFile: () => new Promise(() => {}), signal: slow.signal }),
    );
    await Promise.all(Array.from({ length: 40 }, () => template.render({ name: "x" })));
    slow.abort();
    expect((await held).code).toBe("aborted");
  });
});

describe.concurrent("a poisonous template", () => {
  test.each([
    ["never compiles", "SIGSTOP", "timeout", 1],
    ["ends its process", "SIGKILL", "render_failed", 2],
  ] as const)(
    "that %s fails all its documents, and no others",
    async (_, signal, code, strikes) => {
      await using renderer = pool({ processes: 1, compileTimeoutMs: 5000 });
      const good = renderer.open(LETTER);
      let struck = 0;
      // Included templates are read once for all attempts, so each attempt reads a different one when it is killed.
      const bytes = including("1");
      const openPoison = () =>
        renderer.open(bytes, {
          readTemplate: async (name) => {
            struck += 1;
            await strike(renderer, signal);
            return including(`${Number(name) + 1}`);
          },
        });
      const poison = openPoison();
      const [made, ...errors] = await Promise.all([
        good.render({ name: "x" }),
        ...Array.from({ length: 20 }, () => refusal(poison.render({}))),
      ]);
      expect(linesOf(made.bytes)).toEqual(["Dear x"]);
      expect(new Set(errors)).toEqual(new Set([errors[0]]));
      expect(errors[0]?.code).toBe(code);
      expect(struck).toBe(strikes);
      expect((await refusal(poison.render({}))).code).toBe(code);
    },
  );

  /**
   * Returns a pool in which a template has killed two processes, each after it had read `terms` and requested the next
   * include.
   */
  async function poisoned(terms: Uint8Array, tenant: string) {
    const renderer = pool({ processes: 1 });
    let struck = 0;
    const strikeOnce = async (): Promise<Uint8Array> => {
      struck += 1;
      await strike(renderer, "SIGKILL");
      throw new QuireError("storage_failed", "Try again later.", { retryable: true });
    };
    const readTemplate = (name: string) =>
      name === "terms" ? Promise.resolve(terms) : strikeOnce();
    const bytes = including("terms");
    const open = () => renderer.open(bytes, { tenant, readTemplate });
    const { code } = await refusal(open().render({}));
    return {
      open,
      bytes,
      code,
      struck: () => struck,
      renderer,
      [Symbol.asyncDispose]: () => renderer.close(),
    };
  }

  test("is rejected when it is opened again, but not with other content or for another tenant", async () => {
    const more = including("more");
    await using poison = await poisoned(more, "ann");
    expect([poison.code, poison.struck()]).toEqual(["render_failed", 2]);
    expect((await refusal(poison.open().render({}))).code).toBe("render_failed");
    expect(poison.struck()).toBe(2);
    const content = async (tenant: string, terms: Uint8Array): Promise<string[]> => {
      const template = poison.renderer.open(poison.bytes, {
        tenant,
        readTemplate: async (name) => (name === "terms" ? terms : docx({ body: p("More") })),
      });
      return linesOf((await template.render({})).bytes);
    };
    expect(await content("bob", docx({ body: p("Other terms") }))).toEqual(["Other terms"]);
    expect(await content("bob", more)).toEqual(["More"]);
    expect(await content("ann", docx({ body: p("Mended terms") }))).toEqual(["Mended terms"]);
  });
});

describe.concurrent("the processes of a pool", () => {
  test("start on demand and end after close()", async () => {
    const renderer = pool();
    expect(renderer.processes()).toEqual([]);
    const template = renderer.open(LETTER);
    await Promise.all(Array.from({ length: 50 }, () => template.render({ name: "x" })));
    const pids = renderer.processes();
    expect(pids.length).toBeGreaterThan(0);
    await renderer.close();
    await renderer.close();
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await refusal(template.render({}))).code).toBe("unavailable");
  });

  test("end when they are idle, and are replaced when they crash or have rendered many documents", async () => {
    await using renderer = pool({ processes: 1, idleMs: 300, documentsPerProcess: 3 });
    const template = renderer.open(LETTER);
    await template.render({ name: "x" });
    const [first = 0] = renderer.processes();
    process.kill(first, "SIGKILL");
    expect(linesOf((await template.render({ name: "y" })).bytes)).toEqual(["Dear y"]);
    const seen = new Set(renderer.processes());
    expect(seen).not.toContain(first);
    for (let turn = 0; turn < 8; turn++) {
      await template.render({ name: "z" });
      for (const pid of renderer.processes()) seen.add(pid);
    }
    expect(seen.size).toBeGreaterThan(2);
    await until(() => renderer.processes().length === 0);
  });

  test("end with their host, even if it is killed while one of them is busy", async () => {
    const script = fileURLToPath(new URL("support/pool-host.ts", import.meta.url));
    const host = spawn(process.execPath, ["--no-warnings", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pids = await new Promise<string>((resolve) => {
      host.stdout.once("data", (data) => resolve(String(data)));
    });
    const [child = 0] = pids.trim().split(" ").map(Number);
    expect(isAlive(child)).toBe(true);
    process.kill(child, "SIGSTOP"); // the process cannot respond
    host.kill("SIGKILL");
    process.kill(child, "SIGCONT");
    await until(() => !isAlive(child));
  });

  const printed = async (lines: string): Promise<string> => {
    const url = new URL("../dist/index.js", import.meta.url);
    const letter = new URL("support/pool-program.ts", import.meta.url);
    const program = `
      import { renderPool } from ${JSON.stringify(url.href)};
      import { LETTER } from ${JSON.stringify(letter.href)};
      ${lines}`;
    const flags = ["--no-warnings", "--input-type=module", "--eval", program];
    return (await promisify(execFile)(process.execPath, flags)).stdout;
  };

  test("do not keep their host running", async () => {
    const lines = `
      const { bytes } = await renderPool().open(LETTER).render({ name: "x" });
      process.stdout.write(String(bytes.length > 0));`;
    expect(await printed(lines)).toBe("true");
  });

  test("keep an otherwise idle host running until close() is done", async () => {
    const lines = `
      for (let turn = 0; turn < 2; turn++) {
        const pool = renderPool({ processes: 2 });
        const letter = pool.open(LETTER);
        await Promise.all(Array.from({ length: 10 }, () => letter.render({ name: "x" })));
        await pool.close();
        process.stdout.write(".");
      }`;
    expect(await printed(lines)).toBe("..");
  });

  test("cancel aborted documents, both waiting and running ones", async () => {
    await using renderer = pool({ processes: 1 });
    const template = renderer.open(LETTER);
    const abort = new AbortController();
    const { signal } = abort;
    const readFile = async (): Promise<Uint8Array> => {
      abort.abort();
      return new Promise(() => {});
    };
    const running = refusal(template.render(ASKING, { readFile, signal }));
    const waiting = Array.from({ length: 200 }, () =>
      refusal(template.render({ name: "x" }, { signal })),
    );
    const codes = (await Promise.all([running, ...waiting])).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(["aborted"]));
    expect((await refusal(template.render({ name: "x" }, { signal }))).code).toBe("aborted");
  });

  // This test is not concurrent, because it changes the test process, which all tests share.
  test("that cannot start are reported as such", { concurrent: false }, async () => {
    await using renderer = pool();
    const { execPath } = process;
    process.execPath = "/there/is/no/node";
    try {
      const error = await refusal(renderer.open(LETTER).render({}));
      expect([error.code, error.retryable]).toEqual(["unavailable", true]);
    } finally {
      process.execPath = execPath;
    }
    expect(linesOf((await renderer.open(LETTER).render({ name: "x" })).bytes)).toEqual(["Dear x"]);
  });

  test("accept at most as many documents as may wait", async () => {
    await using renderer = pool({ processes: 1, maxWaiting: 5 });
    const template = renderer.open(LETTER);
    const renderings = Array.from({ length: 8 }, () => template.render({ name: "x" }));
    const outcomes = await Promise.allSettled(renderings);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => "fulfilled"),
      ...Array.from({ length: 3 }, () => "rejected"),
    ]);
    expect((await refusal(renderings[7] ?? expect.fail())).code).toBe("limit_exceeded");
  });
});
