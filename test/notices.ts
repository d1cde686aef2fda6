/** Notices of appointments for tests. */
import type { Account } from '../src/features/accounts/schemas.ts'
import type { Notice } from '../src/features/scheduling/notices/schemas.ts'
import { eventually } from './harness.ts'
import type { TestTenant } from './tenant.ts'

const server = { host: 'mail.agency.example', port: 993, security: 'tls', user: 'ana', password: 'secret' }

/** Connects a mailbox of the test environment. Returns the id of the account. */
export async function connectMailbox(tenant: TestTenant, address = 'ana@agency.example'): Promise<string> {
  const credentials = { address, name: 'Finques Puig', smtp: server, imap: server }
  const body = { provider: 'email', mode: 'chat', displayName: 'Office', credentials }
  const reply = await tenant.call<Account>('POST', '/accounts', { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}

export const listNotices = async (tenant: TestTenant, appointmentId: string): Promise<Notice[]> =>
  (
    await tenant.call<{ data: Notice[] }>(
      'GET',
      `/scheduling/appointments/${appointmentId}/notices?limit=200`,
    )
  ).body.data

const isSettled = ({ status, dueAt }: Notice) =>
  status !== 'queued' && (status !== 'waiting' || Date.parse(dueAt!) > Date.now())

/** Waits until what is due has been sent, or not. */
export const settleNotices = (tenant: TestTenant, appointmentId: string): Promise<Notice[]> =>
  eventually(
    () => listNotices(tenant, appointmentId),
    notices => notices.every(isSettled),
  )

/** What people have received at the address, the oldest first. */
export const listReceived = async (tenant: TestTenant, to: string): Promise<{ id: string; text: string }[]> =>
  (
    await tenant.call<{ data: { id: string; text: string }[] }>(
      'GET',
      `/sandbox/messages?to=${encodeURIComponent(to)}`,
    )
  ).body.data
