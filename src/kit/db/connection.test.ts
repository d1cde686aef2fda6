/** The settings of a new connection. */
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { connectionConfig, prepareConnection } from './connection.ts'

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(url))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

it('sends no startup parameter `options`, which poolers reject', () => {
  expect(connectionConfig('postgres://aldaba@db.example/aldaba')).not.toHaveProperty('options')
})

it('has its role, its settings and the search path', async () => {
  const client = await connect(await makeDatabase())
  await prepareConnection(client, { role: 'aldaba_service', settings: { statement_timeout: '7s' } })
  const { rows } = await client.query(
    `select current_user::text as role, current_setting('statement_timeout') as timeout, current_setting('timezone') as zone,
       'lead_tags'::regclass::text as found`,
  )
  expect(rows).toEqual([{ role: 'aldaba_service', timeout: '7s', zone: 'UTC', found: 'lead_tags' }])
})

it('reads times as they are written, to the millisecond, in any year and zone', async () => {
  const client = await connect(await makeDatabase())
  const times = [
    '2026-11-05T15:28:00.000Z',
    '2026-11-05T15:28:00.569Z',
    '2026-11-05T15:28:00.900Z',
    '0050-03-01T00:00:00.001Z',
    '-000043-03-15T12:00:00.000Z',
    '+012026-11-05T15:28:00.000Z',
  ]
  const select = `select timestamptz '2026-11-05 15:28:00Z' as a, timestamptz '2026-11-05 15:28:00.569999Z' as b,
    timestamptz '2026-11-05 15:28:00.9Z' as c, timestamptz '0050-03-01 00:00:00.001Z' as d,
    timestamptz '0044-03-15 12:00:00Z BC' as e, timestamptz '12026-11-05 15:28:00Z' as f`
  for (const zone of ['UTC', 'Europe/Madrid', 'Asia/Kolkata']) {
    await client.query(`set timezone = '${zone}'`)
    const { rows } = await client.query<Record<string, Date>>(select)
    expect(Object.values(rows[0]!).map(time => time.toISOString())).toEqual(times)
  }
  const { rows } = await client.query(`select timestamptz 'infinity' as forever, null::timestamptz as never`)
  expect(rows).toEqual([{ forever: Number.POSITIVE_INFINITY, never: null }])
})
