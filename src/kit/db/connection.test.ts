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
