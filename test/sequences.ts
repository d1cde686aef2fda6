/** Campaigns that send, for tests: an account of the sandbox, leads that may be written to, and the environment's clock. */

import { getCampaign } from '../src/features/campaigns/campaigns/queries.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import type { CampaignSettingsInput } from '../src/features/campaigns/campaigns/settings-schemas.ts'
import type { JoinResult } from '../src/features/campaigns/recipients/join.ts'
import { joinRecipients } from '../src/features/campaigns/recipients/join.ts'
import type { RetryCounts } from '../src/features/campaigns/recipients/retry.ts'
import type { CampaignRecipient } from '../src/features/campaigns/recipients/schemas.ts'
import { getNow } from '../src/kit/clock/clock.ts'
import { sql } from '../src/kit/db/index.ts'
import { insertLeadRows } from './make.ts'
import { connectAccount } from './messaging.ts'
import type { TestTenant } from './tenant.ts'

export type RecipientPage = { data: CampaignRecipient[]; nextCursor: string | null }

/** Returns the body of the reply. Throws unless the request succeeds. */
export async function request<T>(
  tenant: TestTenant,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const reply = await tenant.call<T>(method, path, body ? { body } : {})
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`)
  return reply.body
}

export const makeTemplate = async (tenant: TestTenant, body = 'Hola'): Promise<string> =>
  (
    await request<{ id: string }>(tenant, 'POST', '/templates', {
      name: `t${Math.random().toString(36).slice(2)}`,
      category: 'marketing',
      language: 'es',
      body,
    })
  ).id

/** Steps without `templateId` get a template of their own. */
export interface SequenceOptions extends Omit<CampaignSettingsInput, 'steps'> {
  steps?: { delayMinutes?: number; onlyIfNoReply?: boolean; templateId?: string }[]
  platform?: string
  accountId?: string
  contactMode?: string
}

/** Creates a draft that sends through an account of the sandbox. */
export async function makeSequence(
  tenant: TestTenant,
  {
    steps = [{}],
    platform = 'csv_import',
    contactMode = 'chat',
    accountId,
    ...settings
  }: SequenceOptions = {},
): Promise<Campaign> {
  const account = accountId ?? (await connectAccount(tenant, 'sandbox'))
  const complete = []
  for (const step of steps)
    complete.push({ templateId: step.templateId ?? (await makeTemplate(tenant)), ...step })
  return request<Campaign>(tenant, 'POST', '/campaigns', {
    name: 'Owners',
    platform,
    mode: 'extract_and_contact',
    contactMode,
    accountId: account,
    ...(platform === 'csv_import' ? { segmentation: { batchSize: 25 } } : {}),
    settings: { ...settings, steps: complete },
  })
}

let nextPhone = 612_000_000

/** Inserts leads with a phone and a lawful basis, who have received the notice. */
export const makeContacts = (tenant: TestTenant, count: number, columns: object = {}): Promise<string[]> =>
  tenant.inTenant(tx =>
    insertLeadRows(
      tx,
      Array.from({ length: count }, () => ({
        contact_name: 'Marta Ruiz',
        phone: `+34${nextPhone++}`,
        lawful_basis: 'contract',
        lawful_basis_at: '2026-01-01T00:00:00.000Z',
        lawful_basis_proof: 'asked for a viewing',
        notice_sent_at: '2026-01-01T00:00:00.000Z',
        ...columns,
      })),
    ),
  )

export const joinLeads = (tenant: TestTenant, campaignId: string, leadIds: string[]): Promise<JoinResult> =>
  tenant.inTenant(async tx => joinRecipients(tx, await getCampaign(tx, campaignId), leadIds))

export async function setStatus(tenant: TestTenant, campaignId: string, status: string): Promise<void> {
  const reply = await tenant.call('PATCH', `/campaigns/${campaignId}/status`, { body: { status } })
  if (reply.status !== 200) throw new Error(reply.text)
}

export const readCampaign = async (tenant: TestTenant, id: string): Promise<Campaign> =>
  (await tenant.call<Campaign>('GET', `/campaigns/${id}`)).body

/** All recipients, in the order in which they joined. */
export async function listRecipients(
  tenant: TestTenant,
  campaignId: string,
  query = '',
): Promise<CampaignRecipient[]> {
  const { body, status, text } = await tenant.call<RecipientPage>(
    'GET',
    `/campaigns/${campaignId}/recipients?limit=200${query}`,
  )
  if (status !== 200) throw new Error(text)
  return body.data
}

/** The status of each recipient, and the code of its reason. */
export const listStates = async (
  tenant: TestTenant,
  campaignId: string,
): Promise<[string, string | null][]> =>
  (await listRecipients(tenant, campaignId)).map(({ status, reason }) => [status, reason?.code ?? null])

/** Retries the recipients that were skipped or have failed. */
export const retryRecipients = (
  tenant: TestTenant,
  campaignId: string,
  selection: object = {},
): Promise<RetryCounts> => request(tenant, 'POST', `/campaigns/${campaignId}/recipients/retry`, selection)

/** Moves the environment's clock, and waits until everything that is due by then has happened. */
export async function moveTo(tenant: TestTenant, to: Date | string): Promise<void> {
  const now = new Date(to).toISOString()
  for (;;) {
    const { status, text } = await tenant.call('POST', '/sandbox/clock', { body: { now } })
    if (status === 200) return
    // It is not settled yet: the next request continues.
    if (status !== 503) throw new Error(text)
  }
}

export const readNow = (tenant: TestTenant): Promise<Date> => tenant.inTenant(async tx => getNow(tx))

const dayMs = 86_400_000

/** Moves the clock to 09:00 UTC of its next day: what follows happens within a day, whenever the test runs. */
export async function moveToMorning(tenant: TestTenant): Promise<void> {
  const days = Math.ceil((await readNow(tenant)).getTime() / dayMs)
  await moveTo(tenant, new Date(days * dayMs + 9 * 3_600_000))
}

/** Moves the clock by so many minutes. */
export const wait = async (tenant: TestTenant, minutes: number): Promise<void> =>
  moveTo(tenant, new Date((await readNow(tenant)).getTime() + minutes * 60_000))

/** Starts a campaign with these leads, whose first messages are sent a minute later. */
export async function startSequence(
  tenant: TestTenant,
  leadIds: string[],
  options: SequenceOptions,
): Promise<{ id: string; accountId: string }> {
  const { id, accountId } = await makeSequence(tenant, options)
  await joinLeads(tenant, id, leadIds)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  return { id, accountId: accountId! }
}

export interface SentMessage {
  id: string
  leadId: string
  step: number
  status: string
  sentAt: Date | null
  sendAt: Date
}

/** The messages of a campaign, in the order in which they were sent. */
export async function listSent(tenant: TestTenant, campaignId: string): Promise<SentMessage[]> {
  const { rows } = await tenant.inTenant(tx =>
    sql<SentMessage>`
      select m.id, coalesce(m.lead_id, c.lead_id) as "leadId", m.campaign_step as step, m.status, m.sent_at as "sentAt", m.send_at as "sendAt"
      from messages m join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
      where m.tenant_id = ${tenant.tenantId} and m.campaign_id = ${campaignId} and m.sent_at is not null order by m.sent_at, m.id`.execute(
      tx,
    ),
  )
  return rows
}
