/** Finding leads by their words and tags, which are in tables of their own: how, depends on how common they are. */
import { type RawBuilder, sql } from 'kysely'
import { parsePhoneSearch } from '../../../domain/contact/identifiers.ts'
import { toSearchWords } from '../../../domain/search-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notContactableCandidates } from '../../privacy/service.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import type { LeadFilter } from '../schemas.ts'

/** The most leads that are collected and then put in order; of more, the first in order are soon found one by one. */
export const collectedMax = { words: 30_000, tag: 7_000, notContactable: 5_000 }

/** What leads are searched by, as conditions on a lead `l`. */
export interface Search {
  conditions: RawBuilder<unknown>[]
  /** Few leads are expected: all of them are to be collected before they are put in order. */
  isSelective: boolean
}

/** `isReused`: the conditions are used in later transactions as well, when more leads may match. */
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
  // The tags of leads are in that order themselves.
  if (sort === '-createdAt' && tags.length === 1) return { conditions, isSelective: false }
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from lead_tags where tenant_id = ${getTenantId(tx)} and ${isOneOf(sql`tag`, tags)}
      limit ${collectedMax.tag + 1}) tagged`.execute(tx)
  return { conditions, isSelective: rows[0]!.count <= collectedMax.tag }
}

/** Where nearly all leads may be contacted, the few others are collected. Whether they are so, the filter itself asks. */
async function planNotContactable(tx: Tx, isReused: boolean): Promise<Search> {
  const all = sql`select id from (${notContactableCandidates(tx)}) maybe`
  const some = sql`(${all} limit ${sql.raw(String(collectedMax.notContactable + 1))})`
  const { rows } = await sql<{ count: number }>`select count(*) from ${some} counted`.execute(tx)
  if (rows[0]!.count > collectedMax.notContactable) return { conditions: [], isSelective: false }
  // The limit tells the planner that they are few. Later there may be more, and none may be left out.
  return { conditions: [sql`l.id in ${isReused ? sql`(${all})` : some}`], isSelective: true }
}

interface WordsPlan {
  /** A tsquery that the index answers. */
  indexed: string | null
  /** A tsquery of words so common that the index would be slower than a look at each document. */
  checked: string | null
  /** How many documents `indexed` leads to. */
  expected: number | null
  /** The index is on a server of a cluster, which `search_shard` asks there. */
  onShards: boolean
}

async function planWords(tx: Tx, q: string): Promise<Search> {
  const { rows } = await sql<WordsPlan>`
    select indexed, checked, expected, on_shards as "onShards"
    from aldaba.plan_search(${getTenantId(tx)}, ${toSearchWords(q)}::text[], ${await findPhoneDigits(tx, q)}::text[])`.execute(
    tx,
  )
  const { indexed, checked, expected, onShards } = rows[0]!
  const all = [indexed, checked].filter(part => part !== null)
  // Nothing but signs: no lead has them.
  if (all.length === 0) return { conditions: [sql`false`], isSelective: true }
  if (expected === null || expected > collectedMax.words) {
    const whole = all.map(part => `(${part})`).join(' & ')
    const condition = sql`(select d.document @@ ${whole}::tsquery from lead_documents d where d.tenant_id = ${getTenantId(tx)} and d.lead_id = l.id)`
    return { conditions: [condition], isSelective: false }
  }
  // "Is true" keeps what is checked from being asked of the index too.
  const isChecked = checked === null ? sql`` : sql`and (document @@ ${checked}::tsquery) is true`
  const documents = onShards
    ? sql`aldaba.search_shard(${getTenantId(tx)}, ${indexed}::tsquery) lead_id`
    : sql`lead_documents where tenant_id = ${getTenantId(tx)} and document @@ ${indexed}::tsquery ${isChecked}`
  const condition = sql`l.id in (
    with found as materialized (select lead_id from ${documents})
    select lead_id from found)`
  return { conditions: [condition], isSelective: true }
}

/** Of what looks like a telephone, the digits that it may begin with, seen from the workspace's country. */
async function findPhoneDigits(tx: Tx, q: string): Promise<string[]> {
  if (!/^[^\p{L}]*(?:\p{L}+[.:\s]+)?[^\p{L}]*\d[^\p{L}]*$/u.test(q)) return []
  const { country } = await getWorkspaceLocale(tx)
  return parsePhoneSearch(q, country)
}

/** A comma within a tag has a backslash before it. */
function splitTags(text: string): string[] {
  return text.split(/(?<!\\),/).map(tag => tag.replaceAll('\\,', ','))
}

/** One value is asked for as such: an index has what it leads to in the order of the list. */
export function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<unknown> {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? sql`${column} = ${first}` : sql`${column} = any(${[first, ...others]}::text[])`
}
