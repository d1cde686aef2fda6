/**
 * `GET /leads/export` of 200,000 leads, as a table and as lines of JSON, compared with PostgreSQL's COPY of the same
 * columns, in turn.
 */
import pg from 'pg'
import { hashKeyValue } from '../src/kit/key.ts'
import { insertManyLeads } from './export-leads.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { type BenchProcess, withBench } from './processes.ts'

const full = { leads: 200_000, rounds: 3 }
const limit = 'COPY TO (limit)'

interface Figures {
  seconds: number
  bytes: number
}

type Measured = Map<string, Figures[]>

export async function run(): Promise<void> {
  await withExport(full, printTable)
}

export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withExport({ leads: 20_000, rounds: 3 }, async figures => {
    ratios = {
      'CSV of COPY': computeRatio(figures, 'export as CSV'),
      'NDJSON of COPY': computeRatio(figures, 'export as NDJSON'),
    }
  })
  return ratios
}

function computeRatio(figures: Measured, name: string): number {
  const limits = figures.get(limit)!
  return median(figures.get(name)!.map((one, round) => limits[round]!.seconds / one.seconds))
}

async function withExport(
  { leads, rounds }: typeof full,
  onMeasured: (figures: Measured, aldaba: BenchProcess, idleMb: number) => Promise<void>,
): Promise<void> {
  await withBench(async bench => {
    const key = await bench.createLiveKey()
    const { tenantId } = (await bench.deployment.database.findApiKey(hashKeyValue(key)))!
    const superuserUrl = bench.deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
    await insertManyLeads(superuserUrl, tenantId, leads)
    const aldaba = await bench.startAldaba({})
    try {
      const idleMb = await aldaba.readPeakMb()
      const figures = await measure(aldaba, key, createCopyRunner(superuserUrl, tenantId), rounds)
      await onMeasured(figures, aldaba, idleMb)
    } finally {
      await aldaba.stop()
    }
  })
}

async function measure(
  aldaba: BenchProcess,
  key: string,
  copy: () => Promise<Figures>,
  rounds: number,
): Promise<Measured> {
  const candidates: Record<string, () => Promise<Figures>> = {
    [limit]: copy,
    'export as CSV': () => download(aldaba.url, key, 'csv'),
    'export as NDJSON': () => download(aldaba.url, key, 'ndjson'),
  }
  const figures: Measured = new Map(Object.keys(candidates).map(name => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, candidate] of Object.entries(candidates)) figures.get(name)!.push(await candidate())
  return figures
}

async function printTable(figures: Measured, aldaba: BenchProcess, idleMb: number): Promise<void> {
  const { leads, rounds } = full
  console.log(`${leads.toLocaleString('en')} leads of one workspace, ${rounds} rounds, medians`)
  console.table(
    Object.fromEntries(
      [...figures].map(([name, all]) => {
        const seconds = median(all.map(one => one.seconds))
        return [
          name,
          {
            seconds: Math.round(seconds * 10) / 10,
            'rows/s': Math.round(leads / seconds),
            'MB/s': Math.round((all[0]!.bytes / seconds / 1e6) * 10) / 10,
            'share of the limit': computeRatio(figures, name).toFixed(2),
          },
        ]
      }),
    ),
  )
  console.log(
    `peak memory: ${Math.round(idleMb)} MB after the start, ${Math.round(await aldaba.readPeakMb())} MB at the end`,
  )
}

async function download(url: string, key: string, format: string): Promise<Figures> {
  const startedMs = performance.now()
  const reply = await fetch(`${url}/public/v1/leads/export?format=${format}`, {
    headers: { 'x-api-key': key },
  })
  if (reply.status !== 200) throw new Error(await reply.text())
  let bytes = 0
  for await (const chunk of reply.body!) bytes += chunk.length
  return { seconds: (performance.now() - startedMs) / 1000, bytes }
}

/** Creates a function that copies the leads without row level security, and counts the bytes that the driver receives. */
function createCopyRunner(superuserUrl: string, tenantId: string): () => Promise<Figures> {
  return async () => {
    const client = new pg.Client({
      connectionString: superuserUrl,
      options: '-c search_path=aldaba,public -c timezone=UTC',
    })
    await client.connect()
    let bytes = 0
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('copyData', ({ chunk }: { chunk: Buffer }) => {
      bytes += chunk.length
    })
    const startedMs = performance.now()
    await client.query(
      `copy (${columnsSql} from leads l where l.tenant_id = '${tenantId}' order by l.id desc) to stdout (format csv)`,
    )
    const seconds = (performance.now() - startedMs) / 1000
    await client.end()
    return { seconds, bytes }
  }
}

/** The columns of the table in PostgreSQL's text format. */
const columnsSql = `
  select l.id, l.status, l.contact_name, l.phone, l.phone_raw, l.email, l.advertiser_type, l.operation, l.property_type, l.title,
    l.description, trim_scale(l.price), l.currency, trim_scale(l.square_meters), l.rooms, l.bedrooms, l.bathrooms, l.floor, l.floor_text,
    l.condition, array_to_string(l.features, ' | '), l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude,
    array_to_string(l.images, ' | '), l.url, aldaba.iso_time(l.published_at), l.price_history,
    (select coalesce(json_agg(source), '[]') from (
      select s.platform, s.listing_id as "listingId", s.url, s.extraction_id as "extractionId", s.campaign_id as "campaignId",
        aldaba.iso_time(s.first_seen_at) as "firstSeenAt", aldaba.iso_time(s.last_seen_at) as "lastSeenAt",
        aldaba.iso_time(s.withdrawn_at) as "withdrawnAt"
      from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id = l.id
      order by s.first_seen_at, s.platform, s.listing_id) source),
    l.campaign_id, l.owner_user_id, array_to_string(l.tags, ' | '), l.lawful_basis, aldaba.iso_time(l.consent_at),
    aldaba.iso_time(l.notice_sent_at), l.notes_count, aldaba.iso_time(l.created_at), aldaba.iso_time(l.updated_at),
    aldaba.iso_time(l.last_contacted_at), aldaba.iso_time(l.last_reply_at), l.custom_fields`

if (import.meta.main) await run()
