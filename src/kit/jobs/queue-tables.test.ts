/**
 * Checks the private tables of graphile-worker on which we rely: a version that changes them fails here, not in
 * production.
 */
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase } from '../db/index.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

const expectedColumns: Record<string, Record<string, string>> = {
  _private_jobs: {
    id: 'bigint',
    job_queue_id: 'integer',
    task_id: 'integer',
    payload: 'json',
    run_at: 'timestamp with time zone',
    attempts: 'smallint',
    max_attempts: 'smallint',
    last_error: 'text',
    updated_at: 'timestamp with time zone',
    key: 'text',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    flags: 'jsonb',
    is_available: 'boolean',
  },
  _private_job_queues: {
    id: 'integer',
    queue_name: 'text',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    is_available: 'boolean',
  },
  _private_tasks: { id: 'integer', identifier: 'text' },
}

describe('graphile-worker', () => {
  it.each(Object.entries(expectedColumns))('%s has the columns that we use', async (table, columns) => {
    const { rows } = await database.ownerPool.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attname = any($2) and not attisdropped`,
      [`graphile_worker.${table}`, Object.keys(columns)],
    )
    expect(Object.fromEntries(rows.map(({ name, type }) => [name, type]))).toEqual(columns)
  })

  it('takes jobs that are not locked and have attempts left', async () => {
    const { rows } = await database.ownerPool.query<{ tableName: string; text: string }>(
      `select adrelid::regclass::text as "tableName", pg_get_expr(adbin, adrelid) as text
       from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
       where attname = 'is_available' and attrelid::regclass::text like 'graphile_worker.%'`,
    )
    expect(Object.fromEntries(rows.map(({ tableName, text }) => [tableName, text]))).toEqual({
      'graphile_worker._private_jobs': '((locked_at IS NULL) AND (attempts < max_attempts))',
      'graphile_worker._private_job_queues': '(locked_at IS NULL)',
    })
  })

  it('has a function that frees the jobs of dead workers', async () => {
    const { rows } = await database.ownerPool.query(
      `select pg_get_function_identity_arguments(oid) as arguments from pg_proc
       where pronamespace = 'graphile_worker'::regnamespace and proname = 'force_unlock_workers'`,
    )
    expect(rows).toEqual([{ arguments: 'worker_ids text[]' }])
  })
})

it('only one file and two of our SQL functions use these tables', async () => {
  const files = globSync('src/**/*.ts').filter(
    file => !file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('graphile_worker._private_'),
  )
  expect(files).toEqual(['src/kit/jobs/queue-tables.ts'])
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'aldaba'::regnamespace and prosrc like '%graphile_worker._private_%' order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(['erase_jobs', 'has_pending_jobs'])
})
