/** A campaign with AI whose recipient writes, for tests. */
import type { AiReply, ConversationAi } from '../src/features/campaigns/ai/schemas.ts'
import type { CampaignAiInput } from '../src/features/campaigns/campaigns/ai-schemas.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { type AiSimulator, startAi } from '../src/simulator/ai/index.ts'
import { makeCampaign } from './campaigns.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { connectAccount, makeContact } from './messaging.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

export interface AiTrial {
  tenant: TestTenant
  accountId: string
  campaignId: string
  leadId: string
  conversationId: string
  /** Writes as the person. */
  write(text: string): Promise<void>
  /** Moves the clock, so that everything that is due is done. */
  move(minutes: number): Promise<void>
  /** What the person has received, the oldest first. */
  listReceived(): Promise<string[]>
  listReplies(): Promise<AiReply[]>
}

let phones = 0

export async function startAiTrial(app: TestApp, ai: CampaignAiInput = {}): Promise<AiTrial> {
  const tenant = await makeTenant(app)
  const accountId = await connectAccount(tenant, 'sandbox')
  const phone = `+34612${String(700_000 + ++phones)}`
  const leadId = await makeContact(tenant, phone, {
    property: {
      operation: 'sale',
      propertyType: 'homes',
      title: 'Piso en Gràcia',
      price: 300_000,
      currency: 'EUR',
      squareMeters: 80,
    },
  })
  const campaignId = await tenant.inTenant(tx =>
    makeCampaign(tx, { status: 'running', settings: { ai: { enabled: true, mode: 'auto', ...ai } } }),
  )
  await tenant.inTenant(tx =>
    sql`
      insert into campaign_recipients (tenant_id, id, campaign_id, lead_id, status, joined_at, last_sent_at, ended_at, updated_at)
      values (${tenant.tenantId}, ${newId()}, ${campaignId}, ${leadId}, 'completed', now(), now(), now(), now())`.execute(
      tx,
    ),
  )
  const trial: AiTrial = {
    tenant,
    accountId,
    campaignId,
    leadId,
    conversationId: '',
    async write(text) {
      const body = { accountId, from: phone, text }
      const reply = await tenant.call<{ conversationId: string }>('POST', '/sandbox/messages', { body })
      if (reply.status !== 201) throw new Error(reply.text)
      trial.conversationId = reply.body.conversationId
    },
    async move(minutes) {
      const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
      const now = new Date(Date.parse(body.now) + minutes * 60_000).toISOString()
      const reply = await tenant.call('POST', '/sandbox/clock', { body: { now } })
      if (reply.status !== 200) throw new Error(reply.text)
    },
    async listReceived() {
      const path = `/sandbox/messages?limit=100&to=${encodeURIComponent(phone)}`
      const { body } = await tenant.call<{ data: { text: string }[] }>('GET', path)
      return body.data.map(({ text }) => text)
    },
    async listReplies() {
      const { body } = await tenant.call<{ data: AiReply[] }>('GET', '/ai-replies?limit=100')
      return body.data.toReversed()
    },
  }
  return trial
}

/** A conversation that AI answers. Returns the id of a draft in it. */
export async function storeDraft(app: TestApp, tenantId: string, conversationId: string): Promise<string> {
  const id = newId()
  const messageId = newId()
  await app.database.withTenant({ tenantId }, async tx => {
    await sql`
      insert into ai_conversations (tenant_id, conversation_id, campaign_id, updated_at)
      values (${tenantId}, ${conversationId}, ${id}, now()) on conflict do nothing`.execute(tx)
    await sql`
      insert into messages (tenant_id, id, conversation_id, account_id, sequence, direction, kind, text, status, created_at)
      select tenant_id, ${messageId}, id, account_id, last_sequence + 1, 'in', 'text', '¿Precio?', 'received', now()
      from conversations where tenant_id = ${tenantId} and id = ${conversationId}`.execute(tx)
    await sql`
      update conversations set last_sequence = last_sequence + 1
      where tenant_id = ${tenantId} and id = ${conversationId}`.execute(tx)
    await sql`
      insert into ai_replies (tenant_id, id, message_id, campaign_id, status, mode, text, created_at)
      values (${tenantId}, ${id}, ${messageId}, ${id}, 'draft', 'draft', 'Buenos días', now())`.execute(tx)
  })
  return id
}

export interface AiApp {
  app: TestApp
  ai: AiSimulator
  /** The model answers with this text next. */
  say(text: string, more?: object): void
  /** The model calls this tool next. */
  call(name: string, values: object): void
  /** Forgets what was scripted and requested. */
  reset(): void
  stop(): Promise<void>
}

/** Starts a program whose test environment has an AI endpoint that the test scripts. */
export async function startAiApp(): Promise<AiApp> {
  const ai = await startAi()
  const app = await startTestApp({ simulatedAi: { url: ai.url, key: ai.key, model: 'simulator' } })
  const call: AiApp['call'] = (name, values) => {
    ai.script.push({ calls: [{ name, arguments: JSON.stringify(values) }] })
  }
  return {
    app,
    ai,
    call,
    say: (text, more = {}) => call('reply', { text, about: 'property', confidence: 'high', ...more }),
    reset() {
      for (const list of [ai.script, ai.faults, ai.requests]) list.length = 0
    },
    async stop() {
      await app.stop()
      await ai.close()
    },
  }
}

/** Writes, and lets the AI answer. */
export async function converse(trial: AiTrial, text: string): Promise<void> {
  await trial.write(text)
  await trial.move(1)
}

export const readConversationAi = async ({ tenant, conversationId }: AiTrial): Promise<ConversationAi> =>
  (await tenant.call<ConversationAi>('GET', `/conversations/${conversationId}/ai`)).body

/** The data of the events of this type. */
export const listEventData = async ({ tenant }: AiTrial, type: string): Promise<object[]> =>
  (await tenant.call<{ data: { data: object }[] }>('GET', `/events?types=${type}`)).body.data.map(
    ({ data }) => data,
  )
