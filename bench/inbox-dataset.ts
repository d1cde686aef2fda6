/** An agency with a million messages in 100,000 conversations, created once in `data/bench-inbox…`. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { type Deployment, openDeployment } from '../src/deployment.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { toWordPrefix } from '../src/features/messaging/message-words.ts'
import { createLog } from '../src/kit/log.ts'
import { leadsSql } from './dataset.ts'
import { indexAllLeads } from './index-leads.ts'

/** Ten messages a conversation, and 5,000 in one. */
export interface InboxSize {
  conversations: number
  dataDir: string
}

/** Its creation takes some minutes and 3 GB. */
export const fullInbox: InboxSize = { conversations: 100_000, dataDir: toDataDir('bench-inbox') }
export const shortInbox: InboxSize = { conversations: 5000, dataDir: toDataDir('bench-inbox-small') }

function toDataDir(name: string): string {
  return new URL(`../data/${name}`, import.meta.url).pathname
}

const slug = 'bench-inbox'

/** The number of the conversation with 5,000 messages: its last one is recent. */
const toLongNumber = (conversations: number) => conversations - 100
const longMessages = 5000

export interface Inbox {
  /** The conversation with 5,000 messages. */
  longConversationId: string
  deployment: Deployment
  key: string
  tenantId: string
  ownerUrl: string
  /** URL as the superuser, without row level security, for the limits. */
  superuserUrl: string
}

/** Opens the database, and creates it first if it is missing. */
export async function openInbox({ conversations, dataDir }: InboxSize = fullInbox): Promise<Inbox> {
  const log = createLog('error')
  const open = () => openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log })
  const deployment = await open().catch(async (error: Error) => {
    // Its migrations are not those of this version.
    if (!/was changed after|is missing/.test(error.message)) throw error
    await rm(dataDir, { recursive: true })
    return open()
  })
  const { owner } = deployment.database
  await createWorkspace(owner, { name: slug, slug }).catch(() => {})
  await owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000_000 }).execute()
  const { id: tenantId } = await owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'tenants.workspace_id')
    .select('tenants.id')
    .where('environment', '=', 'test')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  const superuserUrl = deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
  await fillIfIncomplete(deployment, superuserUrl, tenantId, conversations)
  const key = await createKey(owner, { workspace: slug, environment: 'test', name: 'bench' })
  return {
    longConversationId: toId(`conversation ${toLongNumber(conversations)}`),
    deployment,
    key,
    tenantId,
    ownerUrl: deployment.embedded!.databaseUrl,
    superuserUrl,
  }
}

async function fillIfIncomplete(
  { database }: Deployment,
  superuserUrl: string,
  tenantId: string,
  conversations: number,
): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c search_path=aldaba,public -c synchronous_commit=off',
  })
  await client.connect()
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from messages')
  if (rows[0]!.count < conversations * 10) {
    console.log(`creating ${conversations * 10} messages of one agency, only once …`)
    await client.query(
      'truncate accounts, conversations, messages, message_search, leads, lead_search cascade',
    )
    await client.query(leadsSql, [tenantId, 1, conversations])
    await indexAllLeads(database, tenantId)
    for (const statement of [
      accountsSql,
      conversationsSql,
      labelsSql,
      identitiesSql,
      messagesSql,
      lastMessagesSql,
      searchSql,
    ])
      await client.query(statement, toValues(statement, tenantId, conversations))
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  }
  await client.end()
}

const toValues = (statement: string, tenantId: string, conversations: number): (string | number)[] =>
  statement === accountsSql
    ? [tenantId]
    : statement === messagesSql
      ? [toLongNumber(conversations)]
      : statement === searchSql
        ? [toWordPrefix(tenantId)]
        : []

