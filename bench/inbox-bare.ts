/** What the requests of the inbox cost at least, and in another program: bare statements through pg, without a server. */
import pg from 'pg'
import { toSearchWords } from '../src/domain/search-words.ts'
import { toWordPrefix } from '../src/features/messaging/message-words.ts'
import { bareSettings } from './limit-query.ts'

export interface BareStatements {
  /** The ids of the page alone, without row level security. The fastest one counts. */
  limits: string[]
  /** Chatwoot's search: messages that contain the text as it is, the newest first. Null: it has no such search. */
  peer: string | null
}

export interface BareClient {
  /** Counts what is searched. */
  count(): Promise<{ messages: string; conversations: string }>
  /** Returns the milliseconds. */
  measure(statement: string): Promise<number>
  /** Returns the fastest of these statements, each in its second run. Those of more than 5 s are left out. */
  findFastest(statements: string[]): Promise<string>
  close(): Promise<void>
}

/** Creates Chatwoot's index of texts first, if it is missing. */
export async function openBareClient(superuserUrl: string): Promise<BareClient> {
  const client = new pg.Client({ connectionString: superuserUrl, options: bareSettings })
  await client.connect()
  await client.query('create extension if not exists pg_trgm with schema public')
  await client.query('create index if not exists bench_text on messages using gin (text gin_trgm_ops)')
  await client.query('set statement_timeout = 5000')
  const names = new Map<string, string>()
  const measure = async (text: string) => {
    if (!names.has(text)) names.set(text, `bare${names.size}`)
    const startedMs = performance.now()
    await client.query({ name: names.get(text)!, text })
    return performance.now() - startedMs
  }
  return {
    async count() {
      const { rows } = await client.query<{ messages: string; conversations: string }>(
        'select (select count(*) from message_search) as messages, (select count(*) from conversations) as conversations',
      )
      return rows[0]!
    },
    measure,
    async findFastest(statements) {
      const all: { statement: string; ms: number }[] = []
      for (const statement of statements) {
        const ms = await measure(statement)
          .then(() => measure(statement))
          .catch(() => Number.POSITIVE_INFINITY)
        all.push({ statement, ms })
      }
      return all.sort((a, b) => a.ms - b.ms)[0]!.statement
    },
    close: () => client.end(),
  }
}

/** The statements of a request to `GET /conversations`. */
export function toListStatements(tenantId: string, query: URLSearchParams): BareStatements {
  const tenant = pg.escapeLiteral(tenantId)
  const select = (...more: string[]) => `select c.id from conversations c
    where ${[`c.tenant_id = ${tenant}`, ...toFilters(query), ...more].join(' and ')}
    order by c.last_message_at desc, c.id desc limit 51`
  const q = query.get('q')
  if (q === null) {
    const label = query.get('label')
    const labelled = `c.id in (select conversation_id from conversation_labels where tenant_id = ${tenant} and label = ${pg.escapeLiteral(label ?? '')})`
    return { limits: [select(), ...(label ? [select(labelled)] : [])], peer: null }
  }
  const isOfTenant = `tenant_id = ${tenant}`
  const inMessage = `document @@ ${toQuery(q, toWordPrefix(tenantId))}`
  const inLead = `document @@ ${toQuery(/\p{L}/u.test(q) ? q : q.replaceAll(' ', ''), '')}`
  return {
    limits: [
      select(`c.id in (
        select conversation_id from message_search where ${isOfTenant} and ${inMessage}
        union select id from conversations where ${isOfTenant} and lead_id in (select lead_id from lead_search where ${isOfTenant} and ${inLead}))`),
      select(`(
        (select true from message_search where ${isOfTenant} and conversation_id = c.id and (${inMessage}) is true limit 1)
        or (select ${inLead} from lead_search where ${isOfTenant} and lead_id = c.lead_id)) is true`),
    ],
    peer: toPeer(tenant, q),
  }
}

/** The statements of a request to `GET /conversations/{id}/messages`. */
export function toMessageStatements(
  tenantId: string,
  conversationId: string,
  query: URLSearchParams,
): BareStatements {
  const tenant = pg.escapeLiteral(tenantId)
  const q = query.get('q')
  const select = (condition: string) =>
    `select m.id from messages m where m.tenant_id = ${tenant} and m.conversation_id = '${conversationId}' and ${condition}
     order by m.sequence desc limit 51`
  if (q === null) return { limits: [select('true')], peer: null }
  const isMatch = `document @@ ${toQuery(q, toWordPrefix(tenantId))}`
  return {
    limits: [
      select(
        `m.id in (select message_id from message_search where tenant_id = ${tenant} and conversation_id = '${conversationId}' and ${isMatch})`,
      ),
      select(`(select ${isMatch} from message_search where tenant_id = ${tenant} and message_id = m.id)`),
    ],
    peer: toPeer(tenant, q, `and conversation_id = '${conversationId}'`),
  }
}

const toPeer = (tenant: string, q: string, more = ''): string =>
  `select * from messages where tenant_id = ${tenant} ${more} and text ilike ${pg.escapeLiteral(`%${q}%`)} order by created_at desc limit 50`

/** The words of a text as a tsquery; the last one may be incomplete. */
function toQuery(text: string, prefix: string): string {
  const words = toSearchWords(text).map(word => `'${prefix}${word}'`)
  return `${pg.escapeLiteral(`${words.join(' & ')}:*`)}::tsquery`
}

function toFilters(query: URLSearchParams): string[] {
  const conditions: Record<string, (value: string) => string> = {
    status: value =>
      `${value.includes(',') ? `c.status = any(string_to_array(${value}, ','))` : `c.status = ${value}`} and (c.status <> 'open' or c.snoozed_until is null or c.snoozed_until <= now())`,
    unread: value => `(c.unread_count > 0) = ${value}`,
    assignedUserId: value =>
      value === "'none'" ? 'c.assigned_user_id is null' : `c.assigned_user_id = ${value}`,
    accountId: value => `c.account_id = ${value}`,
    label: value => `c.labels @> array[${value}]`,
    snoozed: value => `coalesce(c.snoozed_until > now(), false) = ${value}`,
  }
  return [...query].flatMap(([name, value]) => {
    const condition = conditions[name]
    return condition ? [condition(pg.escapeLiteral(value))] : []
  })
}
