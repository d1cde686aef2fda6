/** What the receiving server found out about the sender (RFC 8601). Everybody can write such a header: few are believed. */
import type { InboundEmail } from '../../chat.ts'

type Authentication = InboundEmail['authentication']

const nothing: Authentication = { spf: null, dkim: null, dmarc: null }
/** Servers whose reports have another name than their mailboxes. */
const knownReporters: Record<string, string[]> = {
  'imap.gmail.com': ['google.com'],
  'imap.googlemail.com': ['google.com'],
  'imap.mail.me.com': ['icloud.com', 'apple.com', 'me.com'],
  'imap.gmx.com': ['gmx.net'],
  'imap.aol.com': ['yahoo.com', 'aol.com'],
}
/** Microsoft 365 writes no name at all. */
const namelessReporters = ['outlook.office365.com', 'outlook.office.com', 'imap-mail.outlook.com']

/**
 * The results of the topmost report, if it is the receiving server's. `host`: the IMAP server. `traces`: Received and
 * Authentication-Results, the latest first.
 */
export function readAuthentication(
  traces: readonly { name: string; value: string }[],
  { host, address }: { host: string; address: string },
): Authentication {
  const start = traces.findIndex(isReport)
  if (start < 0) return nothing
  const reporter = getReporter(traces[start]!.value)
  if (!isTrusted(reporter, { host: host.toLowerCase(), address, traces })) return nothing
  // Some servers write one header per method, one after the other.
  const following = traces.slice(start)
  const end = following.findIndex(
    trace => !isReport(trace) || !isSameSite(getReporter(trace.value), reporter),
  )
  const own = (end < 0 ? following : following.slice(0, end)).map(({ value }) => value)
  return {
    spf: findResult(own, 'spf'),
    dkim: findResult(own, 'dkim'),
    dmarc: findResult(own, 'dmarc'),
  }
}

function isReport({ name }: { name: string }): boolean {
  return name === 'authentication-results'
}

/** The name of the server that reports; null: it gave none. */
function getReporter(report: string): string | null {
  const name = /^\s*([^\s;=]+)(?:\s+\d+)?\s*;/.exec(report)?.[1]
  return name?.toLowerCase() ?? null
}

function isTrusted(
  reporter: string | null,
  {
    host,
    address,
    traces,
  }: { host: string; address: string; traces: readonly { name: string; value: string }[] },
): boolean {
  if (reporter === null) return namelessReporters.includes(host)
  const received = traces.find(({ name }) => name === 'received')?.value
  const receiver = /\bby\s+([a-z0-9.-]+)/i.exec(received ?? '')?.[1]?.toLowerCase()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const trusted = [host, domain, receiver, ...(knownReporters[host] ?? [])]
  return trusted.some(name => name !== undefined && isSameSite(name, reporter))
}

function isSameSite(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : toSite(one) === toSite(other)
}

/** The last two labels, or three where the second is a general one, as in `agency.com.es`. */
function toSite(host: string): string {
  const labels = host.split('.')
  const isGeneral = labels.length > 2 && /^(?:com?|org|net|gov|edu|ac|nom)$/.test(labels.at(-2)!)
  return labels.slice(isGeneral ? -3 : -2).join('.')
}

/** The best result: a message may have several signatures. */
function findResult(reports: readonly string[], method: string): string | null {
  const pattern = new RegExp(`(?:^|[;\\s])${method}\\s*=\\s*([a-z]{2,20})`, 'gi')
  const results = reports.flatMap(report =>
    [...report.matchAll(pattern)].map(match => match[1]!.toLowerCase()),
  )
  return results.includes('pass') ? 'pass' : (results[0] ?? null)
}
