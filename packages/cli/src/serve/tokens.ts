import { QuireError } from "@quire/core/host";
import { type Io, writeLine } from "../terminal/io.ts";
import type { ServicePlace } from "./settings.ts";
import { openExistingStores, openStores, placeInWords, type Stores } from "./stores.ts";

/** A token to create. */
export interface CreateOptions extends ServicePlace {
  readonly user: string;
  readonly enterprise: string;
  /** Separated by commas. Default: reading, writing and webhooks. */
  readonly scopes?: string;
  readonly expiresDays?: number;
}

const DAY_MS = 24 * 3600 * 1000;

/** Creates a token. Prints only the token on standard output, and explains it on standard error. */
export async function createAndPrint(io: Io, options: CreateOptions): Promise<void> {
  const { user, enterprise, expiresDays } = options;
  // Loaded here, because listing and revoking do not need the service.
  const service = await import("@quire/service");
  const scopes = scopesOf(options.scopes, service);
  // A lost token can be created again, so the durability of the database does not matter.
  const lax = options.database === undefined ? {} : { allowDataLoss: true };
  await using stores = disposable(await openStores(io, { ...options, ...lax }));
  const { token, record } = await service.createToken(stores.tokens, {
    user,
    enterprise,
    scopes,
    ...(expiresDays === undefined ? {} : { expiresInMs: expiresDays * DAY_MS }),
  });
  writeLine(io.stdout, token);
  writeLine(
    io.stderr,
    `The token gives access to the service of ${placeInWords(io, options)} immediately, and is shown only once. To revoke it: quire token revoke ${record.id}`,
  );
}

/** Prints a line for each token. */
export async function printAll(io: Io, place: ServicePlace): Promise<void> {
  await using stores = disposable(await openExistingStores(io, place));
  const tokens = await stores.tokens.list();
  for (const { id, user, enterprise, scopes, createdAt, expiresAt } of tokens) {
    const end = expiresAt === null ? "never expires" : endOf(expiresAt);
    const from = new Date(createdAt).toISOString();
    writeLine(
      io.stdout,
      `${id}  ${user} of ${enterprise}  ${scopes.join(",")}  since ${from}, ${end}`,
    );
  }
  if (tokens.length === 0)
    writeLine(io.stderr, "No tokens exist. Create one with quire token create.");
}

/** Revokes a token. Rejects `not_found`. */
export async function revoke(io: Io, id: string, place: ServicePlace): Promise<void> {
  await using stores = disposable(await openExistingStores(io, place));
  if (await stores.tokens.remove(id)) return;
  // A value that does not look like an id may be the token itself, which must not be shown.
  const which = /^[0-9a-f-]{36}$/.test(id) ? `no token with the id ${id}` : "no such id";
  throw new QuireError("not_found", `There is ${which}. quire token list shows the ids.`);
}

function disposable(stores: Stores): Stores & AsyncDisposable {
  return { ...stores, [Symbol.asyncDispose]: () => stores.close() };
}

function endOf(expiresAt: number): string {
  const end = new Date(expiresAt).toISOString();
  return expiresAt <= Date.now() ? `expired ${end}` : `expires ${end}`;
}

function scopesOf(
  text: string | undefined,
  { DEFAULT_SCOPES, isScope, SCOPES }: typeof import("@quire/service"),
): readonly string[] {
  if (text === undefined) return DEFAULT_SCOPES;
  const scopes = text.split(",").map((scope) => scope.trim());
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong === undefined) return scopes;
  throw new QuireError(
    "invalid_request",
    `${JSON.stringify(wrong)} is not a scope. The scopes are ${SCOPES.join(", ")}.`,
  );
}
