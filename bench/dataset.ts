/** Leads in twenty workspaces, generated once by PostgreSQL and kept in `data/bench…`. */

import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import type { Deployment } from '../src/deployment.ts'
import { openDeployment } from '../src/deployment.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { createLog } from '../src/kit/log.ts'
import { indexAllLeads } from './index-leads.ts'

const workspaceCount = 20

/** Number of leads, and their directory. */
export interface DatasetSize {
  leads: number
  dataDir: string
}

/** Creating a million leads takes two minutes and 3 GB. */
export const fullSize: DatasetSize = { leads: 1_000_000, dataDir: toDataDir('bench') }
/** The dataset of the short forms, which is created in seconds. */
export const shortSize: DatasetSize = { leads: 20_000, dataDir: toDataDir('bench-small') }

function toDataDir(name: string): string {
  return new URL(`../data/${name}`, import.meta.url).pathname
}

export interface Dataset {
  deployment: Deployment
  /** One full-access test key per workspace. */
  keys: string[]
  /** Tenants in the order of the keys. */
  tenantIds: string[]
  ownerUrl: string
  /** URL as the superuser, without row level security, for the limits. */
  superuserUrl: string
}

/** Opens the database of the benchmarks, and creates it first if it is missing. */
export async function openDataset({ leads, dataDir }: DatasetSize = fullSize): Promise<Dataset> {
  const deployment = await openDeployment(loadConfig({ DATA_DIR: dataDir }), {
    mode: 'own',
    log: createLog('error'),
  })
  const { owner } = deployment.database
  const slugs = Array.from({ length: workspaceCount }, (_, index) => `bench-${index + 1}`)
  for (const slug of slugs) await createWorkspace(owner, { name: slug, slug }).catch(() => {})
  // The rate limiter is active, with a limit that no run reaches.
  await owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000_000 }).execute()
  const tenants = await owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'tenants.workspace_id')
    .select(['tenants.id', 'workspaces.slug'])
    .where('tenants.environment', '=', 'test')
    .where('workspaces.slug', 'like', 'bench-%')
    .orderBy('workspaces.slug')
    .execute()
  const superuserUrl = deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
  await fillIfIncomplete(
    deployment,
    superuserUrl,
    tenants.map(tenant => tenant.id),
    leads / workspaceCount,
  )
  const keys = await Promise.all(
    tenants.map(({ slug }) => createKey(owner, { workspace: slug, environment: 'test', name: 'bench' })),
  )
  return {
    deployment,
    keys,
    tenantIds: tenants.map(tenant => tenant.id),
    ownerUrl: deployment.embedded!.databaseUrl,
    superuserUrl,
  }
}

async function fillIfIncomplete(
  { database }: Deployment,
  superuserUrl: string,
  tenantIds: string[],
  leadsPerWorkspace: number,
): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c search_path=aldaba,public -c synchronous_commit=off',
  })
  await client.connect()
  const leads = tenantIds.length * leadsPerWorkspace
  const { rows } = await client.query<{ count: string }>('select count(*) from leads')
  if (Number(rows[0]!.count) < leads) {
    console.log(`creating ${leads} leads, only once …`)
    await client.query('truncate leads, lead_search cascade')
    for (const tenantId of tenantIds) {
      await client.query(leadsSql, [tenantId, 1, leadsPerWorkspace])
      await indexAllLeads(database, tenantId)
      await client.query(sourcesSql, [tenantId])
    }
    await client.query('vacuum analyze leads')
    await client.query('vacuum analyze lead_sources')
    await client.query('checkpoint')
  }
  await client.end()
}

/**
 * Inserts leads of the tenant $1 with the numbers $2 to $3. Texts are as long as those of listings; ids are UUIDs of
 * version 7, one every 10 s, as the program creates them.
 */
export const leadsSql = `
  insert into leads (tenant_id, id, contact_name, phone, phone_raw, advertiser_type, operation, property_type, title, description,
    price, currency, square_meters, rooms, bedrooms, bathrooms, floor, floor_text, condition, features, address, municipality, province, postcode,
    latitude, longitude, images, url, published_at, price_history, created_at, updated_at)
  select $1::uuid, (lpad(to_hex((1767225600000 + i * 10000::bigint) >> 16), 8, '0') || '-' || lpad(to_hex((1767225600000 + i * 10000::bigint) & 65535), 4, '0')
      || '-7' || lpad(to_hex(i & 4095), 3, '0') || '-8' || substr(md5(i::text || $1::text), 1, 3) || '-' || substr(md5($1::text || i::text), 1, 12))::uuid,
    'Marta Soler ' || i, '+346' || lpad(i::text, 8, '0'), '6' || lpad(i::text, 8, '0'), (array['private', 'agency'])[1 + i % 2], 'sale', 'homes',
    'Piso en venta en carrer de Mallorca, Eixample ' || i,
    repeat('Piso luminoso de ' || 60 + i % 90 || ' metros con ascensor, balcón a la calle y cocina equipada. ', 5),
    150000 + (i * 7919) % 600000, 'EUR', 60 + i % 90, 3, 3, 2, i % 9, (i % 9)::text, 'good', '{lift,balcony,exterior}', 'Carrer de Mallorca, ' || i % 600,
    'Barcelona', 'Barcelona', '08008', 41.35 + (i % 1000) / 10000.0, 2.1 + (i % 997) / 10000.0,
    array(select 'https://portal.example/fotos/' || i || '/' || n || '.png' from generate_series(1, 6) n),
    'https://portal.example/inmueble/' || i || '/', timestamptz '2026-01-01' + i * interval '10 s',
    jsonb_build_array(jsonb_build_object('price', 150000 + (i * 7919) % 600000, 'at', '2026-11-02T10:00:00.000Z')),
    timestamptz '2026-01-01' + i * interval '10 s', timestamptz '2026-01-01' + i * interval '10 s'
  from generate_series($2::int, $3::int) i`

/** Inserts one source for each lead of the tenant $1. */
export const sourcesSql = `
  insert into lead_sources (tenant_id, platform, listing_id, lead_id, url, extraction_id, first_seen_at, last_seen_at)
  select tenant_id, 'portal_a', url, id, url, id, created_at, created_at from leads where tenant_id = $1`
