import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Everything that is not one machine of the public internet. Source: IANA's special-purpose address registries for IPv4 and IPv6. */
const SPECIAL: readonly (readonly [network: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  // Link-local; clouds answer with their machines' credentials at 169.254.169.254.
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.31.196.0", 24, "ipv4"],
  ["192.52.193.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["192.175.48.0", 24, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  // Multicast, reserved, broadcast.
  ["224.0.0.0", 3, "ipv4"],
  // A public machine that a cloud keeps for its own services.
  ["168.63.129.16", 32, "ipv4"],
  // Within 2000::/3, which alone is public: protocol assignments with Teredo, documentation, 6to4, segment routing.
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["2620:4f:8000::", 48, "ipv6"],
  ["3fff::", 20, "ipv6"],
];

const special = new BlockList();
for (const [network, prefix, family] of SPECIAL) special.addSubnet(network, prefix, family);
const publicIPv6 = new BlockList();
publicIPv6.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an address is one machine of the public internet. Forms of IPv6 that carry an address of IPv4 (mapped, translated, tunnelled) are
 * none: what they lead to depends on the machine.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  return isIPv6(address) && !address.includes("%") && publicIPv6.check(address, "ipv6") && !special.check(address, "ipv6");
}
