/** Plans the search by words, tags and contactability: the best way depends on how common they are. */
import { type RawBuilder, sql } from 'kysely'
import { parsePhoneSearch } from '../../../domain/contact/identifiers.ts'
import { toSearchWords } from '../../../domain/search-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import { notContactableCandidates } from '../../privacy/service.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import type { LeadFilter } from '../schemas.ts'

/**
 * Up to this number, matching leads are collected and then sorted. If there are more, scanning in order finds a page
 * sooner.
 */
export const collectedMax = { words: 30_000, tag: 7_000, notContactable: 5_000 }

export interface Search {
  /** Conditions on a lead `l`. */
  conditions: RawBuilder<unknown>[]
  /** Few leads are expected: collect all of them before sorting. */
  isSelective: boolean
}

/** `isReused`: the conditions are used in later transactions too, when more leads may match. */
export async function planSearch(
  tx: Tx,
  { q, tag, contactable, sort }: Pick<LeadFilter, 'q' | 'tag' | 'contactable' | 'sort'>,
  isReused = false,
): Promise<Search> {
  const searches = [
    ...(q === undefined ? [] : [await planWords(tx, q)]),
    ...(tag === undefined ? [] : [await planTag(tx, tag, sort)]),
    ...(contactable === false ? [await planNotContactable(tx, isReused)] : []),
  ]
  return {
    conditions: searches.flatMap(search => search.conditions),
    isSelective: searches.some(search => search.isSelective),
  }
}

async function planTag(tx: Tx, tag: string, sort: LeadFilter['sort']): Promise<Search> {
  const tags = splitTags(tag)
  const conditions = [
    sql`l.id in (
    select lead_id from lead_tags where tenant_id = ${getTenantId(tx)} and ${isOneOf(sql`tag`, tags)})`,
  ]
  // The index of tags is in this order.
  if (sort === '-createdAt' && tags.length === 1) return { conditions, isSelective: false }
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from lead_tags where tenant_id = ${getTenantId(tx)} and ${isOneOf(sql`tag`, tags)}
      limit ${collectedMax.tag + 1}) tagged`.execute(tx)
  return { conditions, isSelective: rows[0]!.count <= collectedMax.tag }
}

/**
 * If nearly all leads may be contacted, collects candidates for the few others. The filter itself still checks each
 * of them.
 */
async function planNotContactable(tx: Tx, isReused: boolean): Promise<Search> {
  const candidates = sql`select id from (${notContactableCandidates(tx)}) maybe`
  const limited = sql`(${candidates} limit ${sql.raw(String(collectedMax.notContactable + 1))})`
  const { rows } = await sql<{ count: number }>`select count(*) from ${limited} counted`.execute(tx)
  if (rows[0]!.count > collectedMax.notContactable) return { conditions: [], isSelective: false }
  // The limit shows the planner that they are few. In later transactions there may be more, and none may be missed.
  return { conditions: [sql`l.id in ${isReused ? sql`(${candidates})` : limited}`], isSelective: true }
}

interface WordsPlan {
  /** A tsquery for the index. */
  indexed: string | null
  /** A tsquery of words so common that checking each document is faster than the index. */
  checked: string | null
  /** The estimated number of documents that match `indexed`. */
  expected: number | null
  /** The index is on another server of a cluster: `search_documents` queries it there. */
  onShards: boolean
}

async function planWords(tx: Tx, q: string): Promise<Search> {
  const { found, matches } = await planWordSearch(tx, q)
  if (!found) return { conditions: [matches(sql`l.id`)], isSelective: false }
  return { conditions: [sql`l.id in (${found})`], isSelective: true }
}

/** How to find leads by words. */
interface WordSearch {
  /** SQL: a query for the ids of all leads that match; null if they are many. */
  found: RawBuilder<unknown> | null
  /** SQL: the lead with this id matches. */
  matches(leadId: RawBuilder<unknown>): RawBuilder<unknown>
}

async function planWordSearch(tx: Tx, q: string): Promise<WordSearch> {
  const { rows } = await sql<WordsPlan>`
    select indexed, checked, expected, on_shards as "onShards"
    from aldaba.plan_search(${getTenantId(tx)}, ${toSearchWords(q)}::text[], ${await findPhoneDigits(tx, q)}::text[])`.execute(
    tx,
  )
  const { indexed, checked, expected, onShards } = rows[0]!
  const all = [indexed, checked].filter(part => part !== null)
  // The text has no words: no lead matches.
  if (all.length === 0) return { found: sql`select null::uuid where false`, matches: () => sql`false` }
  const whole = all.map(part => `(${part})`).join(' & ')
  const matches: WordSearch['matches'] = leadId =>
    sql`(select d.document @@ ${whole}::tsquery from lead_documents d where d.tenant_id = ${getTenantId(tx)} and d.lead_id = ${leadId})`
  if (expected === null || expected > collectedMax.words) return { found: null, matches }
  // "is true" keeps the planner from using the index for this condition.
  const isChecked = checked === null ? sql`` : sql`and (document @@ ${checked}::tsquery) is true`
  const documents = onShards
    ? sql`aldaba.search_documents(${getTenantId(tx)}, 'lead_search', ${indexed}::tsquery) d (lead_id)`
    : sql`lead_documents where tenant_id = ${getTenantId(tx)} and document @@ ${indexed}::tsquery ${isChecked}`
  const found = sql`
    with found as materialized (select lead_id from ${documents})
    select lead_id from found`
  return { found, matches }
}

/**
 * Returns a tsquery for the documents of leads: all words, of which the last one may be incomplete, or the beginning of a
 * phone, see `findPhoneDigits`. Null: the text has no words.
 */
export function toLeadQuery(q: string, phoneDigits: string[]): string | null {
  const words = toSearchWords(q).map(
    (word, index, { length }) => `'${word}'${index === length - 1 ? ':*' : ''}`,
  )
  if (words.length === 0) return null
  return [`(${words.join(' & ')})`, ...phoneDigits.map(digits => `'${digits}':*`)].join(' | ')
}

/**
 * If the text looks like a phone number: the digits that matching numbers may begin with, for the country of the
 * workspace.
 */
export async function findPhoneDigits(tx: Tx, q: string): Promise<string[]> {
  if (!/^[^\p{L}]*(?:\p{L}+[.:\s]+)?[^\p{L}]*\d[^\p{L}]*$/u.test(q)) return []
  const { country } = await getWorkspaceLocale(tx)
  return parsePhoneSearch(q, country)
}

/** A comma within a tag has a backslash before it. */
function splitTags(text: string): string[] {
  return text.split(/(?<!\\),/).map(tag => tag.replaceAll('\\,', ','))
}
