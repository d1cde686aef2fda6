/** Campaigns of a benchmark: workspaces with WhatsApp accounts and approved templates, and recipients who are due when the benchmark says. */

import { lockCampaign } from '../src/features/campaigns/campaigns/queries.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import type { CampaignSettingsInput } from '../src/features/campaigns/campaigns/settings-schemas.ts'
import { joinRecipients } from '../src/features/campaigns/recipients/join.ts'
import { enqueuePlan, requestPlan } from '../src/features/campaigns/request-plan.ts'
import { getNow } from '../src/kit/clock/clock.ts'
import { getTenantId } from '../src/kit/db/context.ts'
import { type Database, sql } from '../src/kit/db/index.ts'
import { insertLeadRows } from '../test/make.ts'
import { callApi } from './chat-accounts.ts'

/** Where campaigns are made. */
export interface CampaignApi {
  url: string
  key: string
  database: Pick<Database, 'withTenant'>
  tenantId: string
}

/** A text that WhatsApp has approved for the account. Returns its id. */
export async function makeApprovedTemplate(
  { url, key }: CampaignApi,
  accountId: string,
  name: string,
): Promise<string> {
  const { id } = await callApi<{ id: string }>(url, key, 'POST', '/templates', {
    name,
    category: 'marketing',
    language: 'es',
    body: `Hola, ¿sigue en venta su piso? Tenemos compradores en su calle.`,
  })
  await callApi(url, key, 'POST', `/templates/${id}/submit`, { accountId, language: 'es' })
  return id
}

/** Creates a campaign of the account that has these steps. Returns its id. */
export async function makeCampaign(
  { url, key }: CampaignApi,
  accountId: string,
  settings: CampaignSettingsInput,
): Promise<string> {
  const { id } = await callApi<Campaign>(url, key, 'POST', '/campaigns', {
    name: 'Owners',
    platform: 'social_ads',
    mode: 'extract_and_contact',
    contactMode: 'chat',
    accountId,
    settings,
  })
  return id
}

let nextPhone = 600_100_000
const joinedTogether = 500

/** People who may be written to, and who have received the notice, join the campaign. */
export async function joinPeople(
  { database, tenantId }: CampaignApi,
  campaignId: string,
  count: number,
): Promise<{ leadIds: string[]; phones: string[] }> {
  const phones = Array.from({ length: count }, () => `+34${nextPhone++}`)
  const leadIds: string[] = []
  for (let start = 0; start < count; start += joinedTogether)
    await database.withTenant({ tenantId }, async tx => {
      const ids = await insertLeadRows(
        tx,
        phones.slice(start, start + joinedTogether).map(phone => ({
          contact_name: 'Marta Ruiz',
          phone,
          lawful_basis: 'contract',
          lawful_basis_at: '2026-01-01T00:00:00.000Z',
          lawful_basis_proof: 'asked for a viewing',
          notice_sent_at: '2026-01-01T00:00:00.000Z',
        })),
      )
      const campaign = await lockCampaign(tx, campaignId)
      await joinRecipients(tx, campaign!, ids)
      leadIds.push(...ids)
    })
  return { leadIds, phones }
}

/** Starts the campaign. Its recipients are due from `at` on, one every `gapMs`. */
export const startAt = (
  { database, tenantId }: CampaignApi,
  campaignId: string,
  { at, gapMs }: { at: Date; gapMs: number },
): Promise<void> =>
  database.withTenant({ tenantId }, async tx => {
    await sql`
      update campaign_recipients r set due_at = d.due_at
      from (
        select id, ${at}::timestamptz + make_interval(secs => (row_number() over (order by id) - 1) * ${gapMs / 1000}::float8) as due_at
        from campaign_recipients where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}) d
      where r.tenant_id = ${getTenantId(tx)} and r.id = d.id`.execute(tx)
    await sql`
      update campaigns set status = 'running', started_at = ${getNow(tx)}, health_since = ${getNow(tx)}, plan_at = ${at}::timestamptz
      where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(tx)
    await enqueuePlan(tx, campaignId, at)
  })

/** Resumes the campaign as a person does, whose page of lead ads is connected. */
export const resume = ({ database, tenantId }: CampaignApi, campaignId: string): Promise<void> =>
  database.withTenant({ tenantId }, async tx => {
    await sql`
      update campaigns set status = 'running', health_since = ${getNow(tx)}
      where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(tx)
    await requestPlan(tx, campaignId, getNow(tx))
  })