/** The ids of the dataset: md5 of a name. */
export function toId(name: string): string {
  return createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const accountsSql = `
  insert into accounts (tenant_id, id, provider, mode, display_name, external_id, status, status_changed_at, created_at, updated_at)
  select $1::uuid, md5('account ' || i)::uuid, 'sandbox', 'chat', 'Account ' || i, 'account-' || i, 'CONNECTED',
    timestamptz '2026-01-01', timestamptz '2026-01-01', timestamptz '2026-01-01'
  from generate_series(1, 4) i`

/**
 * One conversation per lead, the last one every 4 min. Three of four are of one account; few are open, unread or
 * snoozed; 40 % are assigned to 8 people; the label \`vip\` is rare and old, \`visita\` is common.
 */
const conversationsSql = `
  with numbered as (select l.*, row_number() over (order by id) as n, count(*) over () as total from leads l)
  insert into conversations (tenant_id, id, account_id, lead_id, status, snoozed_until, assigned_user_id, labels, last_sequence,
    unread_count, last_message_at, last_inbound_at, created_at, updated_at)
  select tenant_id, md5('conversation ' || n)::uuid, md5('account ' || case when n % 4 > 0 then 1 else 2 + n / 4 % 3 end)::uuid, id,
    case when n > total * 0.97 or n % 50 = 0 then 'open' when n % 20 = 0 then 'pending' else 'closed' end,
    case when n % 97 = 0 then timestamptz '2026-12-20' end,
    case when n % 5 < 2 then md5('user ' || n % 8)::uuid end,
    array_remove(array[case when n % 7 = 0 then 'visita' end, case when n % 9001 = 0 then 'vip' end, case when n % 40 = 0 then 'precio' end], null),
    10, case when n > total * 0.99 or n % 500 = 0 then 1 + n % 4 else 0 end,
    timestamptz '2026-02-01' + n * interval '4 min', timestamptz '2026-02-01' + n * interval '4 min', created_at,
    timestamptz '2026-02-01' + n * interval '4 min'
  from numbered`

const labelsSql = `
  insert into conversation_labels (tenant_id, label, conversation_id)
  select tenant_id, label, id from conversations, unnest(labels) label`

/** The phone of the lead, and an id of the provider that the lead does not have. */
const identitiesSql = `
  insert into conversation_identities (tenant_id, account_id, kind, value, conversation_id, last_seen_at, last_inbound_at)
  select c.tenant_id, c.account_id, i.kind, i.value, c.id, c.last_message_at, c.last_inbound_at
  from conversations c join leads l on l.tenant_id = c.tenant_id and l.id = c.lead_id,
    lateral (values ('phone', l.phone), ('bsuid', 'ES.' || ltrim(substr(l.phone, 5), '0'))) i (kind, value)`

/** Sentences with words that are very common, common and rare. */
const messagesSql = `
  insert into messages (tenant_id, id, conversation_id, account_id, sequence, direction, kind, text, status, created_at)
  select c.tenant_id, uuidv7(at - clock_timestamp()), c.id, c.account_id, s, case when s % 3 = 1 then 'in' else 'out' end, 'text',
    (array['Hola buenos días', 'Muchas gracias', 'Perfecto', 'De acuerdo', 'Buenas tardes'])[1 + h % 5] || ', ' ||
    (array['el piso sigue disponible', 'quería visitar el piso', 'el precio es negociable', 'tiene ascensor y terraza', 'cuándo puedo llamar',
      'nos vemos el jueves', 'le envío la documentación', 'la hipoteca está aprobada'])[1 + h / 5 % 8] || ' en la calle ' ||
    (array['Mallorca', 'Aragón', 'Balmes', 'Provença', 'Muntaner'])[1 + h / 40 % 5] || ' ' || h % 997 ||
    case when h % 1000 = 1 then ' con trastero' when h % 20000 = 2 then ' junto al embarcadero' else '' end || ' ref' || h % 500000,
    case when s % 3 = 1 then 'received' else 'read' end, at
  from conversations c, lateral (
    select case when c.id = md5('conversation ' || $1::int)::uuid then ${longMessages} else 10 end as count) size,
    generate_series(1, count) s, lateral (select c.last_message_at - (count - s) * interval '3 min' as at) time, lateral (
    select ('x' || substr(md5(c.id::text || s), 1, 7))::bit(28)::int as h) hash`

const lastMessagesSql = `
  update conversations c set last_message_id = m.id, last_sequence = m.sequence
  from (select distinct on (conversation_id) * from messages order by conversation_id, sequence desc) m
  where m.tenant_id = c.tenant_id and m.conversation_id = c.id`

const searchSql = `
  insert into message_search (tenant_id, message_id, conversation_id, document)
  select tenant_id, id, conversation_id, array_to_tsvector(array(
    select distinct $1 || word from regexp_split_to_table(translate(lower(text), 'áéíóúüçñ,', 'aeiouucn '), ' +') word where word <> ''))
  from messages`
