/** One agency with many leads of simulated listings, created once in `data/bench-agency…`. */
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { type Deployment, openDeployment } from '../src/deployment.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { createLog } from '../src/kit/log.ts'
import { startSimulator } from '../src/simulator/index.ts'
import { indexAllLeads } from './index-leads.ts'

/** `leads` is a multiple of `pageRows`. */
export interface AgencySize {
  leads: number
  listings: number
  dataDir: string
}

/** Its creation takes ten minutes and 5 GB. */
export const fullAgency: AgencySize = {
  leads: 1_000_000,
  listings: 30_000,
  dataDir: toDataDir('bench-agency'),
}
export const shortAgency: AgencySize = {
  leads: 20_000,
  listings: 3000,
  dataDir: toDataDir('bench-agency-small'),
}

function toDataDir(name: string): string {
  return new URL(`../data/${name}`, import.meta.url).pathname
}

const pageRows = 20_000
const slug = 'bench-agency'

export interface Agency {
  deployment: Deployment
  key: string
  tenantId: string
  leads: number
  ownerUrl: string
  /** URL as the superuser, without row level security, for the limits. */
  superuserUrl: string
}

/** Opens the agency's database, and creates it first if it is missing. */
export async function openAgency(size: AgencySize = fullAgency): Promise<Agency> {
  const log = createLog('error')
  const deployment = await openDeployment(loadConfig({ DATA_DIR: size.dataDir }), { mode: 'own', log })
  const { owner } = deployment.database
  await createWorkspace(owner, { name: slug, slug }).catch(() => {})
  await owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000_000 }).execute()
  const tenant = await owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'tenants.workspace_id')
    .select('tenants.id')
    .where('environment', '=', 'test')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  const superuserUrl = deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
  await fillIfIncomplete(deployment, superuserUrl, tenant.id, size)
  const key = await createKey(owner, { workspace: slug, environment: 'test', name: 'bench' })
  return {
    deployment,
    key,
    tenantId: tenant.id,
    leads: size.leads,
    ownerUrl: deployment.embedded!.databaseUrl,
    superuserUrl,
  }
}

async function fillIfIncomplete(
  { database }: Deployment,
  superuserUrl: string,
  tenantId: string,
  { leads, listings }: AgencySize,
): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c search_path=aldaba,public -c synchronous_commit=off',
  })
  await client.connect()
  // A database without external ids is outdated and is created again.
  const { rows } = await client.query<{ count: string; with_external_id: string }>(
    'select count(*) as count, count(external_id) as with_external_id from leads',
  )
  if (Number(rows[0]!.count) < leads || Number(rows[0]!.with_external_id) === 0) {
    console.log(`creating ${leads} leads of one agency, only once …`)
    await client.query('truncate leads, lead_search cascade')
    await insertListings(client, listings)
    await client.query(usersSql, [slug])
    for (let from = 1; from <= leads; from += pageRows) {
      await client.query(leadsSql, [tenantId, from, from + pageRows - 1])
    }
    await indexAllLeads(database, tenantId)
    await client.query(sourcesSql)
    await client.query('drop table public.listings, public.agents')
    await client.query('checkpoint')
  }
  // A migration that rewrites a table leaves it unvacuumed, which prevents index-only scans.
  await client.query('vacuum analyze')
  await client.end()
}

async function insertListings(client: pg.Client, listings: number): Promise<void> {
  const simulator = await startSimulator({ listings })
  await client.query('drop table if exists public.listings, public.agents')
  await client.query('create table public.listings (n serial primary key, listing jsonb)')
  let batch: string[] = []
  const send = async () => {
    await client.query('insert into public.listings (listing) select unnest($1::jsonb[])', [batch])
    batch = []
  }
  for (const listing of simulator.listings) {
    batch.push(JSON.stringify(listing))
    if (batch.length === 1000) await send()
  }
  await send()
  await simulator.close()
}

const usersSql = `
  with inserted as (
    insert into users (id, workspace_id, email, name, role)
    select gen_random_uuid(), w.id, 'agent' || i || '@example.com', 'Agent ' || i, 'agent'
    from workspaces w, generate_series(1, 25) i where w.slug = $1
    on conflict (workspace_id, email) do update set name = excluded.name returning id)
  select row_number() over () - 1 as n, id into public.agents from inserted`

/**
 * Inserts the leads $2 to $3 of the tenant $1, one every 25 s. Few old leads have the status new; campaigns are consecutive; every seventh lead was changed
 * later; towns, prices and texts are those of the listings. Tags: the neighbourhood, `hot` on 1 %, `vip` on
 * five, `archive` on the oldest 50,000. 1 % came from a CRM, and 2 % may be contacted.
 */
