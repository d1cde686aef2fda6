/** The simulated WhatsApp over HTTP: people write and answer, requests fail, and callbacks go astray by seed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/harness.ts'
import { startWhatsapp } from './index.ts'

interface Received {
  messages?: { text: { body: string } }[]
  statuses?: { status: string }[]
  event?: string
}

/** A simulator with a program that connects to it as another process does. */
async function start({ seed = 1, isSubscribed = true, hasReplyWindow = false } = {}) {
  const received: Received[] = []
  const program = createServer(async (request, response) => {
    const challenge = new URL(request.url!, 'http://a').searchParams.get('hub.challenge')
    if (request.method === 'POST') received.push(JSON.parse(await text(request)).entry[0].changes[0].value)
    response.end(challenge ?? '')
  })
  await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve))
  const whatsapp = await startWhatsapp({ seed, hasReplyWindow })
  onTestFinished(async () => {
    await whatsapp.close()
    program.close()
    program.closeAllConnections()
  })
  const { origin } = new URL(whatsapp.url)
  const control = async (method: string, path = '', body?: object) => {
    const reply = await fetch(`${origin}/__simulator${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const { phoneNumberId, businessAccountId, accessToken } = whatsapp.credentials
  const post = (path: string, body: object) =>
    fetch(`${whatsapp.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const address = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`
  const subscribe = () =>
    post(`${businessAccountId}/subscribed_apps`, { override_callback_uri: address, verify_token: 'a' })
  if (isSubscribed) await subscribe()
  const send = (body: string, to = '+34612345678') =>
    post(`${phoneNumberId}/messages`, { messaging_product: 'whatsapp', to, type: 'text', text: { body } })
  const listTexts = () => received.flatMap(({ messages = [] }) => messages.map(one => one.text.body))
  const listStatuses = () => received.flatMap(({ statuses = [] }) => statuses.map(one => one.status))
  const submit = (template: object) => post(`${businessAccountId}/message_templates`, template)
  const listReviews = () => received.filter(({ event }) => event !== undefined)
  return { whatsapp, control, subscribe, send, submit, address, listTexts, listStatuses, listReviews }
}

test('a person writes, and answers what the program sends', async () => {
  const { control, send, address, listTexts } = await start()
  const from = '+34612345678'
  const written = await control('POST', '/messages', { from, name: 'Marta', text: 'Hola', answer: 'Sí' })
  expect(written).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^wamid/) } })
  expect((await send('¿Quiere verlo?')).status).toBe(200)
  await eventually(
    async () => listTexts(),
    texts => texts.length === 2,
  )
  expect(listTexts().toSorted()).toEqual(['Hola', 'Sí'])
  expect((await control('GET')).body).toMatchObject({
    callbackUrl: address,
    faults: [],
    accepted: [{ body: { text: { body: '¿Quiere verlo?' } } }],
  })
})

test('what a person wrote before is posted when a program connects', async () => {
  const { control, subscribe, listTexts } = await start({ isSubscribed: false })
  await control('POST', '/messages', { from: '+34612345678', text: 'Hola' })
  await subscribe()
  await eventually(
    async () => listTexts(),
    texts => texts.length > 0,
  )
  expect(listTexts()).toEqual(['Hola'])
})

test('a text to a person who has not written fails later, as at WhatsApp', async () => {
  const { control, send, listStatuses } = await start({ hasReplyWindow: true })
  await send('¿Quiere verlo?')
  await eventually(
    async () => listStatuses(),
    statuses => statuses.length > 0,
  )
  expect(listStatuses()).toEqual(['failed'])
  await control('POST', '/messages', { from: '+34612345678', text: 'Hola' })
  await send('¿Quiere verlo?')
  await eventually(
    async () => listStatuses(),
    statuses => statuses.includes('read'),
  )
})

test('requests fail until the faults are used up or removed', async () => {
  const { control, send } = await start()
  const limited = {
    kind: 'error',
    path: '/messages',
    status: 429,
    code: 130_429,
    retryAfterSeconds: 2,
    times: 1,
  }
  expect(await control('POST', '/faults', limited)).toEqual({ status: 201, body: limited })
  const refused = await send('1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
  expect((await send('2')).status).toBe(200)
  await control('POST', '/faults', { kind: 'cut' })
  await expect(send('3')).rejects.toThrow()
  expect((await control('DELETE', '/faults')).status).toBe(200)
  expect((await send('4')).status).toBe(200)
})

test('callbacks are lost, repeated and reordered, the same ones for the same seed', async () => {
  const run = async (seed: number) => {
    const { whatsapp, control, send, listStatuses } = await start({ seed })
    const faults = { late: 0.2, repeated: 0.4, reordered: 0.3, lost: 0.2, lateMs: 40 }
    expect((await control('POST', '/callbacks', faults)).status).toBe(201)
    for (let n = 0; n < 10; n++) await send(String(n))
    await whatsapp.settle()
    return listStatuses()
  }
  const [first, same, other] = [await run(1), await run(1), await run(2)]
  expect(first.length).not.toBe(30)
  expect(same.toSorted()).toEqual(first.toSorted())
  expect(other.toSorted()).not.toEqual(first.toSorted())
})

test('what it does not know is refused with the reason', async () => {
  const { control } = await start()
  const wrong: [string, object][] = [
    ['/faults', { kind: 'explode' }],
    ['/faults', { kind: 'cut', portal: 'portal_a' }],
    ['/callbacks', { lost: 2 }],
    ['/messages', { from: 'Marta', text: 'Hola' }],
    ['/messages', { from: '+34612345678' }],
  ]
  for (const [path, body] of wrong) {
    const reply = await control('POST', path, body)
    expect([reply.status, reply.body.error], path).toEqual([400, expect.stringContaining('/')])
  }
  expect(await control('GET', '/people')).toMatchObject({ status: 404, body: { error: expect.any(String) } })
})

test('a template that was submitted is reviewed, and reported to the program', async () => {
  const { whatsapp, control, listReviews, submit } = await start()
  await submit({ name: 'visit', language: 'es', category: 'UTILITY', components: [] })
  const review = { name: 'visit', language: 'es', status: 'REJECTED', reason: 'INVALID_FORMAT' }
  expect(await control('POST', '/templates', review)).toMatchObject({
    status: 200,
    body: { status: 'REJECTED' },
  })
  await whatsapp.settle()
  expect(listReviews()).toMatchObject([
    { event: 'REJECTED', message_template_name: 'visit', reason: 'INVALID_FORMAT' },
  ])
  expect(await control('POST', '/templates', { ...review, name: 'other' })).toMatchObject({ status: 404 })
})
