import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An IP address that ipaddr.js has parsed. */
export type Address = ReturnType<typeof ipaddr.process>;

/** The public part of IPv6. Addresses that embed an IPv4 address without a dedicated prefix are outside this block. */
const GLOBAL_IPV6: [Address, number] = [ipaddr.parse("2000::"), 3];

/** A public address at which, in Azure, the host of the virtual machine responds. */
const PLATFORM = "168.63.129.16";

/**
 * Parses an IP address. Returns null for any other text. A mapped IPv4 address (`::ffff:127.0.0.1`) becomes the IPv4
 * address.
 */
export function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/**
 * Whether an address is on the public internet. Addresses of tunnels that contain an IPv4 address (6to4, Teredo, NAT64)
 * do not count, because their destination depends on the network.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv6") return address.match(GLOBAL_IPV6);
  return address.toString() !== PLATFORM;
}
