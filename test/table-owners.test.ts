/** A room writes its own tables alone: what others need of them they ask it for, by its service or by a hook. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const pattern =
  /(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(?:aldaba\.)?(\w+)|(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g

/** By room. */
const owners = {
  kit: [
    'clocks',
    'deployment_facts',
    'environment_settings',
    'event_retries',
    'event_sequences',
    'event_subscribers',
    'events',
    'idempotency_keys',
    'idempotency_mentions',
    'key_uses',
    'quota_usage',
    'throttle_turns',
    'throttles',
    'workspace_settings',
  ],
  crawl: ['portal_health'],
  'features/identity': ['api_keys', 'quota_limits', 'tenants', 'users', 'workspaces'],
  'features/leads': [
    'former_identifiers',
    'lead_documents',
    'lead_identifiers',
    'lead_likenesses',
    'lead_merges',
    'lead_operations',
    'lead_search',
    'lead_sources',
    'lead_tags',
    'leads',
    'notes',
  ],
  'features/privacy': ['suppressed_leads', 'suppressions'],
  'features/extractions': ['extraction_listings', 'extractions'],
  'features/imports': [
    'import_changes',
    'import_chunks',
    'import_marks',
    'import_rows',
    'import_trials',
    'imports',
  ],
  'features/market': ['market_adverts', 'market_models', 'market_prices', 'market_properties'],
  'features/sandbox': ['sandbox_listings'],
  'features/shares': ['shares'],
  'features/valuations': ['valuations'],
  'features/webhooks': ['webhook_deliveries', 'webhooks'],
}

const ownerOf = new Map(
  Object.entries(owners).flatMap(([room, tables]) => tables.map(table => [table, room] as const)),
)

function roomOf(file: string): string {
  const [, room, feature] = file.split('/')
  return room === 'features' ? `${room}/${feature}` : room!
}

it('no room writes a table of another', () => {
  const foreign = globSync('src/**/*.ts')
    .filter(file => !/\.test\.ts$|generated/.test(file))
    .flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].flatMap(([, inSql, byBuilder]) => {
        const table = (inSql ?? byBuilder)!
        const owner = ownerOf.get(table)
        return !owner || owner === roomOf(file) ? [] : [`${file} writes ${table}`]
      }),
    )
  expect(foreign).toEqual([])
})

it('the rows of leads have one writer, which keeps what they are found by', () => {
  const written = ['leads', 'lead_search', 'lead_identifiers', 'lead_tags']
  const writers = globSync('src/**/*.ts')
    .filter(file => !file.endsWith('.test.ts'))
    .filter(file =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].some(([, table]) => written.includes(table!)),
    )
  expect(writers.sort()).toEqual([
    'src/features/leads/record/file-leads.ts',
    'src/features/leads/record/write-leads.ts',
  ])
})

it('no statement stands where routes, schemas and jobs are declared', () => {
  const declaring = /(^|-)(index|schemas|routes|service|settings|hooks|quotas|problems|jobs|events)\.ts$/
  const found = globSync('src/features/**/*.ts').filter(
    file =>
      declaring.test(basename(file)) && /\bsql[`<]|\.execute(TakeFirst)?\(/.test(readFileSync(file, 'utf8')),
  )
  expect(found).toEqual([])
})

it('every table has an owner', () => {
  const types = readFileSync('src/kit/db/tables.generated.ts', 'utf8')
  const tables = [...types.slice(types.indexOf('export interface DB')).matchAll(/^ {2}(\w+): /gm)].map(
    ([, name]) => name!,
  )
  expect(tables.length).toBeGreaterThan(30)
  expect(tables.filter(table => !ownerOf.has(table))).toEqual([])
})

it.each([
  ['insert into leads (id)', 'leads'],
  ['update only leads set', 'leads'],
  ['delete\n  from aldaba.leads l', 'leads'],
  ['merge into leads', 'leads'],
  ["tx.insertInto('leads')", 'leads'],
  ["tx\n.deleteFrom('leads')", 'leads'],
])('a write is found: %s', (text, table) => {
  const [match] = text.matchAll(pattern)
  expect(match![1] ?? match![2]).toBe(table)
})
