/** If-Match: a change never overwrites the change of somebody else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const person = (phone: string) => ({ contact: { name: 'Marta Soler', phone } })
const create = async (body: object): Promise<Lead> =>
  (await tenant.call<Lead>('POST', '/leads', { body })).body
const patch = (leadId: string, body: object, headers: Record<string, string> = {}) =>
  tenant.call<Lead & { code: string }>('PATCH', `/leads/${leadId}`, { body, headers })

describe('If-Match', () => {
  const read = (id: string) => tenant.call<Lead>('GET', `/leads/${id}`)

  test('accepts only a change that is based on the current version', async () => {
    const { id } = await create(person('612000020'))
    const etag = (await read(id)).headers.get('etag')!
    expect(etag).toMatch(/^"\w+"$/)
    const first = await patch(id, { status: 'contacted' }, { 'if-match': etag })
    expect([first.status, first.headers.get('etag')]).toEqual([200, (await read(id)).headers.get('etag')])
    const second = await patch(id, { status: 'lost' }, { 'if-match': etag })
    expect([second.status, second.body.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await read(id)).body.status).toBe('contacted')
    expect(
      (await patch(id, { status: 'lost' }, { 'if-match': `"0", ${first.headers.get('etag')}` })).status,
    ).toBe(200)
    expect((await patch(id, { status: 'won' }, { 'if-match': '*' })).status).toBe(200)
    expect((await patch(id, { status: 'new' })).status).toBe(200)
  })

  test.each([
    ['without quotation marks', (etag: string) => etag.slice(1, -1)],
    ['weakened by a proxy', (etag: string) => `W/${etag}`],
  ])('accepts a tag %s', async (_how, format) => {
    const { id } = await create({ tags: ['a'] })
    const etag = (await read(id)).headers.get('etag')!
    expect((await patch(id, { status: 'contacted' }, { 'if-match': format(etag) })).status).toBe(200)
    expect((await patch(id, { status: 'lost' }, { 'if-match': format(etag) })).status).toBe(412)
  })

  test('refuses a malformed tag and changes nothing', async () => {
    const { id } = await create({ tags: ['a'] })
    const { status, body } = await patch(id, { status: 'lost' }, { 'if-match': '"1' })
    expect([status, body]).toMatchObject([400, { errors: [{ path: '/If-Match', code: 'WRONG_FORMAT' }] }])
    expect((await read(id)).body.status).toBe('new')
  })

  test('accepts one of ten concurrent changes with the same tag', async () => {
    const { id } = await create(person('612000021'))
    const etag = (await read(id)).headers.get('etag')!
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch(id, { tags: [`t${n}`] }, { 'if-match': etag })),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, ...Array(9).fill(412)])
  })

  test('the tag of a lead that is read is that of its values, also while it changes', async () => {
    const { id } = await create({ tags: ['0'] })
    const written = new Map([[(await read(id)).headers.get('etag')!, '0']])
    const seen: [etag: string, tag: string][] = []
    let isOver = false
    const readers = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const { headers, body } = await read(id)
        seen.push([headers.get('etag')!, body.tags[0]!])
      }
    })
    for (let n = 1; n <= 60; n++)
      written.set((await patch(id, { tags: [`${n}`] })).headers.get('etag')!, `${n}`)
    isOver = true
    await Promise.all(readers)
    expect(seen.filter(([etag, tag]) => written.get(etag) !== tag)).toEqual([])
  })

  test('applies to a deletion; an unchanged lead keeps its tag', async () => {
    const { id } = await create(person('612000022'))
    const etag = (await read(id)).headers.get('etag')!
    expect((await read(id)).headers.get('etag')).toBe(etag)
    await tenant.call('POST', `/leads/${id}/notes`, { body: { body: 'x' } })
    const remove = (tag: string) => tenant.call('DELETE', `/leads/${id}`, { headers: { 'if-match': tag } })
    expect((await remove(etag)).status).toBe(412)
    expect((await remove((await read(id)).headers.get('etag')!)).status).toBe(204)
    expect((await read(id)).status).toBe(404)
  })

  test.each<[string, (id: string, other: string) => [method: string, path: string, body?: object]]>([
    ['a lawful basis', id => ['PUT', `/leads/${id}/lawful-basis`, { kind: 'contract' }]],
    ['its withdrawal', id => ['DELETE', `/leads/${id}/lawful-basis`]],
    ['a merge', (id, other) => ['POST', `/leads/${id}/merge`, { leadId: other }]],
  ])('applies to %s', async (_what, request) => {
    const [{ id }, other] = [await create({ tags: ['a'] }), await create({ tags: ['b'] })]
    const etag = (await read(id)).headers.get('etag')!
    await tenant.call('PUT', `/leads/${id}/lawful-basis`, { body: { kind: 'legitimate_interest' } })
    const [method, path, body] = request(id, other.id)
    const send = (tag: string) => tenant.call(method, path, { body, headers: { 'if-match': tag } })
    expect((await send(etag)).status).toBe(412)
    const basis = await tenant.call('GET', `/leads/${id}/lawful-basis`)
    expect(basis.headers.get('etag')).toBe((await read(id)).headers.get('etag'))
    expect((await send(basis.headers.get('etag')!)).status).toBeLessThan(300)
  })

  test('applies to the undo of a merge', async () => {
    const [{ id }, other] = [await create({ tags: ['a'] }), await create({ tags: ['b'] })]
    const etag = (await read(id)).headers.get('etag')!
    const merged = await tenant.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, {
      body: { leadId: other.id },
    })
    const undo = (tag: string) =>
      tenant.call('POST', `/leads/${id}/merges/${merged.body.mergeId}/undo`, { headers: { 'if-match': tag } })
    expect((await undo(etag)).status).toBe(412)
    expect((await undo((await read(id)).headers.get('etag')!)).status).toBe(200)
  })

  test('is refused, not ignored, on a route without a tag', async () => {
    const { id } = await create({ tags: ['a'] })
    const etag = (await read(id)).headers.get('etag')!
    const write = (tag: string) =>
      tenant.call('POST', `/leads/${id}/notes`, { body: { body: 'x' }, headers: { 'if-match': tag } })
    expect((await write(etag)).status).toBe(412)
    expect((await read(id)).body.notesCount).toBe(0)
    expect((await write('*')).status).toBe(201)
  })
})
