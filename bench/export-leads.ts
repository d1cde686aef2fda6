/** Leads to be exported: as many as asked for in one workspace, with texts of the length that adverts have. */
import pg from 'pg'

const batchSize = 50_000

/**
 * Makes `count` leads, each with a source, in a tenant without any. As the superuser, past row level security and the
 * triggers: an export does not ask for the words that leads are found by, which take most of the time.
 */
export async function makeManyLeads(superuserUrl: string, tenantId: string, count: number): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c search_path=aldaba,public -c synchronous_commit=off -c session_replication_role=replica',
  })
  await client.connect()
  for (let from = 1; from <= count; from += batchSize) {
    await client.query(leadsSql, [tenantId, from, Math.min(count, from + batchSize - 1)])
  }
  await client.query(sourcesSql, [tenantId])
  await client.query('vacuum analyze leads')
  await client.query('vacuum analyze lead_sources')
  await client.query('checkpoint')
  await client.end()
}

/** Ids as the program makes them, one every 10 s; one lead in ten has a custom field and tags. */
const leadsSql = `
  insert into leads (tenant_id, id, contact_name, phone, phone_raw, advertiser_type, operation, property_type, title, description,
    price, currency, square_meters, rooms, bedrooms, bathrooms, floor, condition, features, address, municipality, province, postcode,
    latitude, longitude, images, url, published_at, price_history, tags, custom_fields, created_at, updated_at)
  select $1::uuid, (lpad(to_hex((1767225600000 + i * 10000::bigint) >> 16), 8, '0') || '-' || lpad(to_hex((1767225600000 + i * 10000::bigint) & 65535), 4, '0')
      || '-7' || lpad(to_hex(i & 4095), 3, '0') || '-8' || substr(md5(i::text), 1, 3) || '-' || substr(md5('x' || i::text), 1, 12))::uuid,
    'Marta Soler ' || i, '+346' || lpad(i::text, 8, '0'), '6' || lpad(i::text, 8, '0'), (array['private', 'agency'])[1 + i % 2], 'sale', 'homes',
    'Piso en venta en carrer de Mallorca, Eixample ' || i,
    repeat('Piso luminoso de ' || 60 + i % 90 || ' metros con ascensor, balcón a la calle y cocina equipada. ', 5),
    150000 + (i * 7919::bigint) % 600000, 'EUR', 60 + i % 90, 3, 3, 2, (i % 9)::text, 'good', '{lift,balcony,exterior}', 'Carrer de Mallorca, ' || i % 600,
    'Barcelona', 'Barcelona', '08008', 41.35 + (i % 1000) / 10000.0, 2.1 + (i % 997) / 10000.0,
    array(select 'https://portal.example/fotos/' || i || '/' || n || '.png' from generate_series(1, 6) n),
    'https://portal.example/inmueble/' || i || '/', timestamptz '2026-01-01' + i * interval '10 s',
    jsonb_build_array(jsonb_build_object('price', 150000 + (i * 7919::bigint) % 600000, 'at', '2026-11-02T10:00:00.000Z')),
    case when i % 10 = 0 then '{eixample,llamar}' else '{}' end::text[],
    case when i % 10 = 0 then jsonb_build_object('Comercial', 'Núria') else '{}' end,
    timestamptz '2026-01-01' + i * interval '10 s', timestamptz '2026-01-01' + i * interval '10 s'
  from generate_series($2::int, $3::int) i`

const sourcesSql = `
  insert into lead_sources (tenant_id, platform, listing_id, lead_id, url, extraction_id, first_seen_at, last_seen_at)
  select tenant_id, 'portal_a', url, id, url, id, created_at, created_at from leads where tenant_id = $1`
