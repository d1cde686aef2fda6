/** The public pages of scheduling for tests: publishes one, and fills in its form as a visitor does. */
import { issueTicket } from '../src/kit/form-ticket.ts'
import { toClientAddress } from './client-address.ts'
import type { TestApp } from './harness.ts'
import { type MadeEventType, makeEventType } from './scheduling.ts'
import type { TestTenant } from './tenant.ts'

export interface Published extends MadeEventType {
  /** Of the page, at the address of the test program. */
  url: string
}

export async function publishPage(
  app: TestApp,
  tenant: TestTenant,
  fields: Record<string, unknown> = {},
): Promise<Published> {
  const eventType = await makeEventType(tenant, { name: 'Visita', ...fields })
  const path = `/scheduling/event-types/${eventType.id}/share`
  const { status, text, body } = await tenant.call<{ url: string }>('POST', path, { body: {} })
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return { ...eventType, url: `${app.url}/book/${body.url.split('/').at(-1)}` }
}

export interface Visited {
  status: number
  text: string
  headers: Headers
  /** The address to which it redirects, at the address of the page; null: it does not. */
  location: string | null
}

/** At a shared program each page has one visitor. */
export async function visit(url: string, init: RequestInit = {}): Promise<Visited> {
  const headers = new Headers(init.headers)
  headers.set('X-Forwarded-For', toClientAddress(new URL(url).pathname))
  const reply = await fetch(url, { redirect: 'manual', ...init, headers })
  const target = reply.headers.get('location')
  return {
    status: reply.status,
    text: await reply.text(),
    headers: reply.headers,
    location: target === null ? null : new URL(target, url).href,
  }
}

/** A start as the page has it in its queries. */
export const toQueryStart = (time: string): string => `${time.slice(0, 16)}Z`

/** A ticket of a form that was opened a minute ago. */
export const makeTicket = (app: TestApp, eventTypeId: string): string =>
  issueTicket(app.deployment.cipher, eventTypeId, { issuedMs: Date.now() - 60_000 })

let visitors = 0

/** Sends the form. `undefined` leaves a field out. */
export function sendForm(
  app: TestApp,
  { id, url }: Published,
  start: string,
  fields: Record<string, string | undefined> = {},
  query = '',
): Promise<Visited> {
  const number = String(++visitors).padStart(4, '0')
  const all = {
    start: toQueryStart(start),
    ticket: makeTicket(app, id),
    name: 'Marta Soler',
    email: `marta${number}@example.com`,
    phone: `+3465501${number}`,
    ...fields,
  }
  const body = new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return visit(`${url}?start=${toQueryStart(start)}${query}`, { method: 'POST', body })
}

export async function makeEmailAccount(tenant: TestTenant): Promise<void> {
  const server = { host: 'mail.example', port: 587, security: 'starttls', user: 'a', password: 'b' }
  const credentials = {
    address: 'ana@agency.example',
    name: 'Ana',
    smtp: server,
    imap: { ...server, port: 993 },
  }
  const { status, text } = await tenant.call('POST', '/accounts', {
    body: { provider: 'email', mode: 'chat', displayName: 'Ana', credentials },
  })
  if (status !== 201) throw new Error(`POST /accounts answered ${status}: ${text}`)
}
