/**
 * An import of 200,000 rows, compared with PostgreSQL's COPY of the same file into a table without an index, which
 * neither parses cells nor matches leads; and a profile of the import.
 */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OperationNode } from 'kysely'
import pg from 'pg'
import { describeFeatures } from '../src/app.ts'
import { runImport } from '../src/features/imports/jobs.ts'
import { parseRows } from '../src/features/imports/parse-rows.ts'
import type { ClaimedImport } from '../src/features/imports/run-queries.ts'
import type { Import } from '../src/features/imports/schemas.ts'
import type { Database, Tx } from '../src/kit/db/index.ts'
import { bindFeatures } from '../src/kit/feature.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { createLog } from '../src/kit/log.ts'
import type { Ratios } from './guard.ts'
import { headings, makeFile } from './import-file.ts'
import { median } from './load.ts'
import { type Bench, type BenchProcess, withBench } from './processes.ts'

const rowCount = 200_000
const profiledRows = 50_000

export async function run(): Promise<void> {
  const file = makeFile(rowCount)
  console.log(
    `import of ${rowCount} rows, ${(file.length / 1e6).toFixed(1)} MB, the program in a separate process`,
  )
  await withBench(async bench => {
    const copySeconds = await copy(bench, file)
    const { ended, uploadSeconds, peakMb } = await importOverHttp(bench, file)
    const seconds = toSeconds(ended)
    const { created, skipped, failed } = ended.progress
    console.table({
      COPY: toFigures(copySeconds),
      'parsing alone, in this process': toFigures(await parseFile(file, ended)),
      import: {
        ...toFigures(seconds),
        created,
        skipped,
        failed,
        'upload s': uploadSeconds,
        'peak MB': peakMb,
      },
    })
    console.log(`the import takes ${(seconds / copySeconds).toFixed(1)} times as long as COPY`)
    await profile(bench)
  })
}

/** Short form: the time of COPY relative to the import; both run in turn. */
export async function short(): Promise<Ratios> {
  const file = makeFile(5000)
  const small = makeFile(500)
  const shares: number[] = []
  await withBench(async bench => {
    const aldaba = await bench.startAldaba({})
    for (let round = 0; round <= 3; round++) {
      const before = await copy(bench, file)
      // The first round is a warm-up.
      const { ended } = await importFile(bench, aldaba, round > 0 ? file : small)
      const copySeconds = (before + (await copy(bench, file))) / 2
      if (round > 0) shares.push(copySeconds / toSeconds(ended))
    }
    await aldaba.stop()
  })
  return { 'rows/s of COPY': median(shares) }
}

const toSeconds = ({ startedAt, finishedAt }: Import) =>
  (Date.parse(finishedAt!) - Date.parse(startedAt!)) / 1000

const toFigures = (seconds: number) => ({
  seconds: Math.round(seconds * 10) / 10,
  'rows/s': Math.round(rowCount / seconds),
})

/** Copies the file into a new table. Returns seconds. */
async function copy({ deployment }: Bench, file: Buffer): Promise<number> {
  const path = join(tmpdir(), `aldaba-copy-${process.pid}.csv`)
  await writeFile(path, file, { mode: 0o644 })
  const client = new pg.Client({
    connectionString: deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?'),
  })
  await client.connect()
  try {
    const columns = headings.map((_, index) => `c${index} text`).join(', ')
    await client.query(`create table public.copied (${columns})`)
    const startedMs = performance.now()
    await client.query(
      `copy public.copied from '${path}' with (format csv, delimiter ';', header, encoding 'WIN1252')`,
    )
    return (performance.now() - startedMs) / 1000
  } finally {
    await client.query('drop table if exists public.copied')
    await client.end()
    await rm(path)
  }
}

async function importOverHttp(bench: Bench, file: Buffer) {
  const aldaba = await bench.startAldaba({})
  const { ended, uploadSeconds } = await importFile(bench, aldaba, file)
  const peakMb = Math.round(await aldaba.readPeakMb())
  await aldaba.stop()
  return { ended, uploadSeconds, peakMb }
}

async function importFile(bench: Bench, aldaba: BenchProcess, file: Buffer) {
  const headers = { 'x-api-key': await bench.createLiveKey(), 'content-type': 'text/csv' }
  const startedMs = performance.now()
  const reply = await fetch(`${aldaba.url}/public/v1/leads/imports`, {
    method: 'POST',
    headers,
    body: new Uint8Array(file),
  })
  const uploadSeconds = Math.round(performance.now() - startedMs) / 1000
  let ended = (await reply.json()) as Import
  while (ended.status === 'QUEUED' || ended.status === 'RUNNING') {
    const path = `${aldaba.url}/public/v1/leads/imports/${ended.id}?waitSeconds=60`
    ended = (await (await fetch(path, { headers })).json()) as Import
  }
  if (ended.status !== 'COMPLETED') throw new Error(JSON.stringify(ended))
  return { ended, uploadSeconds }
}

