/** Statements that Citus refuses. */
import { loadModule } from 'libpg-query'
import { beforeAll, expect, it } from 'vitest'
import { findViolations } from './check-statements.ts'
import type { StatementSchema } from './schema.ts'

const schema: StatementSchema = {
  columns: {
    leads: ['tenant_id', 'id', 'name', 'price'],
    notes: ['tenant_id', 'id', 'body'],
    market: ['name'],
  },
  volatility: { now: 'stable', to_jsonb: 'stable', random: 'volatile' },
}
beforeAll(loadModule)

const listViolations = (text: string) => findViolations(text, schema).map(({ message }) => message)

it.each([
  [
    'an INSERT … SELECT from tenant tables without RETURNING',
    'insert into notes (tenant_id, id) select l.tenant_id, l.id from leads l where l.tenant_id = $1',
  ],
  [
    'an INSERT … SELECT from tenant tables without RETURNING',
    'with l as (select * from leads where tenant_id = $1) insert into notes (tenant_id, id) select tenant_id, id from l',
  ],
  [
    'an INSERT … SELECT without RETURNING or ON CONFLICT',
    'insert into notes (tenant_id, id) select $1, id from unnest($2::uuid[]) id',
  ],
  ['random(), which is volatile, in a change', 'update leads set price = random() where tenant_id = $1'],
  [
    'random(), which is volatile, in a change',
    'delete from leads where tenant_id = $1 and id in (select id from leads where tenant_id = $1 and price < random())',
  ],
  [
    'to_jsonb(), which is stable, of a column in a change',
    'update leads set name = to_jsonb(price) where tenant_id = $1',
  ],
  [
    'a column plus or minus an interval in a change',
    'update leads set price = price + make_interval(secs => $2) where tenant_id = $1',
  ],
  [
    'a column plus or minus an interval in a change',
    "delete from notes where tenant_id = $1 and body - interval '1 day' < $2",
  ],
  [
    'a column plus or minus an interval in a change',
    "insert into notes (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set body = coalesce(notes.body, $3) + interval '1 day'",
  ],
  ['a sub-select in VALUES', 'insert into notes (tenant_id, body) values ($1, (select name from market))'],
  [
    'now() in ON CONFLICT DO UPDATE',
    'insert into notes (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set body = now()',
  ],
  ['current_timestamp() in RETURNING', 'delete from notes where tenant_id = $1 returning current_timestamp'],
  [
    'to_jsonb() in RETURNING',
    'with n as (update notes n set body = $2 where tenant_id = $1 returning to_jsonb(n.body) as x) select x from n',
  ],
  ['now() in CASE', 'update leads set name = case when price = 1 then now() end where tenant_id = $1'],
  ['now() in COALESCE', 'update leads set name = $2 where tenant_id = $1 and coalesce(name, now()) = $3'],
  [
    'CASE x WHEN in an update',
    "update leads set name = case name when 'a' then 'b' end where tenant_id = $1",
  ],
  [
    'CASE x WHEN in ON CONFLICT DO UPDATE',
    "insert into leads (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set name = case leads.name when 'a' then 'b' end",
  ],
])('Citus refuses %s', (what, text) => {
  expect(listViolations(text).join()).toContain(`: ${what}, which Citus refuses`)
})

it.each([
  "update leads set price = $2::timestamptz - interval '1 day' where tenant_id = $1 and name = $3",
  "update leads set price = $2 where tenant_id = $1 and id in (select id from notes where tenant_id = $1 and body + interval '1 day' < $3)",
  "update leads set price = (price at time zone 'UTC' + make_interval(secs => $2)) at time zone 'UTC' where tenant_id = $1",
])('Citus takes %s', text => {
  expect(listViolations(text)).toEqual([])
})

it('ctid is not a key', () => {
  expect(listViolations('delete from leads where tenant_id = $1 and ctid = $2')).toEqual([
    'leads: ctid is not a key',
  ])
})
