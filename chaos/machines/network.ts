import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { ServerUser } from "../../packages/postgres/test/support/postgres-server.ts";

const run = promisify(execFile);

const BRIDGE = "quire0";
/** The network of all machines, and the address of the hub in it. */
export const NETWORK = "10.77.0.0/24";
export const HUB = "10.77.0.1";
/** Machines get the numbers from here, as the last part of their addresses. */
const FIRST = 10;
const SHARE_LOST = 30;
const TABLE = `add table inet chaos
  add chain inet chaos in { type filter hook input priority 0; }
  add chain inet chaos out { type filter hook output priority 0; }`;

/** What a broken link does with packets: drops all, drops 30 %, or answers connections with a reset. */
export type Break = "blackhole" | "loss" | "reset";

/** A machine: its own network with its own loopback. Each command on it has its own process numbers. */
export interface Machine {
  readonly name: string;
  readonly host: string;
  /** Returns the command that runs a command on the machine. Killing its process kills all processes of the command. */
  command(command: readonly string[], user?: ServerUser | null): readonly string[];
  /** Breaks the link to an address, or to one of its ports, until {@link heal}. */
  breakLink(how: Break, host: string, port?: number | null): Promise<void>;
  heal(): Promise<void>;
}

/** Connects machines by a bridge. The process must be in a separate network namespace, which disappears with it. */
export async function createNetwork(): Promise<(name: string) => Promise<Machine>> {
  await run("ip", ["link", "set", "lo", "up"]);
  await run("ip", ["link", "add", BRIDGE, "type", "bridge"]);
  await run("ip", ["addr", "add", `${HUB}/24`, "dev", BRIDGE]);
  await run("ip", ["link", "set", BRIDGE, "up"]);
  let count = 0;
  return (name) => {
    count += 1;
    return addMachine(name, count);
  };
}

async function addMachine(name: string, number: number): Promise<Machine> {
  // The namespace exists as long as a process is in it.
  const { pid = 0 } = spawn("unshare", ["--net", "sleep", "infinity"], { stdio: "ignore" });
  const ours = await readlink("/proc/self/ns/net");
  while ((await readlink(`/proc/${pid}/ns/net`)) === ours) await sleep(5);
  const host = `10.77.0.${FIRST + number}`;
  const enter = ["nsenter", `--net=/proc/${pid}/ns/net`];
  const inside = (...command: string[]) => run("nsenter", [...enter.slice(1), ...command]);
  const [outer, inner] = [`m${number}`, `p${number}`];
  await run("ip", ["link", "add", outer, "type", "veth", "peer", "name", inner]);
  await run("ip", ["link", "set", outer, "master", BRIDGE, "up"]);
  await run("ip", ["link", "set", inner, "netns", String(pid), "name", "eth0"]);
  await inside("ip", "link", "set", "lo", "up");
  await inside("ip", "addr", "add", `${host}/24`, "dev", "eth0");
  await inside("ip", "link", "set", "eth0", "up");
  await inside("nft", TABLE);
  const namespaces = ["--pid", "--ipc", "--fork", "--mount-proc", "--kill-child=KILL"];
  const own = [...enter, "unshare", ...namespaces];
  return {
    name,
    host,
    command: (command, user = null) => [...own, ...asUser(user), ...command],
    breakLink: async (how, peer, port = null) => {
      await inside("nft", rulesOf(how, peer, port).join("\n"));
    },
    heal: async () => {
      await inside("nft", "flush table inet chaos");
    },
  };
}

/** Changing the user ends the connection of a process with its parent's death, so it is set again. */
function asUser(user: ServerUser | null): readonly string[] {
  if (user === null) return [];
  const { uid, gid } = user;
  return ["setpriv", "--pdeathsig=KILL", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}

function rulesOf(how: Break, host: string, port: number | null): string[] {
  const loss = `numgen random mod 100 < ${SHARE_LOST} drop`;
  const verdict = { blackhole: "drop", loss, reset: "meta l4proto tcp reject with tcp reset" }[how];
  const ports = port === null ? [""] : [`tcp sport ${port}`, `tcp dport ${port}`];
  return ports.flatMap((of) => [
    `add rule inet chaos in ip saddr ${host} ${of} ${verdict}`,
    `add rule inet chaos out ip daddr ${host} ${of} ${verdict}`,
  ]);
}

/** Ends a process that {@link Machine.command} describes, with all its descendants. */
export async function killAll(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exit;
}
