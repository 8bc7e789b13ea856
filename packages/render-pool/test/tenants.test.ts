import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { docx, linesOf, p } from "../../ooxml/test/support/docx.ts";
import { pool } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

const HELLO = docx({ body: p("Hello {{name}}") });

/** Returns documents of a tenant that occupy their processes until they are aborted. */
function holding(renderer: ReturnType<typeof pool>, tenant: string) {
  const giveUp = new AbortController();
  const ends: (() => void)[] = [];
  const held = new Set<string>();
  const template = renderer.open(LETTER, { tenant });
  const hold = (name: string): Promise<unknown> =>
    template
      .render(ASKING, {
        readFile: () => {
          held.add(name);
          return new Promise((_, reject) => ends.push(() => reject(new Error("No file."))));
        },
        signal: giveUp.signal,
      })
      .catch(() => {});
  return { hold, held, giveUp, endOne: () => ends.shift()?.() };
}

describe.concurrent("a pool whose processes are occupied by long documents of one tenant", () => {
  test.each([1, 2])(
    "starts one more process for another tenant, with %i processes",
    async (processes) => {
      await using renderer = pool({ processes });
      const slow = holding(renderer, "slow");
      const all = Array.from({ length: 30 }, (_, number) => slow.hold(`${number}`));
      await expect.poll(() => slow.held.size, { timeout: 30_000 }).toBe(processes);
      const other = renderer.open(HELLO, { tenant: "other" });
      for (let number = 0; number < 20; number++) {
        const { bytes } = await other.render({ name: `N${number}` });
        expect(linesOf(bytes)).toEqual([`Hello N${number}`]);
      }
      expect(slow.held.size).toBe(processes);
      expect(renderer.processes()).toHaveLength(processes + 1);
      slow.giveUp.abort();
      await Promise.all(all);
    },
  );

  test("starts no additional process for the same tenant, whose templates take turns", async () => {
    await using renderer = pool({ processes: 2 });
    const slow = holding(renderer, "slow");
    const all = Array.from({ length: 30 }, (_, number) => slow.hold(`${number}`));
    await expect.poll(() => slow.held.size, { timeout: 30_000 }).toBe(2);
    const own = renderer.open(HELLO, { tenant: "slow" });
    const quick = Array.from({ length: 20 }, () => own.render({ name: "x" }));
    // During this time, a process may accept another long document, because the pool does not know their duration yet.
    await setTimeout(1_000);
    slow.endOne();
    await Promise.all(quick);
    expect(slow.held.size).toBeLessThanOrEqual(3);
    expect(renderer.processes()).toHaveLength(2);
    slow.giveUp.abort();
    await Promise.all(all);
  });

  test("shares its time between tenants with many documents", async () => {
    await using renderer = pool({ processes: 1 });
    const many = renderer.open(LETTER, { tenant: "many" });
    const few = renderer.open(LETTER, { tenant: "few" });
    let done = 0;
    const first = Array.from({ length: 1000 }, () =>
      many.render({ name: "x" }).then(() => {
        done += 1;
      }),
    );
    await Promise.all(Array.from({ length: 10 }, () => few.render({ name: "y" })));
    // In the order of arrival, all 1,000 would be done. How many are depends on the load of the machine.
    expect(done).toBeLessThan(900);
    await Promise.all(first);
  });
});
