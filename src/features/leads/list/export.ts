/** The leads that a filter lets through, as a file of any length, read page by page while it is sent. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Caller } from '../../../kit/auth.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { createLeadSerializer, type LeadJson } from '../queries.ts'
import type { Lead, LeadFilter } from '../schemas.ts'
import { createLeadTable, customNamesMax } from './export-columns.ts'
import { filterConditions, selectLeads } from './lead-list.ts'
import { planSearch, type Search } from './lead-search.ts'

/** Leads of one statement: each asks again whether the key holds. */
const pageSize = 1000
/** Leads that are written without letting others have their turn: some milliseconds. */
const chunkSize = 100
/** Without it Excel takes UTF-8 for the encoding of the country. */
const byteOrderMark = '\ufeff'

export interface ExportInput {
  database: Database
  caller: Caller
  filter: Omit<LeadFilter, 'sort' | 'limit' | 'cursor' | 'count'>
  /** No further page is read once it is aborted. */
  signal: AbortSignal
}

/** Newest first, as the list has them: those that come while they are read are before the first, and left out. */
const order = { sort: '-createdAt', limit: pageSize } as const

/** The JSON of each lead on a line of its own. */
export async function* exportLines(input: ExportInput): AsyncGenerator<string> {
  const search = await planExport(input)
  for await (const leads of readChunks(input, search)) yield `${leads.join('\n')}\n`
}

/** A table (RFC 4180) with headings, for spreadsheets and for the import. `separator`: one sign. */
export async function* exportTable(input: ExportInput, separator: string): AsyncGenerator<string> {
  const search = await planExport(input)
  const names = await input.database.readTenant(input.caller, tx => findCustomNames(tx, input, search))
  const table = createLeadTable(names, separator)
  let prefix = byteOrderMark + table.heading
  for await (const leads of readChunks(input, search)) {
    yield prefix + table.lines(leads.map(json => JSON.parse(json) as Lead))
    prefix = ''
  }
  if (prefix !== '') yield prefix
}

function planExport({ database, caller, filter }: ExportInput): Promise<Search> {
  return database.readTenant(caller, tx => planSearch(tx, { ...filter, ...order }, true))
}

async function* readChunks(input: ExportInput, search: Search): AsyncGenerator<string[]> {
  for await (const leads of readPages(input, search)) {
    for (let at = 0; at < leads.length; at += chunkSize) {
      yield leads.slice(at, at + chunkSize)
      await setImmediate()
    }
  }
}

interface ExportedRow extends LeadJson {
  id: string
}

interface ReadPage {
  rows: ExportedRow[]
  write: (lead: LeadJson) => string
}

/** Pages of leads, each as JSON. While one is written and sent, the database reads the next. */
async function* readPages(
  { database, caller, filter, signal }: ExportInput,
  search: Search,
): AsyncGenerator<string[]> {
  const read = (after: string | null): Promise<ReadPage> =>
    database.readTenant(caller, async tx => {
      const chosen = selectLeads(
        tx,
        { ...filter, ...order },
        after === null ? null : [after],
        search,
        pageSize,
      )
      const { rows } = await sql<ExportedRow>`select l.id, lead.json, lead.facts ${chosen}`.execute(tx)
      return { rows, write: createLeadSerializer(tx) }
    })
  let nextPage: Promise<ReadPage> | null = read(null)
  while (nextPage && !signal.aborted) {
    const page: ReadPage = await nextPage
    const last = page.rows.length < pageSize ? undefined : page.rows.at(-1)
    nextPage = last ? read(last.id) : null
    // Heard of when it is waited for, if it ever is.
    nextPage?.catch(() => {})
    yield page.rows.map(page.write)
  }
}

/**
 * Names of the custom fields of the leads that are to be exported, in order: the columns have to be known before the first
 * line is. Reads all of them once, which takes a few hundredths of the time that the export does.
 */
async function findCustomNames(tx: Tx, { filter }: ExportInput, search: Search): Promise<string[]> {
  const conditions = filterConditions(tx, { ...filter, ...order }, search)
  const { rows } = await sql<{ name: string }>`
    select distinct name collate "C" as name
    from leads l, jsonb_object_keys(l.custom_fields) name
    where ${sql.join(conditions, sql` and `)}
    order by 1 limit ${customNamesMax}`.execute(tx)
  return rows.map(row => row.name)
}
