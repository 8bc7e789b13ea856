/**
 * A program that keeps many slow connections open for some time, and then waits until the service has ended all of
 * them. Usage: `node dripper.ts '<JSON of DripTask>'`. Prints the results as JSON.
 */
import { readFile } from "node:fs/promises";
import { connect, type OnReadOpts, type Socket } from "node:net";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DRIPS, type DripKind, type DripTarget } from "./drips.ts";

/** What to connect to, and how many connections to open. */
export interface DripTask extends DripTarget {
  readonly connections: number;
  /** The time during which each connection that ends is replaced by a new one, in seconds. */
  readonly seconds: number;
  /** Kinds of connections with a longer time limit are skipped. */
  readonly longestMs: number;
  /** Only kinds whose name contains this are used. */
  readonly only: string;
}

/** The results for one kind of connection. */
export interface Dripped {
  readonly opened: number;
  /** The longest time in milliseconds that the service kept a connection open past its limit. */
  readonly lateMs: number;
  readonly longestMs: number;
  readonly left: number;
  /** Number of responses by status. */
  readonly answers: Readonly<Record<string, number>>;
}

/** How long to wait for the end of a connection after its limit, in milliseconds. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 250;
const UNSEEN_MS = 5_000;
const DRIP_EVERY_MS = 1000;
/** The column of the inode in /proc/net/tcp. */
const INODE = 9;

interface Drip {
  readonly kind: DripKind;
  readonly socket: Socket;
  /** The local port; 0 until the connection is established. */
  port: number;
  readonly openedAt: number;
  /** When the time limit began to run; null before that. */
  beganAt: number | null;
  isClosed: boolean;
  wasHeld: boolean;
  text: string;
  sent: number;
}

type Tally = { -readonly [key in keyof Dripped]: Dripped[key] } & {
  answers: Record<string, number>;
};

async function dripAll(task: DripTask): Promise<Record<string, Dripped>> {
  const kinds = DRIPS.filter(
    ({ name, limitMs }) => limitMs <= task.longestMs && name.includes(task.only),
  );
  const shares = kinds.reduce((sum, { share }) => sum + share, 0);
  const tallies = new Map<DripKind, Tally>();
  const held = new Set<Drip>();
  for (const kind of kinds) {
    tallies.set(kind, { opened: 0, lateMs: 0, longestMs: 0, left: 0, answers: {} });
    const count = Math.round((task.connections * kind.share) / shares);
    for (let number = 0; number < count; number++) held.add(open(kind, task));
  }
  const end = performance.now() + task.seconds * 1000;
  while (held.size > 0) {
    await sleep(LOOK_EVERY_MS);
    const ports = await heldPorts(task.host);
    const now = performance.now();
    for (const drip of [...held]) {
      if (!isOver(drip, ports, now)) continue;
      held.delete(drip);
      close(drip, tallies.get(drip.kind) as Tally, now);
      if (now < end) held.add(open(drip.kind, task));
    }
  }
  return Object.fromEntries([...tallies].map(([{ name }, tally]) => [name, tally]));
}

/** Whether the service has ended a connection, or has kept it open far beyond its limit. */
function isOver(drip: Drip, ports: ReadonlySet<number>, now: number): boolean {
  const { port, kind, openedAt, beganAt } = drip;
  const isHeld = port > 0 && ports.has(port);
  drip.wasHeld ||= isHeld;
  // The connection may have ended between two checks. A client that reads nothing does not notice that.
  const wasThere = drip.wasHeld || drip.isClosed || now - openedAt > UNSEEN_MS;
  if (!isHeld && wasThere) return true;
  return beganAt !== null && now - beganAt > kind.limitMs + PATIENCE_MS;
}

function close(drip: Drip, tally: Tally, now: number): void {
  const { kind, socket, beganAt, isClosed, wasHeld, text } = drip;
  tally.opened += 1;
  const ms = now - (beganAt ?? now);
  tally.longestMs = Math.max(tally.longestMs, Math.round(ms));
  tally.lateMs = Math.max(tally.lateMs, Math.round(ms - kind.limitMs));
  if (ms > kind.limitMs + PATIENCE_MS && wasHeld && !isClosed) tally.left += 1;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  for (const status of statuses.length > 0 ? statuses : ["none"])
    tally.answers[status as string] = (tally.answers[status as string] ?? 0) + 1;
  socket.destroy();
}

let names = 0;

function open(kind: DripKind, target: DripTarget): Drip {
  const { hostname, port } = new URL(`http://${target.host}`);
  const drops = kind.reads === undefined ? {} : { onread: dropsOf(kind.reads) };
  const address = { host: hostname, port: Number(port) };
  const socket = connect({ ...address, allowHalfOpen: true, ...drops });
  const drip: Drip = {
    kind,
    socket,
    port: 0,
    openedAt: performance.now(),
    beganAt: null,
    isClosed: false,
    wasHeld: false,
    text: "",
    sent: 0,
  };
  socket.setEncoding("latin1").on("error", () => {});
  socket.on("data", (text: string) => {
    if (drip.text.length < 10_000) drip.text += text;
  });
  const begin = (): void => {
    drip.beganAt = performance.now();
    const first = kind.first?.(target, `d${process.pid}-${++names}.docx`);
    if (first !== undefined) socket.write(first, "latin1");
    if (kind.isHalfClosed === true) socket.end();
    if (kind.reads === 0) socket.pause();
  };
  socket.once("connect", () => {
    drip.port = socket.localPort ?? 0;
    if (kind.opening === undefined) {
      begin();
    } else {
      socket.write(kind.opening(target));
      socket.once("data", begin);
    }
  });
  const timer = setInterval(() => dripOne(drip), kind.everyMs ?? DRIP_EVERY_MS);
  socket.once("close", () => {
    clearInterval(timer);
    drip.isClosed = true;
  });
  return drip;
}

function dripOne(drip: Drip): void {
  const { kind, socket, beganAt } = drip;
  if (beganAt === null || kind.drips === undefined) return;
  const text = kind.drips[drip.sent % kind.drips.length] ?? "";
  drip.sent += 1;
  if (text !== "") socket.write(text, "latin1");
  if (kind.reads !== undefined && kind.reads > 0) socket.resume();
}

/** Makes a socket read at most this many bytes from the system, and then nothing until it is resumed. */
function dropsOf(bytes: number): OnReadOpts {
  return { buffer: Buffer.alloc(Math.max(bytes, 1)), callback: () => false };
}

/**
 * Returns the local ports of the connections that the service still holds. A client that reads nothing does not notice
 * when they end. Connections that no process holds have no inode.
 */
async function heldPorts(host: string): Promise<Set<number>> {
  const port = Number(host.split(":")[1]);
  const ports = new Set<number>();
  for (const line of (await readFile("/proc/net/tcp", "utf8")).split("\n").slice(1)) {
    const fields = line.trim().split(/\s+/);
    const [, local = "", remote = ""] = fields;
    if (portOf(local) === port && fields[INODE] !== "0") ports.add(portOf(remote));
  }
  return ports;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "", 16);
}

// This process gets a lower priority, because in reality these connections come from other machines.
setPriority(10);
const dripped = await dripAll(JSON.parse(process.argv[2] ?? "") as DripTask);
process.stdout.write(JSON.stringify(dripped), () => process.exit());
