/** Resolves host names that users enter, for protocols other than HTTP, such as mail. */
import dns from 'node:dns'
import ipaddr from 'ipaddr.js'
import type { Resolve } from './client.ts'
import { HttpFailure } from './http-failure.ts'
import { isInside, isPublicAddress } from './public-address.ts'

export interface HostResolverOptions {
  /** CIDR blocks that may be called besides public addresses. */
  allowedPrivateRanges: string[]
  /** Default: the system's resolver, including its hosts file. */
  resolve?: Resolve | undefined
}

const timeoutMs = 5000

/**
 * Creates a function that returns an address of a host. Connect to this address, not to the name: so a second DNS answer
 * cannot bypass the check. It throws HttpFailure for a host that leads into a private network, or that is unknown.
 */
export function createHostResolver({
  allowedPrivateRanges,
  resolve = hostname => dns.promises.lookup(hostname, { all: true }),
}: HostResolverOptions): (host: string) => Promise<string> {
  const ranges = allowedPrivateRanges.map(range => ipaddr.parseCIDR(range))
  return async host => {
    const addresses = ipaddr.isValid(host)
      ? [host]
      : (await resolveInTime(resolve, host)).map(({ address }) => address)
    // Mixing one private address with public ones is a way around a guard, so all must be allowed.
    if (addresses.some(address => !isPublicAddress(address) && !isInside(address, ranges)))
      throw new HttpFailure(
        'address-refused',
        `${host} is inside a private network; the operator may allow it with ALLOWED_PRIVATE_RANGES`,
      )
    if (!addresses[0]) throw new HttpFailure('unreachable', `the host ${host} is not known`)
    return addresses[0]
  }
}

async function resolveInTime(resolve: Resolve, host: string) {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new HttpFailure('timeout', `the host ${host} was not resolved in time`)),
    timeoutMs,
  )
  try {
    return await Promise.race([resolve(host).catch(() => []), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
