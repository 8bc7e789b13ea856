import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** A real S3 server on this machine: Ceph's gateway with one monitor and one disk. */
export interface Radosgw {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A running server. `stop` also removes its files. */
export interface RunningRadosgw extends Radosgw {
  readonly stop: () => Promise<void>;
}

const PROGRAMS = ["ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"];
const START_MS = 120_000;
/** In memory, a small object takes up 30 to 50 KB. */
const IN_MEMORY = "osd objectstore = memstore\nmemstore device bytes = 2147483648";
/** A sparse file of 40 GB, and a cache of 2 GB. */
const ON_DISK = `osd objectstore = bluestore
bluestore block size = 42949672960
osd memory target = 2147483648`;

/** Options of {@link startRadosgw}. */
export interface RadosgwOptions {
  /** Whether the objects are in a file instead of in memory. For more than about 100,000 objects. Default: false. */
  readonly onDisk?: boolean;
}

/**
 * Starts the server, which takes about six seconds on an idle machine. If this fails, rejects with the output of the
 * programs.
 */
export async function startRadosgw({
  onDisk = false,
}: RadosgwOptions = {}): Promise<RunningRadosgw> {
  const missing = PROGRAMS.filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    throw new Error(
      `The tests of storage-s3 need a real S3 server, and ${missing.join(", ")} is missing. ` +
        "Run `npm run setup -- --tests`, or install, on Debian or Ubuntu as root: " +
        "apt-get install --no-install-recommends ceph-common ceph-mon ceph-osd radosgw.",
    );
  }
  const folder = await mkdtemp(join(tmpdir(), "quire-radosgw-"));
  const cluster = new Cluster(folder, onDisk ? ON_DISK : IN_MEMORY);
  try {
    return { ...(await cluster.start()), stop: () => cluster.stop() };
  } catch (error) {
    const logs = await cluster.logs();
    await cluster.stop();
    throw new Error(`The S3 server for the tests failed to start.\n${logs}`, { cause: error });
  }
}

/**
 * Runs a daemon while the other end of its standard input is open. The daemon therefore ends with this process, no
 * matter how this process ends, and its files are removed. If a daemon ends by itself, its files are kept for their
 * logs.
 */
const KEEPER = `
  trap "" INT TERM HUP
  exec 3<&0
  "$@" 3<&- </dev/null & daemon=$!
  { cat <&3 >/dev/null; kill -9 $daemon; } & watch=$!
  wait $daemon
  [ $? = 137 ] || { kill -9 $watch; exit 1; }
  rm -rf "$0" || { sleep 1; rm -rf "$0"; }`;

class Cluster {
  readonly #folder: string;
  /** The settings of the disk. */
  readonly #disk: string;
  readonly #keepers: ChildProcess[] = [];
  readonly #signal: AbortSignal;
  readonly #failed = new AbortController();

  constructor(folder: string, disk: string) {
    this.#folder = folder;
    this.#disk = disk;
    this.#signal = AbortSignal.any([AbortSignal.timeout(START_MS), this.#failed.signal]);
  }

  async start(): Promise<Radosgw> {
    const [monitorPort, port] = await freePorts();
    const fsid = randomUUID();
    const conf = join(this.#folder, "ceph.conf");
    const daemons = configuration(this.#folder, fsid, monitorPort, port);
    await writeFile(conf, `${daemons}${this.#disk}\n`);
    const monmap = join(this.#folder, "monmap");
    const monitor = `[v2:127.0.0.1:${monitorPort}/0]`;
    await this.#run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", monitor, monmap);
    await this.#run("ceph-mon", "-c", conf, "-i", "a", "--mkfs", "--monmap", monmap);
    this.#keep("ceph-mon", "-c", conf, "-i", "a", "-f");
    const osd = randomUUID();
    await mkdir(join(this.#folder, "osd"));
    await this.#run("ceph", "-c", conf, "osd", "new", osd);
    await this.#run("ceph-osd", "-c", conf, "-i", "0", "--mkfs", "--osd-uuid", osd);
    this.#keep("ceph-osd", "-c", conf, "-i", "0", "-f");
    const keys = { accessKeyId: randomBytes(8).toString("hex"), secretAccessKey: randomUUID() };
    const user = ["--uid=tests", "--display-name=tests", `--access-key=${keys.accessKeyId}`];
    const secret = `--secret=${keys.secretAccessKey}`;
    await this.#run("radosgw-admin", "-c", conf, "user", "create", ...user, secret);
    this.#keep("radosgw", "-c", conf, "-n", "client.admin", "-f");
    const endpoint = `http://127.0.0.1:${port}`;
    await this.#untilItAnswers(endpoint);
    return { endpoint, ...keys };
  }

  async stop(): Promise<void> {
    this.#failed.abort();
    await Promise.all(this.#keepers.map(ended));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Returns the last log lines of each program. */
  async logs(): Promise<string> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".log"));
    const texts = names.map(async (name) => {
      const lines = (await readFile(join(this.#folder, name), "utf8")).trim().split("\n");
      return [`--- ${name}`, ...lines.slice(-10)].join("\n");
    });
    return (await Promise.all(texts)).join("\n");
  }

  #keep(...command: string[]): void {
    const keeper = spawn("sh", ["-c", KEEPER, this.#folder, ...command], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    keeper.once("exit", () => this.#failed.abort(new Error(`${command[0]} exited unexpectedly.`)));
    this.#keepers.push(keeper);
  }

  async #run(program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(program, args, { signal: this.#signal, killSignal: "SIGKILL" });
  }

  async #untilItAnswers(endpoint: string): Promise<void> {
    for (;;) {
      const answer = await fetch(endpoint, { signal: this.#signal }).catch(() => null);
      if (answer?.ok) return;
      this.#signal.throwIfAborted();
      await sleep(100);
    }
  }
}

async function ended(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const exit = once(keeper, "exit");
  keeper.stdin?.end();
  await exit;
}

/**
 * Returns the configuration of the server: one copy of the data, no passwords between the daemons, and settings for a
 * quick start. By default, the gateway requires a secure connection to the monitor, which needs passwords.
 */
function configuration(folder: string, fsid: string, monitorPort: number, port: number): string {
  return `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${monitorPort}/0
public addr = 127.0.0.1
run dir = ${folder}
admin socket =
log file = ${folder}/$name.log
mon data = ${folder}/mon
osd data = ${folder}/osd
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
paxos propose interval = 0.05
paxos min wait = 0.01
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 64
`;
}

function isInstalled(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => folder !== "" && existsSync(join(folder, program)));
}

/** Finds two loopback ports that are currently free. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()] as const;
  const [first, second] = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    }),
  );
  for (const server of servers) server.close();
  return [first ?? 0, second ?? 0];
}
