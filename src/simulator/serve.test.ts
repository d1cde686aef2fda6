/** The simulator as a command serves it: chat and calendar providers beside the portals, controlled over HTTP. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createContext, createMessage, toConnection } from '../../test/mail-account.ts'
import type { EmailCredentials } from '../plugins/chat/email/credentials.ts'
import { email } from '../plugins/chat/email/index.ts'
import { type ServedSimulator, startServed } from './serve.ts'

let served: ServedSimulator
let controls: Record<
  'whatsapp' | 'telegram' | 'mail' | 'google' | 'microsoft' | 'caldav' | 'router' | 'ads',
  string
>
beforeAll(async () => {
  served = await startServed({ port: 0, listings: 100, chatSeed: 48 })
  controls = (await call(`${served.url}/__simulator`)).body as typeof controls
})
afterAll(() => served.close())

const call = async (url: string, method = 'GET', body?: object) => {
  const reply = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  return { status: reply.status, body: (await reply.json()) as object }
}
/** The address of a provider and what connects to it, as they are printed. */
const readLine = (id: string): [address: string, credentials: object] => {
  const [, address, credentials] = served.lines.find(line => line.startsWith(id))!.split(/ {3,}/)
  return [address!, JSON.parse(credentials!)]
}

test('it prints and shows the seeds that repeat a run', () => {
  expect(served.lines.at(-1)).toContain('--seed 1 --chat-seed 48')
  expect(controls).toMatchObject({ seed: '1', chatSeed: '48' })
})

test('ads: somebody submits a form, its webhook comes, and calls fail', async () => {
  const bodies: string[] = []
  const program = createServer(async (request, response) => {
    const challenge = new URL(request.url!, 'http://localhost').searchParams.get('hub.challenge')
    if (challenge === null) bodies.push(await text(request))
    response.end(challenge ?? '')
  })
  await once(program.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    program.close()
    program.closeAllConnections()
  })
  const [address, credentials] = readLine('ads')
  const { pageId, accessToken, appSecret } = credentials as Record<string, string>
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`
  const proof = createHmac('sha256', appSecret!).update(accessToken!).digest('hex')
  const read = async (path: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const separator = path.includes('?') ? '&' : '?'
    const reply = await fetch(`${address}/${path}${separator}appsecret_proof=${proof}`, { method, headers })
    return { status: reply.status, body: (await reply.json()) as object }
  }
  expect((await read(`${pageId}/subscribed_apps?subscribed_fields=leadgen`, 'POST')).status).toBe(200)
  expect((await call(`${controls.ads}/webhook`, 'POST', { url, verifyToken: 'a' })).status).toBe(200)
  const submitted = await call(`${controls.ads}/leads`, 'POST', { answers: { full_name: 'Ana' } })
  const { id } = submitted.body as { id: string }
  await expect
    .poll(() => bodies.map(body => JSON.parse(body).entry[0].changes[0].value.leadgen_id))
    .toEqual([id])
  expect((await read(id)).body).toMatchObject({ field_data: [{ name: 'full_name', values: ['Ana'] }] })
  await call(`${controls.ads}/faults`, 'POST', { kind: 'error', status: 429, code: 4, times: 1 })
  expect((await read(id)).status).toBe(429)
  await call(`${controls.ads}/token`, 'POST', { accessToken: 'another' })
  expect((await read(id)).body).toMatchObject({ error: { code: 190 } })
  expect((await call(controls.ads)).body).toMatchObject({ subscribedFields: ['leadgen'], leads: [{ id }] })
  await call(`${controls.ads}/webhooks`, 'POST', { lost: 1 })
  await call(`${controls.ads}/leads`, 'POST', {})
  expect((await call(`${controls.ads}/leads`, 'POST', { formId: '1' })).status).toBe(404)
  expect(bodies).toHaveLength(1)
})

test('Telegram: a person writes, and calls fail', async () => {
  const updates: { message: { text: string } }[] = []
  const program = createServer(async (request, response) => {
    updates.push(JSON.parse(await text(request)))
    response.end()
  })
  await once(program.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    program.close()
    program.closeAllConnections()
  })
  const [address, credentials] = readLine('telegram')
  const bot = `${address}/bot${(credentials as { token: string }).token}`
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`
  await call(`${bot}/setWebhook`, 'POST', { url, secret_token: 'a' })
  const written = await call(`${controls.telegram}/messages`, 'POST', { from: 7, text: 'Hola' })
  expect(written).toEqual({ status: 201, body: { id: 1 } })
  expect(updates.map(({ message }) => message.text)).toEqual(['Hola'])
  const sendMessage = () => call(`${bot}/sendMessage`, 'POST', { chat_id: 7, text: 'Sí' })
  await call(`${controls.telegram}/faults`, 'POST', { rateLimited: 1 })
  expect((await sendMessage()).status).toBe(429)
  await call(`${controls.telegram}/faults`, 'DELETE')
  expect((await sendMessage()).status).toBe(200)
  expect((await call(controls.telegram)).body).toMatchObject({
    webhook: url,
    received: [{ chatId: 7, method: 'sendMessage', fileBytes: null }],
  })
  expect((await call(`${controls.telegram}/messages`, 'POST', { from: 'x', text: 'Hola' })).status).toBe(400)
  expect((await call(`${controls.telegram}/planets`)).status).toBe(404)
})