/** Decodes, splits and parses every row, without the database. Returns seconds. */
async function parseFile(file: Buffer, { mapping, headings }: Import): Promise<number> {
  const claimed = {
    mapping,
    guessedMapping: mapping,
    headings,
    kind: 'csv',
    hasHeader: true,
    position: 0,
    country: 'ES',
    currency: 'EUR',
    keepUnknown: true,
  }
  const startedMs = performance.now()
  const context = { claimed: claimed as unknown as ClaimedImport, now: new Date() }
  let problems = 0
  for await (const { rows } of parseRows(context, toChunks(file)))
    for (const row of rows) problems += row.problems.length
  if (problems === 0) throw new Error('the invalid phones were not noticed')
  return (performance.now() - startedMs) / 1000
}

async function* toChunks(file: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < file.length; offset += 256 * 1024)
    yield file.subarray(offset, offset + 256 * 1024)
}

const statementParts: [part: string, statement: RegExp][] = [
  ['match: find the lead', /^\s*(select|with).*(lead_sources|lead_identifiers|suppressions|from leads)/is],
  ['match: repeated rows of the file', /^\s*select.*import_(rows|fingerprints|dry_run_rows)/is],
  ['write: leads, with their indexes', /insert into leads\b|update leads\b/i],
  [
    'write: search, tags and identifiers',
    /(insert into|delete from) (lead_search|lead_identifiers|lead_tags|former_identifiers)/i,
  ],
  ['write: sources', /insert into lead_sources/i],
  ['write: the result of each row', /import_rows|import_changes/i],
  ['quota, progress, others', /./],
]

/**
 * Runs the job in this process and times every statement: shares of the time. Parsing continues while statements run.
 */
async function profile(bench: Bench): Promise<void> {
  const { database } = bench.deployment
  const key = await bench.createLiveKey()
  const apiKey = (await database.findApiKey(hashKeyValue(key)))!
  const importId = await uploadWithoutWorker(bench, key)
  // The import emits events, and calls hooks.
  bindFeatures(database, describeFeatures())
  const msByPart = new Map<string, number>()
  let transactionMs = 0
  const timed: Database = {
    ...database,
    async withTenant(tenant, work) {
      const startedMs = performance.now()
      const result = await database.withTenant(tenant, tx => work(withTiming(tx, msByPart)))
      transactionMs += performance.now() - startedMs
      return result
    },
  }
  const startedMs = performance.now()
  await runImport.run(
    { importId },
    {
      database: timed,
      tenantId: apiKey.tenantId,
      log: createLog('silent'),
      attempt: 1,
      isLastAttempt: true,
      hasWaitingJobs: async () => false,
      signal: new AbortController().signal,
    },
  )
  const totalMs = performance.now() - startedMs
  const rows = [
    ...statementParts.map(([part]): [string, number] => [part, msByPart.get(part) ?? 0]),
    ['parsing while no statement ran', totalMs - transactionMs] as [string, number],
  ]
  console.log(
    `${profiledRows} rows, ${(totalMs / 1000).toFixed(1)} s by part; statements sent together each count until their own reply`,
  )
  console.table(
    Object.fromEntries(
      rows.map(([part, ms]) => [part, { ms: Math.round(ms), share: (ms / totalMs).toFixed(2) }]),
    ),
  )
}

function withTiming(tx: Tx, msByPart: Map<string, number>): Tx {
  const started = new WeakMap<object, { part: string; atMs: number }>()
  const executor = tx.getExecutor().withPlugin({
    transformQuery({ node, queryId }) {
      const text = ((node as OperationNode & { sqlFragments?: string[] }).sqlFragments ?? []).join(' ')
      const [part] = statementParts.find(([, statement]) => statement.test(text)) ?? statementParts.at(-1)!
      started.set(queryId, { part, atMs: performance.now() })
      return node
    },
    async transformResult({ result, queryId }) {
      const { part, atMs } = started.get(queryId)!
      msByPart.set(part, (msByPart.get(part) ?? 0) + performance.now() - atMs)
      return result
    },
  })
  // The same object, because the state of a transaction is stored by it.
  return Object.assign(tx, { getExecutor: () => executor })
}

/** Uploads a file to a server without a worker, so that the import stays queued. Returns its id. */
async function uploadWithoutWorker(bench: Bench, key: string): Promise<string> {
  const aldaba = await bench.startAldaba({}, { ROLE: 'api' })
  const reply = await fetch(`${aldaba.url}/public/v1/leads/imports`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/csv' },
    body: new Uint8Array(makeFile(profiledRows)),
  })
  const { id } = (await reply.json()) as Import
  await aldaba.stop()
  return id
}

if (import.meta.main) await run()
