/** Whether an IP address is public, or leads into the deployment's own network. */
import ipaddr from 'ipaddr.js'

export type CidrBlock = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The addresses that IANA gives out to the public. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Services that clouds offer to the machines inside them, at addresses that look public. Those at addresses of special use
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
  // Google Kubernetes Engine: the services of a cluster, unless it has a range of its own.
  '34.118.224.0/20',
  // IBM Cloud: DNS, mirrors and the private endpoints of its services.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map(range => ipaddr.parseCIDR(range))

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isInside(address, cloudServices)) return false
  // `process` reads an IPv4 address that is written as an IPv6 address.
  const parsed = ipaddr.process(address)
  // Unassigned addresses and the oldest form of IPv4 in IPv6 (`::127.0.0.1`) count as unicast too.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6))
}

/** False for what is no IP address. */
export function isInside(address: string, blocks: CidrBlock[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return blocks.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits] as never),
  )
}