test('mail: the mailbox sends and receives, and servers refuse', async () => {
  const credentials = readLine('mail')[1] as EmailCredentials
  expect(await email.connect(credentials, createContext())).toMatchObject({ status: 'CONNECTED' })
  const send = () => email.send(toConnection(credentials), createMessage(), createContext())
  expect(await send()).toMatchObject({ status: 'sent' })
  await call(`${controls.mail}/faults`, 'POST', { kind: 'spam', times: 1 })
  expect(await send()).toMatchObject({ status: 'failed' })
  const message = { from: 'marta@mail.example', subject: 'Piso', text: '¿Sigue en venta?' }
  expect(await call(`${controls.mail}/messages`, 'POST', message)).toEqual({
    status: 201,
    body: { messageId: expect.stringMatching(/^<.+@simulator\.example>$/) },
  })
  expect((await call(controls.mail)).body).toMatchObject({
    accepted: [{ from: credentials.address, raw: expect.stringContaining('Subject:') }],
    inbox: [{ flags: [] }],
  })
  const withHeader = { ...message, subject: 'Piso\r\nBcc: all@mail.example' }
  expect((await call(`${controls.mail}/messages`, 'POST', withHeader)).status).toBe(400)
})

test.each(['whatsapp', 'telegram', 'mail'] as const)(
  'the control of %s survives requests without a path, and those that are cut off or too long',
  async id => {
    const { origin, port } = new URL(controls[id])
    const post = async (head: string, body: string) => {
      const socket = connect(Number(port), '127.0.0.1').resume()
      const closed = once(socket, 'close')
      socket.on('error', () => {})
      socket.end(`${head} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${body}`)
      await closed
    }
    await post('GET //', '\r\n')
    await post('POST /__simulator/messages', 'content-length: 100\r\n\r\n{')
    const large = { method: 'POST', body: 'x'.repeat(1_000_001) }
    const refused = await fetch(`${origin}/__simulator/messages`, large)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'A body has at most 1000000 bytes.' },
    ])
    expect((await call(controls[id])).status).toBe(200)
  },
)

test('calendars: a person agrees on the page, has events, and requests fail', async () => {
  const [address, credentials] = readLine('google')
  const [clientId] = (credentials as { client: string }).client.split(':')
  const query = new URLSearchParams({
    client_id: clientId!,
    redirect_uri: 'https://a.example/back',
    state: 's',
  })
  const page = await fetch(`${address}/o/oauth2/v2/auth?${query}`)
  expect(await page.text()).toContain('<button>Allow</button>')
  for (const [choice, answer] of [
    ['', 'code='],
    ['&deny=1', 'error=access_denied'],
  ] as const) {
    const body = new URLSearchParams(`redirect_uri=https://a.example/back&state=s${choice}`)
    const reply = await fetch(page.url, { method: 'POST', body, redirect: 'manual' })
    expect(reply.headers.get('location')).toMatch(
      new RegExp(`^https://a\\.example/back\\?${answer}.*state=s$`),
    )
  }
  const wrong = await fetch(`${address}/o/oauth2/v2/auth?client_id=other&redirect_uri=https://a.example`)
  expect(wrong.status).toBe(400)

  const event = { title: 'Dentista', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' }
  for (const id of ['google', 'microsoft', 'caldav'] as const) {
    const created = await call(`${controls[id]}/events`, 'POST', event)
    expect(created).toMatchObject({ status: 201, body: event })
    const change = { id: (created.body as { id: string }).id, isDeleted: true }
    expect(await call(`${controls[id]}/events/change`, 'POST', change)).toMatchObject({ status: 201 })
    const late = { ...event, end: '2026-11-01T10:00:00Z' }
    expect((await call(`${controls[id]}/events`, 'POST', late)).status).toBe(400)
    await call(`${controls[id]}/faults`, 'POST', { status: 503, retryAfterSeconds: 5 })
    const refused = await fetch(`${readLine(id)[0]}/v1.0/me/calendars`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await fetch(`${readLine(id)[0]}/v1.0/me/calendars`)).status).toBe(401)
    expect((await call(controls[id])).body).toMatchObject({ events: [change], faults: [] })
  }
})

test('the router knows driving times, at another speed and with faults on request', async () => {
  const [, address] = served.lines.find(line => line.startsWith('router'))!.split(/ {3,}/)
  const fetchTable = () => call(`${address}/table/v1/driving/-3.7,40.4;-3.7,40.3?sources=0&destinations=1`)
  expect((await fetchTable()).body).toEqual({ code: 'Ok', durations: [[expect.closeTo(1334, 0)]] })
  await call(`${controls.router}/roads`, 'POST', { speedKmh: 60 })
  expect((await fetchTable()).body).toEqual({ code: 'Ok', durations: [[expect.closeTo(667, 0)]] })
  await call(`${controls.router}/faults`, 'POST', { status: 503 })
  expect((await fetchTable()).status).toBe(503)
  expect((await call(controls.router)).body).toMatchObject({ speedKmh: 60, requests: 3, faults: [] })
  expect((await call(`${address}/table/v1/driving/-3.7,40.4;200,40.3`)).body).toMatchObject({
    code: 'InvalidOptions',
  })
})
