/** Exports the leads that match a filter as a file of any length; pages are read while the file is sent. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Caller } from '../../../kit/auth.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { createLeadSerializer, type LeadJson } from '../queries.ts'
import type { Lead, LeadFilter } from '../schemas.ts'
import { createLeadTable, customNamesMax } from './export-columns.ts'
import { filterConditions, selectLeads } from './lead-list.ts'
import { planSearch, type Search } from './lead-search.ts'

/** Leads per statement. Each statement checks again that the key is valid. */
const pageSize = 1000
/** Leads that are formatted without yielding to the event loop: a few milliseconds. */
const chunkSize = 100
/** Without it, Excel does not read the file as UTF-8. */
const byteOrderMark = '\ufeff'

export interface ExportInput {
  database: Database
  caller: Caller
  filter: Omit<LeadFilter, 'sort' | 'limit' | 'cursor' | 'count'>
  /** Aborted: no further page is read. */
  signal: AbortSignal
}

/** Newest first: leads that are created during the export would come before the first page, and are left out. */
const order = { sort: '-createdAt', limit: pageSize } as const

/** NDJSON: one lead per line. */
export async function* exportLines(input: ExportInput): AsyncGenerator<string> {
  const search = await planExport(input)
  for await (const leads of readChunks(input, search)) yield `${leads.join('\n')}\n`
}

/** A CSV table (RFC 4180) with headings, for spreadsheets and for the import. `separator`: one character. */
export async function* exportTable(input: ExportInput, separator: string): AsyncGenerator<string> {
  const search = await planExport(input)
  const names = await input.database.readTenant(input.caller, tx => findCustomNames(tx, input, search))
  const table = createLeadTable(names, separator)
  let prefix = byteOrderMark + table.heading
  for await (const leads of readChunks(input, search)) {
    yield prefix + table.formatLines(leads.map(json => JSON.parse(json) as Lead))
    prefix = ''
  }
  if (prefix !== '') yield prefix
}

function planExport({ database, caller, filter }: ExportInput): Promise<Search> {
  return database.readTenant(caller, tx => planSearch(tx, { ...filter, ...order }, true))
}

async function* readChunks(input: ExportInput, search: Search): AsyncGenerator<string[]> {
  for await (const leads of readPages(input, search)) {
    for (let start = 0; start < leads.length; start += chunkSize) {
      yield leads.slice(start, start + chunkSize)
      await setImmediate()
    }
  }
}

interface ExportedRow extends LeadJson {
  id: string
}

interface ReadPage {
  rows: ExportedRow[]
  serialize: (lead: LeadJson) => string
}

/** Pages of leads as JSON. While one page is formatted and sent, the database reads the next. */
async function* readPages(
  { database, caller, filter, signal }: ExportInput,
  search: Search,
): AsyncGenerator<string[]> {
  const read = (after: string | null): Promise<ReadPage> =>
    database.readTenant(caller, async tx => {
      const selection = selectLeads(
        tx,
        { ...filter, ...order },
        after === null ? null : [after],
        search,
        pageSize,
      )
      const { rows } = await sql<ExportedRow>`select l.id, lead.json, lead.facts ${selection}`.execute(tx)
      return { rows, serialize: createLeadSerializer(tx) }
    })
  let nextPage: Promise<ReadPage> | null = read(null)
  while (nextPage && !signal.aborted) {
    const page: ReadPage = await nextPage
    const last = page.rows.length < pageSize ? undefined : page.rows.at(-1)
    nextPage = last ? read(last.id) : null
    // An error is thrown where the page is awaited; it must not be unhandled if it never is.
    nextPage?.catch(() => {})
    yield page.rows.map(page.serialize)
  }
}

/**
 * The names of the custom fields of the exported leads, sorted. The columns must be known before the first line.
 * Reads all leads once, which takes a few per cent of the time of the export.
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
