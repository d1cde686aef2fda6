/** The message of `ficha.created`: it carries the sheet as it is now, without what gives access to it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFicha } from '../../../test/fichas.ts'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/events/emit.ts'
import { fichaCreated } from './events.ts'
import type { Ficha } from './schemas.ts'
import { descriptionLengthMax } from './sheet-schemas.ts'

interface Message {
  data: { fichaId: string; ficha: Partial<Ficha> | null; objectOmitted: string | null }
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function makeFicha(): Promise<string> {
  const fichaId = await storeFicha(app, tenant.tenantId)
  const data = { fichaId, leadId: null, platform: 'portal_a', listingId: fichaId }
  await tenant.inTenant(tx => emit(tx, fichaCreated, data))
  return fichaId
}

async function readMessage(id: string): Promise<Message['data']> {
  const { body } = await tenant.call<{ data: Message[] }>('GET', '/events?types=ficha.created')
  return body.data.find(({ data }) => data.fichaId === id)!.data
}

test('the message has the present sheet, without its links and without the sources of its values', async () => {
  const id = await makeFicha()
  const share = await tenant.call<{ url: string }>('POST', `/fichas/${id}/share`, { body: {} })
  await tenant.call('PATCH', `/fichas/${id}`, { body: { property: { title: 'Another title' } } })
  const message = await readMessage(id)
  const { body } = await tenant.call<Ficha>('GET', `/fichas/${id}`)
  const { links: _links, share: _share, evidence: _evidence, ...ficha } = body
  expect(ficha).toMatchObject({ version: 2, status: 'ready', property: { title: 'Another title' } })
  expect(message).toMatchObject({ ficha, objectOmitted: null })
  expect(JSON.stringify(message)).not.toContain(share.body.url.split('/').at(-1))
})

test('a sheet that is too large or deleted is omitted, and the message says why', async () => {
  const id = await makeFicha()
  const description = 'x'.repeat(descriptionLengthMax)
  await tenant.call('PATCH', `/fichas/${id}`, { body: { property: { description } } })
  expect(await readMessage(id)).toMatchObject({ fichaId: id, ficha: null, objectOmitted: 'too_large' })
  await tenant.call('DELETE', `/fichas/${id}`)
  expect(await readMessage(id)).toMatchObject({ fichaId: id, ficha: null, objectOmitted: 'gone' })
})
