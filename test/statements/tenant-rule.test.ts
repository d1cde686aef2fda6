/** The tenant rule, tested on statements. */
import { loadModule } from 'libpg-query'
import { beforeAll, expect, it } from 'vitest'
import { findViolations } from './check-statements.ts'
import type { StatementSchema } from './schema.ts'

const schema: StatementSchema = {
  columns: {
    leads: ['tenant_id', 'id', 'name', 'price'],
    notes: ['tenant_id', 'id', 'lead_id', 'body'],
    tags: ['tenant_id', 'lead_id', 'tag'],
    tenants: ['id', 'workspace_id'],
    market: ['id', 'price'],
  },
  volatility: { now: 'stable', to_jsonb: 'stable', random: 'volatile' },
}
beforeAll(loadModule)

/** The unbound aliases, and other violations. */
const listViolations = (text: string) =>
  findViolations(text, schema).map(({ message }) => message.split(' has no ')[0])

it.each([
  ['a condition', 'select * from leads where tenant_id = $1'],
  [
    'with a cast, the other way round',
    'select * from aldaba.leads l where $1::uuid = l.tenant_id and l.id = $2',
  ],
  [
    'a builder’s text',
    'select "l"."id" from "leads" as "l" where "l"."tenant_id" = $1 and ("l"."id" = $2 or $3)',
  ],
  ['no tenant table', 'select * from market m join graphile_worker.leads j on j.id = m.id'],
  [
    'a join',
    'select from leads l join notes n on n.tenant_id = l.tenant_id and n.lead_id = l.id where l.tenant_id = $1',
  ],
  [
    'a join by rows',
    'select from leads l join notes n on (n.tenant_id, n.lead_id) = (l.tenant_id, l.id) where n.tenant_id = $1',
  ],
  [
    'using',
    'select from leads l join tags t using (tenant_id) join notes n using (tenant_id) where tenant_id = $1',
  ],
  [
    'a chain of joins',
    'select from leads l, notes n, tags t where l.tenant_id = n.tenant_id and t.tenant_id = n.tenant_id and t.tenant_id = $1',
  ],
  ['through the tenants', 'select from tenants t join leads l on l.tenant_id = t.id where t.id = $1'],
  [
    'a left join',
    'select from leads l left join notes n on n.tenant_id = l.tenant_id where l.tenant_id = $1',
  ],
  ['a left join using', 'select from leads l left join notes n using (tenant_id) where l.tenant_id = $1'],
  [
    'a left join of a join',
    'select from leads l left join (notes n join tags t on t.tenant_id = n.tenant_id) on n.tenant_id = l.tenant_id where l.tenant_id = $1',
  ],
  [
    'a right join',
    'select from notes n right join leads l on n.tenant_id = l.tenant_id where l.tenant_id = $1',
  ],
  [
    'exists',
    'select from leads l where l.tenant_id = $1 and exists (select from notes n where n.tenant_id = l.tenant_id)',
  ],
  [
    'not exists in an or',
    'select from leads l where l.tenant_id = $1 and (l.id = $2 or not exists (select from notes where tenant_id = $1))',
  ],
  [
    'a correlated column',
    'select (select count(*) from notes n where n.tenant_id = l.tenant_id) from leads l where l.tenant_id = $1',
  ],
  [
    'lateral',
    'select from leads l, lateral (select * from notes n where n.tenant_id = l.tenant_id limit 1) n where l.tenant_id = $1',
  ],
  [
    'a sub-select in from',
    'select from (select tenant_id, id from leads where tenant_id = $1) l join notes n on n.tenant_id = l.tenant_id',
  ],
  [
    'a star of a sub-select',
    'select from (select l.* from leads l where tenant_id = $1) l join notes n on n.tenant_id = l.tenant_id',
  ],
  [
    'a condition outside',
    'select from leads l join (values ($1, $2), ($1, $3)) v (tenant, id) on v.tenant = l.tenant_id',
  ],
  [
    'a CTE',
    'with l as (select tenant_id, id from leads where tenant_id = $1) select from l join notes n on n.tenant_id = l.tenant_id',
  ],
  [
    'a CTE with names',
    'with l (t) as (select tenant_id from leads where tenant_id = $1) select from l join notes n on n.tenant_id = l.t',
  ],
  [
    'a CTE that hides a table',
    'with notes as (select $1::uuid as id) select from notes join market using (id)',
  ],
  [
    'a recursive CTE',
    'with recursive r as (select tenant_id, id from leads where tenant_id = $1 union all select n.tenant_id, n.id from r join notes n on n.tenant_id = r.tenant_id) select * from r join tags t on t.tenant_id = r.tenant_id',
  ],
  [
    'union',
    'select tenant_id from leads where tenant_id = $1 union all select tenant_id from notes where tenant_id = $1',
  ],
  [
    'a join with a union',
    'select from (select tenant_id from leads where tenant_id = $1 union select tenant_id from notes where tenant_id = $1) u join tags t on t.tenant_id = u.tenant_id',
  ],
  [
    'insert',
    'insert into leads (id, tenant_id) values ($1, $2), ($3, $2) on conflict (tenant_id, id) do update set name = excluded.name',
  ],
  [
    'insert from rows',
    'insert into leads (tenant_id, id) select $1, u.id from unnest($2::uuid[]) u (id) returning id',
  ],
  [
    'insert … select',
    'insert into notes (tenant_id, lead_id) select l.tenant_id, l.id from leads l where l.tenant_id = $1 returning id',
  ],
  [
    'insert from a CTE that writes',
    'with d as (delete from leads where tenant_id = $1 returning tenant_id, id) insert into notes (tenant_id, id) select tenant_id, id from d returning id',
  ],
  ['update', 'update leads l set name = $1, price = (select max(price) from market) where l.tenant_id = $2'],
  [
    'update … from',
    'update notes n set body = l.name from leads l where l.tenant_id = n.tenant_id and n.tenant_id = $1',
  ],
  [
    'update … from rows',
    'update notes n set body = v.body from unnest($1::uuid[], $2::text[]) v (id, body) where n.id = v.id and n.tenant_id = $3',
  ],
  [
    'delete … using',
    'delete from notes n using leads l where l.tenant_id = n.tenant_id and l.tenant_id = $1',
  ],
  ['now() in a value', 'update leads set name = now() where tenant_id = $1'],
  [
    'a searched case',
    'update leads set name = case when price = 1 then $2 else name end where tenant_id = $1',
  ],
  ['a setting', "set local statement_timeout = '1s'"],
])('follows the rule: %s', (_, text) => {
  expect(listViolations(text)).toEqual([])
})

