import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const START_MS = 60_000;

/** A server that listens on 127.0.0.1, or on the address of its machine. */
export interface PostgresServer {
  /** The URL of its database `postgres`, for its owner. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Kills all its processes at once. Unlike after a power failure, the disk has everything that was written. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill} or `stop`. */
  start(): Promise<void>;
  /** Makes a standby a primary. */
  promote(): Promise<void>;
  /** Stops it in order. */
  stop(): Promise<void>;
  /** Stops it, and removes its files. */
  destroy(): Promise<void>;
}

/** Options of {@link startPostgres}. */
export interface PostgresServerOptions {
  /** Without it, the server starts faster and a crash of the machine could lose data. Default true. */
  readonly fsync?: boolean;
  /** Default: anybody on this machine may connect without a password. */
  readonly password?: string;
  /** The URL of a primary, which the server follows as a standby. Default: the server is a primary. */
  readonly standbyOf?: string;
  /** Further settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The machine on which the server runs. Default: this one. */
  readonly machine?: ServerMachine;
}

/** A machine on which a server runs. */
export interface ServerMachine {
  /** Its address. The server listens there. */
  readonly host: string;
  /** The addresses that may connect without a password, in CIDR notation. */
  readonly network: string;
  /** Returns the command that runs a command on the machine. Killing its process kills all processes of the command. */
  command(command: readonly string[], user: ServerUser | null): readonly string[];
}

/** The user as which a server runs. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a server with a new, empty data folder. PostgreSQL does not run as root: root starts it as `postgres`. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = await programFolder();
  const user = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), "quire-postgres-"));
  if (user !== null) {
    await chown(folder, user.uid, user.gid);
    // The folder of the test run is only for its owner. The server must be able to enter it.
    if (basename(tmpdir()).startsWith("quire-")) await chmod(tmpdir(), 0o711);
  }
  const data = join(folder, "data");
  const as = { ...(user ?? {}), cwd: "/" };
  const { standbyOf, password } = options;
  if (standbyOf === undefined) {
    const secretFile = join(folder, "password");
    await writeFile(secretFile, password ?? "");
    const auth = password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256"];
    const pwfile = password === undefined ? [] : [`--pwfile=${secretFile}`];
    if (user !== null) await chown(secretFile, user.uid, user.gid);
    await run(
      join(programs, "initdb"),
      ["-D", data, "-U", "quire", ...auth, ...pwfile, "-E", "UTF8", "--locale", "C", "-N"],
      as,
    );
  } else {
    const from = ["-D", data, "-d", standbyOf, "-R", "-c", "fast", "-X", "stream"];
    await run(join(programs, "pg_basebackup"), from, as);
  }
  const port = await freePort();
  const { fsync = true, settings = {}, machine } = options;
  const host = machine?.host ?? "127.0.0.1";
  if (machine !== undefined && standbyOf === undefined) {
    const trusted = ["all", "replication"].map(
      (what) => `host ${what} all ${machine.network} trust\n`,
    );
    await appendFile(join(data, "pg_hba.conf"), trusted.join(""));
  }
  const all = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: "",
    max_connections: "300",
    // A server that is killed leaves its shared memory in its folder, which is removed.
    dynamic_shared_memory_type: "mmap",
    fsync: fsync ? "on" : "off",
    ...(fsync ? {} : { synchronous_commit: "on", full_page_writes: "off" }),
    ...settings,
  };
  const args = [
    "-D",
    data,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const secret = password === undefined ? "" : `:${password}`;
  const url = `postgres://quire${secret}@${host}:${port}/postgres`;
  const spawnServer = (): ChildProcess => {
    const own = [join(programs, "postgres"), ...args];
    const [command = "", ...rest] = machine?.command(own, user) ?? own;
    return spawn(command, rest, {
      ...(machine === undefined ? as : { cwd: "/" }),
      stdio: "ignore",
    });
  };
  let child = spawnServer();
  const end = async (signal: "SIGQUIT" | "SIGINT" | "SIGKILL"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  const server: PostgresServer = {
    url,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    // The postmaster's children notice its death, and end.
    kill: () => end("SIGKILL"),
    start: async () => {
      // After a kill, the old children may still use the shared memory for a moment.
      for (const endAt = performance.now() + START_MS; ; await sleep(50)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          child = spawnServer();
        }
        if (await answers(url)) return;
        if (performance.now() > endAt) throw new Error("PostgreSQL did not start in time.");
      }
    },
    promote: () => promote(url),
    stop: () => end("SIGINT"),
    destroy: async () => {
      await end("SIGQUIT");
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  await server.start();
  return server;
}

/** Debian installs the programs outside of the search path. */
async function programFolder(): Promise<string> {
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  return newest === undefined ? "" : join(root, String(newest), "bin");
}

async function serverUser(): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** Finds a port of this machine that is free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Asks the server itself, because pg_ctl cannot signal a process of another machine. */
async function promote(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("SELECT pg_promote()");
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
