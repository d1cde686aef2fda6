/** Rows that older versions stored are brought to the forms of today. */
import { randomBytes } from 'node:crypto'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/kit/db/index.ts'
import { migrate, readMigrations } from '../src/kit/db/migrate.ts'
import { quietLogger } from '../src/kit/jobs/queue-log.ts'
import { databaseNamed } from './database.ts'

const tenant = '01980a4e-0000-7c3e-9d7a-2f6b1c0d9e00'
const idOf = (number: number) => `01980a4e-0000-7c3e-9d7a-2f6b1c0d9e${String(number).padStart(2, '0')}`

/** A database as the files before this one leave it. */
async function installBefore(name: string): Promise<pg.Pool> {
  const database = `older_${randomBytes(6).toString('hex')}`
  const superuser = new pg.Client({ connectionString: inject('superuserUrl') })
  await superuser.connect()
  await superuser.query(`create database ${database} owner aldaba`)
  await superuser.end()
  const { ownerPool, close } = openDatabase(databaseNamed(inject('ownerUrl'), database), {
    onError: () => {},
  })
  onTestFinished(() => close())
  await ownerPool.query(`create schema aldaba; create table aldaba.schema_migrations
    (name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  await runMigrations({ pgPool: ownerPool, logger: quietLogger })
  for (const { name: file, text, checksum } of await readMigrations()) {
    if (file >= name) break
    await ownerPool.query(text)
    await ownerPool.query('insert into aldaba.schema_migrations (name, checksum) values ($1, $2)', [
      file,
      checksum,
    ])
  }
  return ownerPool
}

/** Without row level security, as the owner may lift it. */
async function asOwner(pool: pg.Pool, tables: string[], statements: string): Promise<void> {
  const force = (words: string) =>
    tables.map(table => `alter table aldaba.${table} ${words} force row level security;`)
  await pool.query(
    `begin; set local search_path = aldaba; ${force('no').join(' ')} ${statements}; ${force('').join(' ')} commit`,
  )
}

test('floors become numbers beside their words, and features names of the vocabulary', async () => {
  const pool = await installBefore('0042')
  const floors = ['3', '-1', '0', 'entresuelo', 'Planta 3ª', 'Sótano', 'Piano rialzato', 'R/C', 'ático', null]
  const tables = ['leads', 'lead_identifiers', 'lead_tags', 'lead_merges', 'valuations', 'extractions']
  await asOwner(
    pool,
    tables,
    `insert into workspaces (id, name, slug, timezone, country, currency, plan, requests_per_minute)
      values ('${tenant}', 'A', 'a', 'Europe/Madrid', 'ES', 'EUR', 'pro', 100);
    insert into tenants (id, workspace_id, environment) values ('${tenant}', '${tenant}', 'test');
    ${floors
      .map(
        (
          floor,
          at,
        ) => `insert into leads (tenant_id, id, floor, features, edited_columns, created_at, updated_at)
          values ('${tenant}', '${idOf(at)}', ${floor === null ? 'null' : `'${floor}'`}, '{lift,storage,topFloor}', '{floor,title}', now(), now())`,
      )
      .join(';')};
    insert into lead_merges (tenant_id, id, lead_id, absorbed_id, absorbed, changes, sources, note_ids, created_at)
      select '${tenant}', '${idOf(20)}', '${idOf(0)}', '${idOf(21)}',
        to_jsonb(l) || '{"floor": "entresuelo"}', '{"floor": {"before": null, "after": "4"}, "features": {"before": [], "after": ["doorman"]}}',
        '[]', '{}', now() from leads l where l.id = '${idOf(0)}';
    insert into extractions (tenant_id, id, platform, filters, max_results, options, created_at)
      values ('${tenant}', '${idOf(22)}', 'portal_a', '{"operation": "sale", "features": ["lift", "airConditioning"]}', 10, '{}', now());
    insert into valuations (tenant_id, id, operation, property_type, subject, area, included_ids, excluded_ids, report_config,
        currency, price_basis, estimate, comparables_used, compared, candidates, as_of, created_at, updated_at)
      values ('${tenant}', '${idOf(23)}', 'sale', 'homes', '{"amenities": ["storage", "wine cellar"]}', '{}', '{}', '{}', '{}',
        'EUR', 'asking', '{}', 5, '[{"adjustments": [{"factor": "amenities", "from": "pool, airConditioning", "to": ""}]}]', '[]',
        now(), now(), now())`,
  )
  await migrate(pool)
  await pool.query(tables.map(table => `alter table aldaba.${table} no force row level security`).join(';'))
  const { rows } = await pool.query(
    'select floor, floor_text, features, edited_columns from aldaba.leads order by id',
  )
  expect(rows.map(({ floor }) => floor)).toEqual([3, -1, 0, 0.5, 3, -1, 0.5, 0, null, null])
  expect(rows.map(row => row.floor_text)).toEqual(floors)
  expect(rows[0]).toMatchObject({
    features: ['lift', 'storage_room', 'top_floor'],
    edited_columns: ['floor', 'floor_text', 'title'],
  })
  const merge = (await pool.query('select absorbed, changes from aldaba.lead_merges')).rows[0]
  expect(merge.absorbed).toMatchObject({
    ...{ floor: 0.5, floor_text: 'entresuelo', features: ['lift', 'storage_room', 'top_floor'] },
  })
  expect(merge.changes).toEqual({
    floor: { before: null, after: 4 },
    floor_text: { before: null, after: '4' },
    features: { before: [], after: ['concierge'] },
  })
  expect((await pool.query('select filters from aldaba.extractions')).rows[0].filters.features).toEqual([
    'lift',
    'air_conditioning',
  ])
  const valuation = (await pool.query('select subject, compared from aldaba.valuations')).rows[0]
  expect(valuation.subject.amenities).toEqual(['storage_room', 'wine cellar'])
  expect(valuation.compared[0].adjustments[0].from).toBe('pool, air_conditioning')
})
