/** By what a client is counted who has no key: its address. */
import ipaddr from 'ipaddr.js'

/** The address itself; of IPv6 its /64, which one subscriber has whole (RFC 6177). `unknown` for what is no address. */
export function toClientAddress(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
