import { setTimeout as sleep } from "node:timers/promises";
import { DATABASE_PORT, type DatabasePair, FENCINGS } from "./database-pair.ts";
import { type Break, HUB } from "./network.ts";
import type { QuireProcess, Role } from "./quire-process.ts";

/** The port of the hub that leads to the bucket. */
export const BUCKET_PORT = 8000;
const BREAKS: readonly Break[] = ["blackhole", "loss", "reset"];
/** A process that cannot use its database for this time must say that it is not ready. */
const NOTICED_MS = 5000;
const MAX_KILLED_MS = 3000;
/** The share of killed servers that are the standby. */
const STANDBY = 0.3;
const MIN_BROKEN_MS = 1000;
const MAX_BROKEN_MS = 10_000;

/** Numbers of faults. */
export interface FaultCounts {
  /** Kills of workers, which start again. */
  readonly workers: number;
  /** Kills of request nodes, which start again. */
  readonly nodes: number;
  /** Kills of a server of the database, which starts again: mostly the primary, sometimes the standby. */
  readonly servers: number;
  /** Broken links. */
  readonly cuts: number;
  /** Failovers to the standby. */
  readonly promotions: number;
}

/** A fault. Resolves when it is over. */
export interface Fault {
  readonly what: string;
  run(): Promise<void>;
}

/** What faults break. */
export interface Victims {
  readonly processes: readonly QuireProcess[];
  readonly pair: DatabasePair;
  readonly random: () => number;
  readonly report: (violation: string) => void;
}

/** Returns the faults in a random order. Faults of one victim do not overlap. */
export function planFaults(counts: FaultCounts, victims: Victims): Fault[] {
  const { random } = victims;
  const locks = new Locks();
  const many = (count: number, make: () => Fault): Fault[] => Array.from({ length: count }, make);
  const faults = [
    ...many(counts.workers, () => kill(victims, locks, "work")),
    ...many(counts.nodes, () => kill(victims, locks, "serve")),
    ...many(counts.servers, () => killServer(victims, locks)),
    ...many(counts.cuts, () => cut(victims, locks)),
    ...Array.from({ length: counts.promotions }, (_, index) => failover(victims, locks, index)),
  ];
  return faults
    .map((fault) => ({ fault, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ fault }) => fault);
}

function kill({ processes, random }: Victims, locks: Locks, role: Role): Fault {
  const pauseMs = random() * MAX_KILLED_MS;
  const victim = pick(
    processes.filter((process) => process.role === role),
    random,
  );
  const run = () =>
    locks.hold(victim, async () => {
      await victim.kill();
      await sleep(pauseMs);
      await victim.start();
    });
  return { what: `kill of ${victim.machine.name}`, run };
}

function killServer({ pair, random }: Victims, locks: Locks): Fault {
  const pauseMs = random() * MAX_KILLED_MS;
  const pause = () => sleep(pauseMs);
  if (random() < STANDBY) {
    const run = () => locks.hold(pair, () => pair.restartStandby(pause));
    return { what: "kill of the standby", run };
  }
  const run = () => locks.hold(pair, () => pair.restartPrimary(pause));
  return { what: "kill of the primary", run };
}

function cut({ processes, pair, random, report }: Victims, locks: Locks): Fault {
  const brokenMs = MIN_BROKEN_MS + random() * (MAX_BROKEN_MS - MIN_BROKEN_MS);
  const how = pick(BREAKS, random);
  const chosen = random();
  if (chosen < 0.15) {
    const run = () => locks.hold(pair, () => pair.breakReplication(how, () => sleep(brokenMs)));
    return { what: `${how} between the databases`, run };
  }
  const victim = pick(processes, random);
  const { machine } = victim;
  const [to, port] = pick(
    [
      ["everything", null],
      ["the database", DATABASE_PORT],
      ["the bucket", BUCKET_PORT],
    ] as const,
    random,
  );
  const run = () =>
    locks.hold(victim, async () => {
      await machine.breakLink(how, HUB, port);
      if (port === DATABASE_PORT && how === "blackhole" && brokenMs > NOTICED_MS) {
        await sleep(brokenMs - NOTICED_MS);
        if (await victim.isReady()) report(`${machine.name} is ready without its database`);
      } else await sleep(brokenMs);
      await machine.heal();
    });
  return { what: `${how} between ${machine.name} and ${to}`, run };
}

function failover({ pair, random }: Victims, locks: Locks, index: number): Fault {
  const fencing = FENCINGS[index % FENCINGS.length] ?? "killed";
  const pauseMs = random() * MAX_KILLED_MS;
  const run = () => locks.hold(pair, () => pair.failover(fencing, () => sleep(pauseMs)));
  return { what: `failover, the old primary is fenced: ${fencing}`, run };
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Makes faults of one victim wait for each other. */
class Locks {
  readonly #last = new Map<object, Promise<void>>();

  hold(victim: object, body: () => Promise<void>): Promise<void> {
    const before = this.#last.get(victim) ?? Promise.resolve();
    const held = before.then(body);
    this.#last.set(
      victim,
      held.catch(() => {}),
    );
    return held;
  }
}
