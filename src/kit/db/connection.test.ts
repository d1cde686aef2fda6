/** What a connection is prepared with, and what a server that logs everything sees of it. */
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { databaseNamed } from '../../../test/database.ts'
import { makeDatabase } from '../../../test/harness.ts'
import { hashPadsOf } from '../identifier-hash.ts'
import { deriveKeyring } from '../keyring.ts'
import { connectionConfig, prepareConnection } from './connection.ts'

const hashPads = hashPadsOf(deriveKeyring(Buffer.alloc(32, 9).toString('base64')))

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(url))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

it('sends no `options`, which poolers refuse', () => {
  expect(connectionConfig('postgres://aldaba@db.example/aldaba')).not.toHaveProperty('options')
})

it('acts as its role, in our schema, with its settings', async () => {
  const client = await connect(await makeDatabase())
  await prepareConnection(client, { role: 'aldaba_service', settings: { statement_timeout: '7s' } })
  const { rows } = await client.query(
    `select current_user::text as role, current_setting('statement_timeout') as timeout, current_setting('timezone') as zone,
       'lead_tags'::regclass::text as found`,
  )
  expect(rows).toEqual([{ role: 'aldaba_service', timeout: '7s', zone: 'UTC', found: 'lead_tags' }])
})

it('shows no pad of a hash to a server that logs every statement with its parameters', async () => {
  const url = await makeDatabase()
  const name = new URL(url).pathname.slice(1)
  const superuser = new pg.Client({ connectionString: databaseNamed(inject('superuserUrl'), name) })
  await superuser.connect()
  await superuser.query(`alter database ${name} set log_statement = 'all'`)
  await superuser.query(`alter database ${name} set log_min_duration_statement = 0`)
  // What goes to the server's log comes to the client as well.
  await superuser.query(`alter database ${name} set client_min_messages = 'log'`)
  await superuser.end()

  const client = await connect(url)
  let logged = ''
  client.on('notice', ({ message = '', detail = '' }) => {
    logged += `${message}\n${detail}\n`.toLowerCase()
  })
  await prepareConnection(client, { role: 'aldaba_service', hashPads })
  await client.query('select $1::text', ['a parameter'])
  expect(logged).toMatch(/take_hash_pads[\s\S]+a parameter/)
  for (const pad of [hashPads.inner, hashPads.outer]) expect(logged).not.toContain(pad.slice(0, 16))

  const { rows } = await client.query(
    `select current_setting('aldaba.identifier_inner_pad') as inner, current_setting('aldaba.identifier_outer_pad') as outer,
       current_setting('aldaba.pads_mask') as mask`,
  )
  expect(rows).toEqual([{ ...hashPads, mask: '' }])
})

it('masks the pads anew on each connection', async () => {
  const url = await makeDatabase()
  const masks = await Promise.all(
    [1, 2, 3].map(
      async () => (await (await connect(url)).query('select aldaba.make_pads_mask() as mask')).rows[0].mask,
    ),
  )
  expect(new Set(masks.map(mask => mask.toString('hex'))).size).toBe(3)
  for (const mask of masks) expect(mask).toHaveLength(128)
})
