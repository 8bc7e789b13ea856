import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address of a machine, as ipaddr.js has it. */
export type Address = ReturnType<typeof ipaddr.process>;

/** What is routed in public, of all IPv6; what embeds an IPv4 address without a prefix of its own is outside. */
const GLOBAL_IPV6: [Address, number] = [ipaddr.parse("2000::"), 3];

/** Public by its number, but answered by the machine's own host in a well-known cloud. */
const PLATFORM = "168.63.129.16";

/** Null for what is no address. An IPv4 address in IPv6 clothes (`::ffff:127.0.0.1`) is the IPv4 address. */
export function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/**
 * Whether an address belongs to the public internet and to nothing else. Tunnels that carry an IPv4 address
 * (6to4, Teredo, NAT64) do not count, whatever they carry: where they lead depends on the network.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv6") return address.match(GLOBAL_IPV6);
  return address.toString() !== PLATFORM;
}
