/** Users who sign in to the dashboard like a browser. */
import { randomBytes } from 'node:crypto'
import { inviteUser } from '../src/features/identity/service.ts'
import type { Role } from '../src/kit/settings/setting.ts'
import type { TestApp } from './harness.ts'

export const password = 'four words nobody guesses'

export interface SignedInUser {
  email: string
  /** The Cookie header of their session. */
  cookie: string
}

export interface DashboardReply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

let visitors = 0
/** If the test trusts a proxy, each request has another client address. */
const newAddress = () => {
  visitors++
  return `198.18.${visitors >> 8}.${visitors & 255}`
}

/** Sends what the dashboard sends: JSON, from its own origin. `path` begins with `/public/v1` or `/dashboard/v1`. */
export async function browse(
  { url }: { url: string },
  method: string,
  path: string,
  { cookie, body, headers = {} }: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<DashboardReply> {
  const reply = await fetch(url + path, {
    method,
    headers: {
      Origin: url,
      'X-Forwarded-For': newAddress(),
      ...(cookie ? { Cookie: cookie } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** Makes a user of a workspace with a password. Returns the e-mail address. */
export async function makeUser(app: TestApp, workspace: string, role: Role = 'agent'): Promise<string> {
  const email = `${randomBytes(5).toString('hex')}@agency.example`
  const { token } = await inviteUser(app.database.owner, { workspace, email, name: 'Marta', role })
  const { status } = await browse(app, 'POST', '/dashboard/v1/password', { body: { token, password } })
  if (status !== 204) throw new Error(`setting the password was answered with ${status}`)
  return email
}

/** Signs in. Returns the Cookie header. */
export async function signIn(app: { url: string }, email: string): Promise<string> {
  const reply = await browse(app, 'POST', '/dashboard/v1/session', { body: { email, password } })
  if (reply.status !== 204)
    throw new Error(`signing in was answered with ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.headers.get('set-cookie')!.split(';')[0]!
}

/** Makes a user and signs in. */
export async function makeSignedInUser(
  app: TestApp,
  workspace: string,
  role: Role = 'agent',
): Promise<SignedInUser> {
  const email = await makeUser(app, workspace, role)
  return { email, cookie: await signIn(app, email) }
}
