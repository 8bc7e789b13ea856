import { existsSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { expect, test } from "vitest";
import { pool } from "./support/pool.ts";
import { ITEMS, SLOW } from "./support/preemption.ts";

/** `ITEMS` repeated, so that rendering takes a few seconds. */
const MANY = { l: [...ITEMS.l, ...ITEMS.l, ...ITEMS.l] };

/** Whether this user may raise priorities. */
function mayRaise(): boolean {
  const own = getPriority();
  try {
    setPriority(Math.max(own - 1, -20));
    setPriority(own);
    return true;
  } catch {
    return false;
  }
}

/** Returns the priorities of a process and of its session, if the kernel shares the processor among sessions. */
function priorityOf(pid: number): string {
  const file = `/proc/${pid}/autogroup`;
  const session = existsSync(file)
    ? readFileSync(file, "utf8")
        .replace(/.* nice /s, "")
        .trim()
    : "";
  return session === "" ? `${getPriority(pid)}` : `${getPriority(pid)} ${session}`;
}

test.runIf(process.platform === "linux" && mayRaise())(
  "a process has a lower priority while it renders a slow document of a tenant",
  async () => {
    await using renderer = pool({ processes: 1 });
    const template = renderer.open(SLOW, { tenant: "a" });
    await template.render(ITEMS);
    const [pid = 0] = renderer.processes();
    const usual = priorityOf(pid);
    const slow = template.render(MANY);
    await expect.poll(() => priorityOf(pid), { timeout: 20_000 }).toMatch(/^19( 19)?$/);
    await slow;
    expect(priorityOf(pid)).toBe(usual);
    const forNobody = renderer.open(SLOW).render(MANY);
    const seen = new Set<string>();
    const timer = setInterval(() => seen.add(priorityOf(pid)), 50);
    await forNobody;
    clearInterval(timer);
    expect([...seen]).toEqual([usual]);
  },
);