it.each([
  ['no condition', 'select * from leads', ['leads']],
  ['a function’s tenant', 'select from leads where tenant_id = aldaba.current_tenant()', ['leads']],
  ['a written value', "select from leads where tenant_id = 'a'", ['leads']],
  ['several tenants', 'select from leads where tenant_id = any ($1)', ['leads']],
  ['a cast column', 'select from leads where tenant_id::text = $1', ['leads']],
  ['not equal', 'select from leads where tenant_id <> $1', ['leads']],
  ['in an or', 'select from leads l where l.tenant_id = $1 or l.id = $2', ['leads l']],
  ['negated', 'select from leads l where not (l.tenant_id = $1)', ['leads l']],
  [
    'of the wrong alias',
    'select from leads l join notes n on n.lead_id = l.id where l.tenant_id = $1',
    ['notes n'],
  ],
  ['a tautology', 'select from leads l where l.tenant_id = l.tenant_id', ['leads l']],
  ['a circle', 'select from leads l, notes n where l.tenant_id = n.tenant_id', ['leads l', 'notes n']],
  [
    'in the condition of a left join',
    'select from leads l left join notes n on n.tenant_id = l.tenant_id and l.tenant_id = $1',
    ['leads l', 'notes n'],
  ],
  [
    'of the wrong side of a left join',
    'select from leads l left join notes n on n.tenant_id = $1 and l.tenant_id = n.tenant_id',
    ['leads l'],
  ],
  ['using with nothing', 'select from leads l join tags t using (tenant_id)', ['leads l', 'tags t']],
  [
    'in a full join',
    'select from leads l full join notes n on n.tenant_id = l.tenant_id where l.tenant_id = $1',
    ['notes n'],
  ],
  [
    'exists without',
    'select from leads l where l.tenant_id = $1 and exists (select from notes n where n.lead_id = l.id)',
    ['notes n'],
  ],
  [
    'only in exists',
    'select from leads l where exists (select from notes n where n.tenant_id = $1 and n.tenant_id = l.tenant_id)',
    ['leads l'],
  ],
  ['in', 'select from leads l where l.tenant_id = $1 and l.id in (select lead_id from notes)', ['notes']],
  [
    'a correlated column without',
    'select (select count(*) from notes n where n.lead_id = l.id) from leads l where tenant_id = $1',
    ['notes n'],
  ],
  [
    'an order',
    'select from leads l where tenant_id = $1 order by (select min(n.id) from notes n)',
    ['notes n'],
  ],
  [
    'lateral without',
    'select from leads l, lateral (select from notes n where n.lead_id = l.id) n where l.tenant_id = $1',
    ['notes n'],
  ],
  ['a function’s argument', 'select from unnest(array(select id from leads)) u', ['leads']],
  [
    'a sub-select that hides the tenant',
    'select from (select id from leads where tenant_id = $1) l join notes n on n.lead_id = l.id',
    ['notes n'],
  ],
  [
    'the other sub-select',
    'select from leads l where tenant_id = $1 and id in (with n as (select * from notes) select lead_id from n)',
    ['notes'],
  ],
  [
    'a CTE without',
    'with l as (select tenant_id from leads) select from l join notes n on n.tenant_id = l.tenant_id',
    ['leads', 'notes n'],
  ],
  ['one half of a union', 'select id from leads where tenant_id = $1 union select id from notes', ['notes']],
  [
    'a join with one half of a union',
    'select from (select tenant_id from leads where tenant_id = $1 union select id from market) u join tags t on t.tenant_id = u.tenant_id',
    ['tags t'],
  ],
  [
    'a recursive half',
    'with recursive r as (select tenant_id, id from leads where tenant_id = $1 union all select n.tenant_id, n.id from r join notes n on n.lead_id = r.id) select from r',
    ['notes n'],
  ],
  ['an insert that leaves it out', 'insert into leads (id) values ($1)', ['leads']],
  ['an insert of nothing', 'insert into leads default values', ['leads']],
  ['one row of an insert', 'insert into leads (tenant_id, id) values ($1, $2), (default, $3)', ['leads']],
  [
    'an insert of another column',
    'insert into leads (id, tenant_id) select $1, id from market returning id',
    ['leads'],
  ],
  [
    'an insert from an untied select',
    'insert into notes (tenant_id, id) select tenant_id, id from leads returning id',
    ['leads', 'notes'],
  ],
  [
    'a conflict without',
    'insert into leads (tenant_id, id) values ($1, $2) on conflict (id) do nothing',
    ['the conflict of leads omits tenant_id'],
  ],
  [
    'a sub-select of a conflict',
    'insert into leads (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set name = (select body from notes n where n.id = leads.id)',
    ['notes n'],
  ],
  ['update', 'update leads set name = $1 where id = $2', ['leads']],
  [
    'an update’s from',
    'update leads l set name = n.body from notes n where n.lead_id = l.id and l.tenant_id = $1',
    ['notes n'],
  ],
  [
    'an update’s value',
    'update leads l set name = (select body from notes limit 1) where l.tenant_id = $1',
    ['notes'],
  ],
  ['delete', 'delete from leads', ['leads']],
  [
    'delete … using',
    'delete from leads l using notes n where n.tenant_id = $1 and n.lead_id = l.id',
    ['leads l'],
  ],
  ['a delete in a CTE', 'with d as (delete from notes returning id) select from d', ['notes']],
  [
    'another kind of statement',
    'merge into leads using market m on m.id = leads.id when matched then delete',
    ['MergeStmt of leads is a statement that this check does not support'],
  ],
])('breaks the rule: %s', (_, text, aliases) => {
  expect(listViolations(text)).toEqual(aliases)
})
