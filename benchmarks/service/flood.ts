/**
 * One tenant floods the service, or sends giant batches. These functions measure the effect on another tenant's
 * requests.
 */
import { setTimeout as wait } from "node:timers/promises";
import { smallBatch } from "./bodies.ts";
import { call, type Kind, load, type Server, startService, type Tenant } from "./running.ts";
import type { Ask, GiantTask, ManyTask, Metered, PacedTask, Told } from "./tasks.ts";

/** The load that the disturbing tenant causes, and the conditions of the measurement. */
export interface Disturbance {
  readonly kind: Kind;
  /** Further arguments of `quire serve`. */
  readonly args: readonly string[];
  readonly seconds: number;
  readonly with: "batches" | "reads" | "giants";
  readonly entries: number;
}

/** The results of a round. */
export interface DisturbedRound {
  /** Results of the measured tenant for batches (`post`) and jobs (`get`): alone and under load. */
  readonly alone: { readonly post: Told; readonly get: Told };
  readonly meanwhile: { readonly post: Told; readonly get: Told };
  readonly other: Told;
  readonly meterAlone: Metered;
  readonly meter: Metered;
}

const FLOOD_CONNECTIONS = 100;
/**
 * The priority of the flood. It is low, because in reality the flood comes from other machines instead of using this
 * one's cores.
 */
const FLOOD_NICE = 10;
/** Interval between requests of each kind, in milliseconds. */
const EVERY_MS = 50;
const LEAD_SECONDS = 1;

/** Measures the tenant on a new server, first alone and then under load. */
export async function disturbedRound(what: Disturbance): Promise<DisturbedRound> {
  const { kind, args, seconds } = what;
  await using server = await startService(kind, { tenants: 2, args });
  const [one, other] = server.tenants as [Tenant, Tenant];
  const job = await jobOf(server, one);
  const asks: Ask[] = [smallBatch(one.template, one.folder), { method: "GET", path: job }];
  const { url } = server;
  const paced: PacedTask = {
    kind: "paced",
    url,
    asks,
    token: one.token,
    everyMs: EVERY_MS,
    seconds,
  };
  await load({ ...paced, seconds: 2 });
  const alone = await server.metered(() => load<[Told, Told]>(paced));
  const meanwhile = await server.metered(async () => {
    const disturbing = load<Told>(disturbanceOf(what, url, other));
    await wait(LEAD_SECONDS * 1000);
    const own = await load<[Told, Told]>(paced);
    return { own, other: await disturbing };
  });
  const named = ([post, get]: [Told, Told]) => ({ post, get });
  return {
    alone: named(alone.done),
    meanwhile: named(meanwhile.done.own),
    other: meanwhile.done.other,
    meterAlone: alone.meter,
    meter: meanwhile.meter,
  };
}

function disturbanceOf(what: Disturbance, url: string, tenant: Tenant): ManyTask | GiantTask {
  const { token, template, folder } = tenant;
  const seconds = what.seconds + 2 * LEAD_SECONDS;
  if (what.with === "giants") {
    return { kind: "giant", url, token, template, folder, entries: what.entries, seconds };
  }
  const read: Ask = { method: "GET", path: "/2.0/docgen_templates" };
  return {
    kind: "many",
    url,
    asks: [what.with === "reads" ? read : smallBatch(template, folder)],
    tokens: [token],
    connections: FLOOD_CONNECTIONS,
    seconds,
    nice: FLOOD_NICE,
  };
}

/** Returns the path of a new job of a tenant. */
export async function jobOf({ url }: Pick<Server, "url">, tenant: Tenant): Promise<string> {
  const { token, template, folder } = tenant;
  const { path, body } = smallBatch(template, folder);
  const headers = { "content-type": "application/json" };
  const { id } = await call(url, token, path, {
    method: "POST",
    headers,
    body: (body ?? "").replace("[<id>]", "first"),
  });
  return `/2.0/docgen_jobs/${id}-1`;
}
