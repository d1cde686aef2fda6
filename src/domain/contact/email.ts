/** Parses e-mail addresses as people write and paste them, and normalizes them for comparison. */

/** RFC 5321, section 4.5.3.1: maximum octets of the local part, and of the path without its angle brackets. */
const localMax = 64
const addressMax = 254
/** Maximum length of an address with a name and punctuation around it. */
const textMax = 2000
/** RFC 5322, section 3.2.3, with the letters of RFC 6531. Quoted local parts are not supported: nobody uses them. */
const localPartPattern =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * The address in `text`: bare, `mailto:…` or `Marta <m@x.es>`, with or without a trailing full stop or bracket. Null if
 * there is none, or more than one.
 *
 * The result is in lower case, including the local part. RFC 5321 (section 2.4) lets a server distinguish `Marta@` from
 * `marta@`, but none in use does, and an opt-out must be found in any spelling. International domains are in ASCII
 * (`xn--…`). Dots and `+tags` are kept: only some providers ignore them; at others `m.soler@` and `msoler@` are two
 * people, and the stored address is also the one that is written to.
 */
export function parseEmail(text: string): string | null {
  if (text.length > textMax) return null
  const bracketed = /<([^<>]*)>[\s.,;]*$/.exec(text)?.[1]
  const bare = (bracketed ?? text)
    .trim()
    .replace(/^["'([{<\s]+|(?<!["')\]}>.,;:!?\s])["')\]}>.,;:!?\s]+$/g, '')
  const written = /^mailto:/i.test(bare) ? parseMailtoLink(bare.slice('mailto:'.length)) : bare
  const separatorIndex = written.lastIndexOf('@')
  if (separatorIndex < 1 || written.indexOf('@') !== separatorIndex) return null
  const local = written.slice(0, separatorIndex).normalize('NFC').toLowerCase()
  const domain = asciiDomain(written.slice(separatorIndex + 1))
  if (!localPartPattern.test(local) || new TextEncoder().encode(local).length > localMax) return null
  if (domain === null || local.length + 1 + domain.length > addressMax) return null
  return `${local}@${domain}`
}

/** RFC 6068: percent-encoded, with header fields after a question mark. */
function parseMailtoLink(link: string): string {
  const address = link.split('?', 1)[0]!
  try {
    return decodeURIComponent(address).trim()
  } catch {
    return address
  }
}

function asciiDomain(domain: string): string | null {
  // Characters that a URL parser would not take for a part of the host.
  if (/[^\p{L}\p{M}\p{N}.\-\u3002]/u.test(domain)) return null
  try {
    const host = new URL(`http://${domain}`).hostname.replace(/\.$/, '')
    return domainPattern.test(host) ? host : null
  } catch {
    return null
  }
}
