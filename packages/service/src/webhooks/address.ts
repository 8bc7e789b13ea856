import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { type Diagnostic, QuireError } from "@quire/core/host";
import { type AllowList, hostOf } from "./allow-list.ts";
import { isPublicAddress, parseAddress } from "./public-address.ts";

/** The parts of a valid webhook address. */
export interface CheckedAddress {
  readonly isHttps: boolean;
  /** A host name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The path with the query, without the fragment, which clients never send. */
  readonly path: string;
}

/** Finds the IP addresses of a host name. Rejects if the name has no address. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const MAX_LENGTH = 2048;

/**
 * Checks an address without DNS. {@link usableAddresses} completes the check before each attempt. Any port is allowed,
 * because access is restricted by IP address. Throws `invalid_request` with a diagnostic at `/address` for each
 * problem: not a URL, longer than 2048 characters, not https (unless the host is on the list), a user name or password,
 * and a host name or IP address that is not public.
 */
export function checkAddress(address: string, allowed: AllowList): CheckedAddress {
  const problems: Diagnostic[] = [];
  const url = address.length <= MAX_LENGTH && URL.canParse(address) ? new URL(address) : null;
  if (address.length > MAX_LENGTH) problems.push(PROBLEMS.tooLong);
  else if (url === null) problems.push(PROBLEMS.noUrl);
  else problems.push(...problemsOf(url, allowed));
  if (url === null || problems.length > 0) {
    const words = problems.map(({ message }) => message).join(" ");
    const hints = problems.map(({ hint }) => hint).join(" ");
    throw new QuireError(
      "invalid_request",
      `The address of the webhook cannot be used. ${words} ${hints}`,
      { diagnostics: problems },
    );
  }
  return {
    isHttps: url.protocol === "https:",
    host: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
  };
}

/**
 * Returns the current IP addresses of a host that a webhook may reach. `resolved` is false if the host has no addresses
 * at all.
 */
export async function usableAddresses(
  { host, port }: CheckedAddress,
  allowed: AllowList,
  resolve: Resolve = resolveHost,
): Promise<{ readonly resolved: boolean; readonly usable: readonly LookupAddress[] }> {
  const all = await addressesOf(host, resolve);
  if (allowed.hasHost(host, port)) return { resolved: all.length > 0, usable: all };
  const usable = all.filter(({ address }) => {
    const parsed = parseAddress(address);
    return parsed !== null && (isPublicAddress(parsed) || allowed.hasAddress(parsed, port));
  });
  return { resolved: all.length > 0, usable };
}

/** Returns a lookup function that returns only these addresses, even if DNS has changed since. */
export function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else if (first !== undefined) callback(null, first.address, first.family);
    else callback(new Error("There is no address to connect to."), "");
  };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const literal = parseAddress(host);
  if (literal !== null) return [{ address: host, family: host.includes(":") ? 6 : 4 }];
  try {
    return await resolve(host);
  } catch {
    return []; // unknown host, or DNS is not available: the next attempt resolves it again
  }
}

function resolveHost(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true });
}

function problemsOf(url: URL, allowed: AllowList): Diagnostic[] {
  if (!/^https?:$/.test(url.protocol)) return [PROBLEMS.notHttps];
  const host = hostOf(url);
  // A request without a host would go to this machine.
  if (host === "") return [PROBLEMS.noUrl];
  const problems: Diagnostic[] = [];
  const port = portOf(url);
  if (url.protocol === "http:" && !allowed.hasHost(host, port)) problems.push(PROBLEMS.notHttps);
  if (url.username !== "" || url.password !== "") problems.push(PROBLEMS.credentials);
  if (!mayBeUsed(host, port, allowed)) problems.push(PROBLEMS.notPublic);
  return problems;
}

function mayBeUsed(host: string, port: number, allowed: AllowList): boolean {
  if (allowed.hasHost(host, port)) return true;
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  const written = isLocal ? ["127.0.0.1", "::1"] : [host];
  return written.some((text) => {
    const address = parseAddress(text);
    return address === null || isPublicAddress(address) || allowed.hasAddress(address, port);
  });
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

const PROBLEMS = {
  tooLong: problem(
    "address_too_long",
    `It is longer than ${MAX_LENGTH} characters.`,
    "Use a shorter address.",
  ),
  noUrl: problem(
    "address_not_a_url",
    "It is not a URL.",
    "Use a complete URL, such as https://example.com/hooks.",
  ),
  notHttps: problem(
    "address_not_https",
    "It does not begin with https://.",
    "Use https, or have the host added to the service's list of allowed webhook hosts for http.",
  ),
  credentials: problem(
    "address_with_credentials",
    "It contains a user name or a password.",
    "Remove them: receivers verify a delivery by its signature.",
  ),
  notPublic: problem(
    "address_not_public",
    "Its host is not on the public internet.",
    "Use a public host, or have this one added to the service's list of allowed webhook hosts.",
  ),
};

function problem(code: string, message: string, hint: string): Diagnostic {
  return { severity: "error", code, message, hint, pointer: "/address" };
}
