/** Erases the data about people outside their leads: each feature erases its own. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { eraseReplies } from '../../kit/idempotency.ts'
import { eraseHistory, eraseMessages, erasePersonData } from './hooks.ts'
import { findRelatedLeads } from './related-leads.ts'
import { redactNotes } from './suppression-list.ts'

/**
 * Erases all data about the people of these leads, except the leads themselves. `identifiers`: those that no other
 * lead has. Whole values are compared, and whole words in the texts of valuations, because the e-mail addresses of
 * other people may contain this one.
 */
export async function eraseTraces(tx: Tx, leadIds: string[], identifiers: string[]): Promise<void> {
  const words = [...(await findPersonWords(tx, leadIds, identifiers)), ...identifiers]
  const people = { leadIds, identifiers, words, ...(await findRelatedLeads(tx, leadIds, identifiers)) }
  const traces = [
    ...(await callHook(tx, erasePersonData, people)),
    ...(await callHook(tx, eraseHistory, people)),
  ]
  await redactNotes(tx, identifiers)
  const deleted = traces.flatMap(trace => trace.deleted ?? [])
  const changed = traces.flatMap(trace => trace.changed ?? [])
  const referenced = traces.flatMap(trace => trace.referenced ?? [])
  await callHook(tx, eraseMessages, [...changed, ...referenced])
  await eraseReplies(tx, [...deleted, ...changed])
  await sql`select aldaba.erase_jobs(${[...deleted, ...words]}::text[])`.execute(tx)
}

/** The names of these people, and their phone numbers in the notation of their listings. */
async function findPersonWords(tx: Tx, leadIds: string[], identifiers: string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from leads l, unnest(array[
      case when l.phone is null or l.phone = any(${identifiers}::text[]) then l.phone_raw end,
      case when l.advertiser_type is distinct from 'agency' then l.contact_name end]) word
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[]) and word is not null`.execute(
    tx,
  )
  return rows.map(({ word }) => word)
}
