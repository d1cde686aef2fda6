/** Reads all that an answer depends on, in one transaction: nothing else reaches the model. */
import type { Turn } from '../../../domain/ai-replies/decide.ts'
import { detectLanguage, detectSpoken } from '../../../domain/ai-replies/detect-language.ts'
import { findPhrase } from '../../../domain/ai-replies/phrases.ts'
import { type MessageLanguage, toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { getEnvironment } from '../../accounts/service.ts'
import type { CampaignAi } from '../campaigns/ai-schemas.ts'
import type { Claim } from './conversations.ts'
import { aiFaq } from './settings.ts'

/** The lead of the last message of the person. */
export interface AiLead {
  id: string
  name: string | null
  phone: string | null
  email: string | null
  ownerUserId: string | null
  customFields: Record<string, unknown>
  isClosed: boolean
  /** What the listing states, without what is not known. */
  listing: Record<string, unknown>
  url: string | null
}

export interface Situation {
  settings: CampaignAi
  campaignId: string
  conversationId: string
  accountId: string
  environment: 'live' | 'test'
  /** The last message of the person. */
  messageId: string
  sequence: number
  lead: AiLead
  agency: string
  timezone: string
  language: MessageLanguage
  /** The oldest first. */
  turns: Turn[]
  faq: { question: string; answer: string }[]
  /** Their next appointment; null: none. */
  appointment: { id: string; start: Date } | null
  isIntroduced: boolean
  now: Date
}

const turnsMax = 40

/** Null: there is nothing to answer, or no lead, or the campaign no longer answers. */
export async function readSituation(
  tx: Tx,
  { conversationId, campaignId }: Claim,
): Promise<Situation | null> {
  const settings = await findAiSettings(tx, campaignId)
  const turns = await readTurns(tx, conversationId)
  const last = turns.findLast(({ from }) => from === 'person')
  const leadId = last?.leadId ?? null
  if (!settings?.enabled || !last || turns.at(-1) !== last || leadId === null) return null
  const lead = await findAiLead(tx, leadId)
  if (!lead) return null
  const [agency, faq, appointment, isIntroduced, environment] = [
    await readAgency(tx),
    await readSetting(tx, aiFaq),
    await findAppointment(tx, leadId),
    await findDisclosure(tx, conversationId),
    await getEnvironment(tx),
  ]
  return {
    settings,
    campaignId,
    conversationId,
    accountId: last.accountId,
    environment,
    messageId: last.id,
    sequence: last.sequence,
    lead,
    agency: agency.name,
    timezone: agency.timezone,
    language: chooseLanguage(turns, agency.country),
    turns: turns.map(({ from, at, text }) => ({ from, at, text })),
    faq: [...settings.faq, ...faq],
    appointment,
    isIntroduced,
    now: getNow(tx),
  }
}

/** Null: the campaign is gone, paused, or not started. */
export async function findAiSettings(tx: Tx, campaignId: string): Promise<CampaignAi | null> {
  const { rows } = await sql<{ ai: CampaignAi }>`
    select settings -> 'ai' as ai from campaigns
    where tenant_id = ${getTenantId(tx)} and id = ${campaignId} and status in ('running', 'completed')`.execute(
    tx,
  )
  return rows[0]?.ai ?? null
}

type StoredTurn = Turn & { id: string; sequence: number; accountId: string; leadId: string | null }

/** What both sides know: no notes, and nothing that was not sent. Machines of the person are left out. */
async function readTurns(tx: Tx, conversationId: string): Promise<StoredTurn[]> {
  const { rows } = await sql<StoredTurn>`
    select m.id, m.sequence, m.account_id as "accountId", coalesce(m.lead_id, c.lead_id) as "leadId", m.text, aldaba.iso_time(m.created_at) as at,
      case when m.direction = 'in' then 'person' when m.nature = 'ai' then 'assistant' else 'agency' end as "from"
    from (
      select * from messages where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}
      order by sequence desc limit ${turnsMax}) m
    join conversations c on c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id
    where m.direction in ('in', 'out') and m.nature <> 'auto_reply' and m.status <> 'failed' and m.kind <> 'reaction' and m.deleted_at is null
    order by m.sequence`.execute(tx)
  return rows
}

/** The sequence of the last message of the person; a machine of theirs writes no message that is answered. */
export async function findLastInbound(tx: Tx, conversationId: string): Promise<number> {
  const { rows } = await sql<{ sequence: number | null }>`
    select max(sequence) as sequence from messages
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and direction = 'in' and nature = 'person'
      and kind <> 'reaction'`.execute(tx)
  return rows[0]?.sequence ?? 0
}

interface LeadColumns extends Omit<AiLead, 'listing'> {
  listing: Record<string, unknown>
}

/** Longer descriptions repeat themselves. */
const descriptionMaxLength = 3_000
const closedStatuses = ['won', 'lost', 'discarded']

async function findAiLead(tx: Tx, leadId: string): Promise<AiLead | null> {
  const { rows } = await sql<LeadColumns>`
    select id, contact_name as name, phone, email, owner_user_id as "ownerUserId", custom_fields as "customFields", url,
      status = any(${closedStatuses}::text[]) as "isClosed",
      json_strip_nulls(json_build_object('operation', operation, 'propertyType', property_type, 'title', title,
        'description', left(description, ${descriptionMaxLength}), 'price', price, 'currency', currency, 'squareMeters', square_meters,
        'rooms', rooms, 'bedrooms', bedrooms, 'bathrooms', bathrooms, 'floor', floor_text, 'condition', condition, 'features', features,
        'address', address, 'municipality', municipality, 'province', province, 'postcode', postcode, 'url', url)) as listing
    from leads where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(tx)
  const [lead] = rows
  if (!lead) return null
  // The person wrote them too, as an advertiser.
  const isSafe = ([name, value]: [string, unknown]) =>
    !['title', 'description'].includes(name) || findPhrase(String(value)) !== 'INSTRUCTIONS'
  return { ...lead, listing: Object.fromEntries(Object.entries(lead.listing).filter(isSafe)) }
}

async function readAgency(tx: Tx): Promise<{ name: string; country: string; timezone: string }> {
  const { rows } = await sql<{ name: string; country: string; timezone: string }>`
    select name, country, timezone from workspaces where id = aldaba.current_workspace()`.execute(tx)
  return rows[0]!
}

/** That of the country, until messages show another: the agency's first, then the person's. */
function chooseLanguage(turns: readonly Turn[], country: string): MessageLanguage {
  const written = turns.filter(({ text }) => text !== null)
  const [own, theirs] = [
    written.filter(({ from }) => from !== 'person'),
    written.filter(({ from }) => from === 'person'),
  ]
  const ofAgency = own.map(({ text }) => detectLanguage(text!)).find(found => found !== null)
  const start = ofAgency ?? toMessageLanguage(country)
  return detectSpoken(
    theirs.map(({ text }) => text!),
    start,
  )
}

/** The next one of the lead. */
export async function findAppointment(tx: Tx, leadId: string): Promise<{ id: string; start: Date } | null> {
  const { rows } = await sql<{ id: string; start: Date }>`
    select id, starts_at as start from appointments
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and status in ('pending', 'confirmed') and starts_at > ${getNow(tx)}
    order by starts_at limit 1`.execute(tx)
  return rows[0] ?? null
}

/** True if a message has said to the person that a machine writes. */
async function findDisclosure(tx: Tx, conversationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from ai_replies r join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = r.sent_message_id
    where r.tenant_id = ${getTenantId(tx)} and m.conversation_id = ${conversationId} and r.has_disclosure and m.status <> 'failed'
    limit 1`.execute(tx)
  return rows.length > 0
}

/** The lead of a conversation, and who is responsible for it. */
export async function findConversationLead(
  tx: Tx,
  conversationId: string,
): Promise<{ leadId: string | null; ownerUserId: string | null }> {
  const { rows } = await sql<{ leadId: string | null; ownerUserId: string | null }>`
    select c.lead_id as "leadId", l.owner_user_id as "ownerUserId" from conversations c
    left join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = c.lead_id
    where c.tenant_id = ${getTenantId(tx)} and c.id = ${conversationId}`.execute(tx)
  return rows[0] ?? { leadId: null, ownerUserId: null }
}