const leadsSql = `
  insert into leads (tenant_id, id, status, contact_name, phone, phone_raw, advertiser_type, operation, property_type, title,
    description, price, currency, square_meters, rooms, bedrooms, bathrooms, floor, floor_text, condition, features, address, municipality,
    province, postcode, latitude, longitude, images, url, published_at, price_history, campaign_id, owner_user_id, tags,
    external_id, lawful_basis, lawful_basis_at, created_at, updated_at)
  select $1::uuid, (lpad(to_hex((1767225600000 + i * 25000::bigint) >> 16), 8, '0') || '-' || lpad(to_hex((1767225600000 + i * 25000::bigint) & 65535), 4, '0')
      || '-7' || lpad(to_hex(i & 4095), 3, '0') || '-8' || substr(md5(i::text), 1, 3) || '-' || substr(md5(i::text || 'x'), 1, 12))::uuid,
    case when i > 800000 or i % 100 < 20 then 'new' when i % 100 < 50 then 'discarded' when i % 100 < 80 then 'lost'
      when i % 100 < 90 then 'contacted' when i % 100 < 96 then 'replied' when i % 100 < 99 then 'qualified' else 'won' end,
    listing #>> '{advertiser,name}',
    case when i % 50 = 7 then null when listing #>> '{advertiser,type}' = 'agency' then listing #>> '{advertiser,phone}'
      else '+346' || lpad(((i::bigint * 7919) % 100000000)::text, 8, '0') end,
    case when listing #>> '{advertiser,type}' = 'agency' then listing #>> '{advertiser,phone}'
      else '6' || lpad(((i::bigint * 7919) % 100000000)::text, 8, '0') end,
    listing #>> '{advertiser,type}', listing ->> 'operation', listing ->> 'propertyType', listing ->> 'title', listing ->> 'description',
    case when i % 200 = 3 then null else round((listing ->> 'price')::numeric * (0.8 + (i % 41) / 100.0), -2) end, 'EUR',
    (listing ->> 'squareMeters')::numeric, (listing ->> 'bedrooms')::int, (listing ->> 'bedrooms')::int, (listing ->> 'bathrooms')::int,
    substring(listing ->> 'floor' from '^-?[0-9]+')::float8, listing ->> 'floor',
    listing ->> 'condition', array(select jsonb_array_elements_text(listing -> 'features')),
    split_part(listing ->> 'address', ',', 1) || ', ' || i % 190, listing ->> 'city', listing ->> 'province', listing ->> 'postcode',
    (listing ->> 'latitude')::float8 + (i % 100) / 50000.0, (listing ->> 'longitude')::float8 - (i % 97) / 50000.0,
    array(select 'https://portal.example/fotos/' || i || '/' || n || '.png' from generate_series(1, 6) n),
    'https://portal.example/inmueble/' || i || '/', timestamptz '2026-01-01' + i * interval '25 s',
    jsonb_build_array(jsonb_build_object('price', (listing ->> 'price')::int, 'at', '2026-11-02T10:00:00.000Z')),
    md5('campaign ' || i / 5000)::uuid, case when i % 3 = 0 then (select id from public.agents where n = i % 25) end,
    array_remove(array[listing ->> 'neighbourhood', case when i % 100 = 1 then 'hot' end, case when i % 200000 = 9 then 'vip' end,
      case when i < 50000 then 'archive' end], null),
    case when i % 100 = 0 then 'crm-' || i end, case when i % 50 = 0 then 'contract' end,
    case when i % 50 = 0 then timestamptz '2026-01-01' end,
    timestamptz '2026-01-01' + i * interval '25 s',
    timestamptz '2026-01-01' + i * interval '25 s' + case when i % 7 = 0 then (i % 1000) * interval '1 h' else interval '0' end
  from generate_series($2::int, $3::int) i
  join public.listings source
    on source.n = 1 + (i::bigint * 7919 + i / 36000) % (select count(*) from public.listings)`

const sourcesSql = `
  insert into lead_sources (tenant_id, platform, listing_id, lead_id, url, extraction_id, first_seen_at, last_seen_at, withdrawn_at)
  select tenant_id, case when id::text ~ '[0-3]$' then 'portal_b' when id::text ~ '4$' then 'portal_c' else 'portal_a' end, url, id, url,
    md5('extraction ' || floor(extract(epoch from created_at - '2026-01-01') / 50000))::uuid, created_at, created_at,
    case when id::text ~ '[0-3]a0$' then created_at + interval '20 days' end
  from leads`
