/** E-mail addresses as people write and paste them, into the one form in which they can be compared. */

/** RFC 5321, section 4.5.3.1: octets of the local part, and of the path without its angle brackets. */
const localMax = 64
const addressMax = 254
/** An address, and the name and signs around it. */
const textMax = 2000
/** RFC 5322, section 3.2.3, with the letters that RFC 6531 adds; quoted local parts nobody has. */
const localPartPattern =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * The address in `text`: bare, `mailto:…` or `Marta <m@x.es>`, with or without the stop or bracket that a sentence put
 * behind it; null if it is none, or more than one.
 *
 * In lower case, the local part too: RFC 5321 (section 2.4) lets a server tell `Marta@` from `marta@`, none in use does,
 * and an opt-out has to be found whichever way it is written. An international domain is in its ASCII form (`xn--…`).
 * Dots and `+tags` stay as they are written: that they mean nothing is a habit of some providers only, at others
 * `m.soler@` and `msoler@` are two people, and what is stored is also what is written to.
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

/** RFC 6068: percent-encoded, and with header fields behind a question mark. */
function parseMailtoLink(link: string): string {
  const address = link.split('?', 1)[0]!
  try {
    return decodeURIComponent(address).trim()
  } catch {
    return address
  }
}

function asciiDomain(domain: string): string | null {
  // Signs that an address of the web would take for something else than a host.
  if (/[^\p{L}\p{M}\p{N}.\-\u3002]/u.test(domain)) return null
  try {
    const host = new URL(`http://${domain}`).hostname.replace(/\.$/, '')
    return domainPattern.test(host) ? host : null
  } catch {
    return null
  }
}
