import { hostname, userInfo } from "node:os";
import type { AuditLine } from "@quire/core/host";
import { createOperator, type Operator, type Quotas } from "@quire/service";
import { type Io, writeLine } from "../terminal/io.ts";
import { openStorage } from "./open-storage.ts";
import type { ServicePlace } from "./settings.ts";
import { openExistingStores, type Stores } from "./stores.ts";

/** Options of `quire tenant`. */
export interface TenantOptions extends ServicePlace {
  /** The folder or the bucket of the files. Default: the folder `files` in the data folder. */
  readonly storage?: string;
  /** The operator's name. Default: the user and the machine. */
  readonly by?: string;
}

const LINES = 1_000_000;

export const suspend = change((operator, name) => operator.suspend(name));
export const resume = change((operator, name) => operator.resume(name));
export const cancel = change((operator, name) => operator.cancel(name));

/** Erases all data of a tenant. */
export async function erase(io: Io, name: string, options: TenantOptions): Promise<void> {
  const { storage } = await openStorage(io, options);
  await change((operator) => operator.erase(name, storage))(io, name, options);
}

/** Sets quotas of a tenant, or resets them to the defaults of the service (null). */
export async function setQuotas(
  io: Io,
  name: string,
  quotas: ReadonlyMap<string, number | null>,
  options: TenantOptions,
): Promise<void> {
  const given: Partial<Record<keyof Quotas, number | null>> = Object.fromEntries(quotas);
  await change((operator) => operator.setQuotas(name, given))(io, name, options);
}

/** Prints a line for each tenant that is suspended, is being erased or has quotas that differ from the defaults. */
export async function printAll(io: Io, place: TenantOptions): Promise<void> {
  await using stores = disposable(await openExistingStores(io, place));
  const tenants = (await stores.tenants.list()).filter(
    ({ suspendedAt, erasing, quotas }) =>
      suspendedAt !== null || erasing !== null || Object.keys(quotas).length > 0,
  );
  for (const { name, suspendedAt, erasing, quotas } of tenants) {
    const states = [
      ...(suspendedAt === null ? [] : [`suspended since ${new Date(suspendedAt).toISOString()}`]),
      ...(erasing === null ? [] : [`erasing started by ${erasing}`]),
      ...Object.entries(quotas).map(([quota, limit]) => `${quota}=${limit}`),
    ];
    writeLine(io.stdout, `${JSON.stringify(name)}  ${states.join(", ")}`);
  }
  if (tenants.length === 0)
    writeLine(io.stderr, "No enterprise is suspended or has its own quotas.");
}

/** Prints the usage and settings of a tenant as JSON. */
export async function show(io: Io, name: string, place: TenantOptions): Promise<void> {
  await using stores = disposable(await openExistingStores(io, place));
  const tenant = await stores.tenants.find(name);
  const jobs = await stores.jobs.gauge.use(name);
  const files = await stores.files.use(name);
  const webhooks = await stores.webhooks.use(name);
  const has = {
    disk: jobs.bytes + files.bytes,
    files: files.files,
    waiting: jobs.waiting,
    jobs: jobs.jobs,
    ...webhooks,
  };
  const usage = {
    name,
    suspendedAt: timeOf(tenant?.suspendedAt),
    quotas: tenant?.quotas ?? {},
    has,
  };
  writeLine(io.stdout, JSON.stringify(usage, null, 2));
}

/** Prints the audit log, oldest line first. */
export async function printLog(io: Io, place: TenantOptions): Promise<void> {
  await using stores = disposable(await openExistingStores(io, place));
  for (const line of [...(await stores.tenants.audit(LINES))].reverse()) {
    writeLine(io.stdout, inJson(line));
  }
}

function change(
  body: (operator: Operator, name: string) => Promise<AuditLine>,
): (io: Io, name: string, options: TenantOptions) => Promise<void> {
  return async (io, name, { by = `${userInfo().username}@${hostname()}`, ...place }) => {
    await using stores = disposable(await openExistingStores(io, place));
    const line = await body(createOperator({ stores, by }), name);
    writeLine(io.stdout, inJson(line));
  };
}

function inJson({ at, by, action, tenant, counts }: AuditLine): string {
  return JSON.stringify({ time: new Date(at).toISOString(), by, action, tenant, counts });
}

function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}

function disposable(stores: Stores): Stores & AsyncDisposable {
  return { ...stores, [Symbol.asyncDispose]: () => stores.close() };
}
