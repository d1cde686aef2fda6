/** Decides whether an IP address is public or leads into the deployment's own network. */
import ipaddr from 'ipaddr.js'

export type CidrBlock = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The global unicast block that IANA allocates from. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Addresses that look public, at which clouds offer services to their own machines. Services at special-use addresses
 * (169.254.169.254, fd00:ec2::254, 100.100.100.200, 192.0.0.192 …) need no entry.
 */
const cloudServices = [
  // Azure: DNS, DHCP, and the wire server, which hands out a machine's configuration and certificates.
  '168.63.129.16/32',
  // Google Cloud: restricted.googleapis.com and private.googleapis.com.
  '199.36.153.4/30',
  '199.36.153.8/30',
  '2600:2d00:2:1000::/64',
  '2600:2d00:2:2000::/64',
  // Google Kubernetes Engine: the default range of a cluster's services.
  '34.118.224.0/20',
  // IBM Cloud: DNS, mirrors and the private endpoints of its services.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map(range => ipaddr.parseCIDR(range))

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isInside(address, cloudServices)) return false
  // `process` converts an IPv4-mapped IPv6 address to IPv4.
  const parsed = ipaddr.process(address)
  // ipaddr.js also calls unassigned and IPv4-compatible addresses (`::127.0.0.1`) unicast, hence the check of the
  // block.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6))
}

/** False if `address` is not an IP address. */
export function isInside(address: string, blocks: CidrBlock[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return blocks.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits] as never),
  )
}
