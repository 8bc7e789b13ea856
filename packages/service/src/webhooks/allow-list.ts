import { type Diagnostic, QuireError } from "@quire/core/host";
import ipaddr from "ipaddr.js";
import { type Address, parseAddress } from "./public-address.ts";

/** Hosts that webhooks may reach in addition to the public internet. Created by {@link parseAllowList}. */
export interface AllowList {
  /** Whether the host of a URL is listed, by name or by address. `host` has no brackets. */
  hasHost(host: string, port: number): boolean;
  /** Whether an IP address is listed, as an entry or in a block. */
  hasAddress(address: Address, port: number): boolean;
}

interface Name {
  readonly host: string;
  /** The port; null for any port. */
  readonly port: number | null;
}

interface Block {
  readonly base: Address;
  readonly bits: number;
  readonly port: number | null;
}

const HINT =
  "Use a name (`hooks.internal`) or an address (`127.0.0.1`, `[::1]`), both with an optional port " +
  "(`hooks.internal:8443`), or a block of addresses (`10.0.0.0/8`, `fd00::/8`).";

/**
 * Parses entries: names or addresses, both with an optional port, and blocks of addresses in CIDR notation. Throws
 * `invalid_request` with a diagnostic for each invalid entry. Pointers are relative to the list.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const names: Name[] = [];
  const blocks: Block[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = entry.includes("/") ? parseBlock(entry) : parseHost(entry);
    if (parsed === null) diagnostics.push(problemOf(index));
    else if ("host" in parsed) names.push(parsed);
    else blocks.push(parsed);
  }
  if (diagnostics.length > 0) {
    const which = diagnostics.map(({ pointer }) => pointer?.slice(1)).join(", ");
    throw new QuireError(
      "invalid_request",
      `The list of allowed webhook hosts has invalid entries at ${which}, counted from 0. ${HINT}`,
      { diagnostics },
    );
  }
  const hasAddress = (address: Address, port: number): boolean =>
    blocks.some((block) => fits(block.port, port) && isWithin(address, block));
  return {
    hasAddress,
    hasHost(host, port) {
      const address = parseAddress(host);
      if (address !== null) return hasAddress(address, port);
      return names.some((name) => fits(name.port, port) && name.host === host);
    },
  };
}

function problemOf(index: number): Diagnostic {
  return {
    severity: "error",
    code: "invalid_allowed_host",
    message: `Entry ${index} of the allowed webhook hosts is not a name, address or block.`,
    hint: HINT,
    pointer: `/${index}`,
  };
}

function fits(listed: number | null, port: number): boolean {
  return listed === null || listed === port;
}

function isWithin(address: Address, { base, bits }: Block): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/**
 * Parses a block of addresses; null if it is invalid. IPv4 needs all four decimal parts, because `10/8` would be read
 * as 0.0.0.10.
 */
function parseBlock(entry: string): Block | null {
  const isBlock =
    ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) ||
    (ipaddr.IPv6.isValidCIDR(entry) && !entry.includes("."));
  if (!isBlock) return null;
  const [base, bits] = ipaddr.parseCIDR(entry);
  // A mapped block would match nothing, because addresses are compared in their unmapped form.
  if (base.range() === "ipv4Mapped") return null;
  return { base, bits, port: null };
}

function parseHost(entry: string): Name | Block | null {
  const bare = parseAddress(entry);
  if (bare !== null) return blockOf(bare, null);
  const [, written, digits] =
    /^(\[[\da-f:.]+\]|[^\s:/?#@\\*%[\]]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  if (written === undefined) return null;
  const port = digits === undefined ? null : Number(digits);
  const host = URL.canParse(`http://${written}/`) ? hostOf(new URL(`http://${written}/`)) : "";
  if (host === "" || (port !== null && (port === 0 || port > 65_535))) return null;
  const address = parseAddress(host);
  return address === null ? { host, port } : blockOf(address, port);
}

function blockOf(base: Address, port: number | null): Block {
  return { base, bits: base.kind() === "ipv4" ? 32 : 128, port };
}

/** Returns the host of a URL in canonical form: without the brackets of an address and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
