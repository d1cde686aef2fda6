/** Which addresses may get the password of a calendar: https, and the site that the person entered. */
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../../../kit/http/public-address.ts'

const toHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** A name without a dot, or an address, inside the network of the deployment. The client refuses it unless it is allowed. */
function isPrivateHost(url: URL): boolean {
  const host = toHost(url)
  return ipaddr.isValid(host) ? !isPublicAddress(host) : !host.includes('.')
}

/** The address of a person's input: a URL, a host, or an e-mail address. Null: it is none, or the password would be readable. */
export function parseAddress(text: string): URL | null {
  const host = /^[^/\s]+@([^/@\s]+)$/.exec(text.trim())?.[1] ?? text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`)
  if (!url || url.username || url.password || url.search || url.hash) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isPrivateHost(url)) ? url : null
}

/** `co.uk` and the like: a registry, not a site. */
const registry = /^(com|co|org|net|gov|edu|ac|nom|gob)\.[a-z]{2}$/

/** Servers move a person to a neighbour, such as `p42-caldav.icloud.com`. The password follows no further than that. */
export function isSameSite(home: URL, other: URL): boolean {
  if (other.origin === home.origin) return true
  if (other.protocol !== 'https:' || other.port !== '' || other.username || other.password) return false
  if (isPrivateHost(home) || ipaddr.isValid(toHost(home))) return false
  const labels = toHost(home).split('.')
  const parent = labels.slice(1).join('.')
  const site = labels.length > 2 && !registry.test(parent) ? parent : toHost(home)
  return toHost(other) === site || toHost(other).endsWith(`.${site}`)
}
