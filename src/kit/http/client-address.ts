/** The address by which a client without a key is rate-limited. */
import ipaddr from 'ipaddr.js'

/**
 * The IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber (RFC 6177). `unknown` if invalid.
 */
export function toClientAddress(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
