import type { DelayProxy } from "../../packages/postgres/test/support/delay-proxy.ts";
import {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgres,
} from "../../packages/postgres/test/support/postgres-server.ts";
import { type Break, HUB, type Machine, NETWORK } from "./network.ts";

/** The port of the hub that leads to the primary. */
export const DATABASE_PORT = 5432;

/**
 * Where the old primary is when the standby is promoted: it has been killed, nothing reaches it any more, or it still
 * serves its old connections for a while. Only a synchronous standby makes the last one harmless.
 */
export type Fencing = "killed" | "unreachable" | "late";
export const FENCINGS: readonly Fencing[] = ["killed", "unreachable", "late"];

/** A commit is acknowledged only after the standby has it, also directly after a failover. */
const SETTINGS = {
  synchronous_standby_names: "*",
  wal_retrieve_retry_interval: "500ms",
  wal_sender_timeout: "5s",
  wal_receiver_timeout: "5s",
};

/** A server and the machine on which it runs. */
interface Side {
  readonly machine: Machine;
  readonly server: PostgresServer;
}

/** A primary and its synchronous standby, behind one address of the hub. */
export class DatabasePair {
  readonly #proxy: DelayProxy;
  #primary: Side;
  #standby: Side;

  private constructor(proxy: DelayProxy, primary: Side, standby: Side) {
    this.#proxy = proxy;
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(
    proxy: DelayProxy,
    machines: readonly [Machine, Machine],
  ): Promise<DatabasePair> {
    const [one, other] = machines;
    const primary = { machine: one, server: await startPostgres(optionsOn(one)) };
    const standbyOf = primary.server.url;
    const standby = {
      machine: other,
      server: await startPostgres({ ...optionsOn(other), standbyOf }),
    };
    const pair = new DatabasePair(proxy, primary, standby);
    await pair.#lead("close");
    return pair;
  }

  /** The URL of the primary itself. */
  get url(): string {
    return this.#primary.server.url;
  }

  /** Kills the primary, and starts it again after a pause. */
  async restartPrimary(pause: () => Promise<void>): Promise<void> {
    await restart(this.#primary, pause);
  }

  /** Kills the standby, and starts it again after a pause. In the meantime, no commit is acknowledged. */
  async restartStandby(pause: () => Promise<void>): Promise<void> {
    await restart(this.#standby, pause);
  }

  /** Breaks the link between both servers for a while. In the meantime, no commit is acknowledged. */
  async breakReplication(how: Break, pause: () => Promise<void>): Promise<void> {
    const { machine } = this.#standby;
    await machine.breakLink(how, this.#primary.machine.host);
    await pause();
    await machine.heal();
  }

  /** Promotes the standby, and makes a new standby of the machine of the old primary. */
  async failover(fencing: Fencing, pause: () => Promise<void>): Promise<void> {
    const [old, next] = [this.#primary, this.#standby];
    if (fencing === "killed") await old.server.kill();
    if (fencing === "unreachable") {
      await old.machine.breakLink("blackhole", HUB);
      await old.machine.breakLink("blackhole", next.machine.host);
    }
    await pause();
    await next.server.promote();
    this.#primary = next;
    // The proxy does not notice that a machine is unreachable. Connections to it hang.
    await this.#lead("keep");
    await pause();
    await old.server.destroy();
    await old.machine.heal();
    // As after a power failure, nobody answers for the old connections.
    if (fencing === "unreachable") await old.machine.breakLink("blackhole", HUB, old.server.port);
    const standbyOf = next.server.url;
    const server = await startPostgres({ ...optionsOn(old.machine), standbyOf });
    this.#standby = { machine: old.machine, server };
  }

  #lead(old: "keep" | "close"): Promise<void> {
    const { machine, server } = this.#primary;
    return this.#proxy.lead(DATABASE_PORT, `${machine.host}:${server.port}`, old);
  }
}

async function restart({ server }: Side, pause: () => Promise<void>): Promise<void> {
  await server.kill();
  await pause();
  await server.start();
}

function optionsOn({ host, command }: Machine): PostgresServerOptions {
  return { settings: SETTINGS, machine: { host, network: NETWORK, command } };
}
