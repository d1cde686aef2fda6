/** Tests generated from the list of public routes: the refusals that hold for every one of them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { findUnsubscribeUrl, getSubscribers } from '../src/features/campaigns/digests/subscribers.ts'
import { logo } from '../src/features/identity/settings.ts'
import { getUnsubscribeUrl } from '../src/features/messaging/unsubscribe/link.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { defaultLimits } from '../src/kit/public-route.ts'
import { storeAdConnection } from './ads.ts'
import { makeCampaign } from './campaigns.ts'
import { storeFailedMessage } from './conversations.ts'
import { addPhoto, storeFicha } from './fichas.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { agencyOrigin, makeHookTable, samples } from './public-samples.ts'
import { makeResource } from './route-paths.ts'
import { serveRoutes } from './serve-routes.ts'
import { setSetting } from './settings.ts'

const declared = describeFeatures().flatMap(({ publicRoutes = [] }) => publicRoutes)
const routes = [...declared, ...samples]

/** A new public route needs a line here, which makes the object of its token. */
const tokenMakers: Record<string, (app: TestApp) => Promise<string>> = {
  '/share/valuations/{token}': shareValuation,
  '/share/valuations/{token}/report.pdf': shareValuation,
  '/share/fichas/{token}': shareFicha,
  '/share/fichas/{token}/sheet.pdf': shareFicha,
  '/share/fichas/{token}/photos/{photo}': shareFichaWithPhoto,
  '/chat/webhooks/{token}': connectAccount,
  '/ads/webhooks/{token}': shareAdWebhook,
  '/phone/{token}': app => createPhone(app),
  '/phone/{token}/messages': app => createPhone(app),
  '/phone/{token}/media/{file}': createPhoneWithPhoto,
  '/unsubscribe/{token}': sendEmail,
  '/digest/{token}': subscribe,
  '/book/{token}': shareBookingPage,
  '/book/{token}/logo': shareBookingPage,
  '/appointment/{token}': bookAppointment,
  '/appointment/{token}/invite.ics': bookAppointment,
  '/appointment/{token}/logo': bookAppointment,
  '/appointment/{token}/reschedule': bookAppointment,
  '/appointment/{token}/cancel': bookAppointment,
  '/appointment/{token}/feedback': bookAppointment,
  '/share/agendas/{token}/agenda.ics': shareAgenda,
  '/calendar-authorization/{token}': makeAuthorizationState,
  '/widget/{token}': configureWidget,
  '/widget/{token}/form': configureWidget,
  '/widget/{token}/widget.js': configureWidget,
  '/widget/{token}/logo': configureWidget,
  '/form/{token}': async ({ workspace }) => workspace.testKey,
  '/widget/{token}/leads': async ({ workspace }) => workspace.testKey,
  '/hooks/{token}': async ({ workspace }) => workspace.testKey,
}

async function shareValuation(app: TestApp): Promise<string> {
  const id = await makeResource(app, app.workspace.testKey, '/valuations/{id}', '/valuations')
  const { body } = await app.call<{ url: string }>('POST', `/valuations/${id}/share`, { body: {} })
  return body.url.split('/').at(-1)!
}

async function shareFicha(app: TestApp): Promise<string> {
  return shareFichaWithId(app, await storeFicha(app, app.workspace.testTenantId))
}

async function shareFichaWithId(app: TestApp, id: string): Promise<string> {
  const { body } = await app.call<{ url: string }>('POST', `/fichas/${id}/share`, { body: {} })
  return body.url.split('/').at(-1)!
}

async function shareFichaWithPhoto(app: TestApp): Promise<string> {
  const id = await storeFicha(app, app.workspace.testTenantId)
  await addPhoto(app, id)
  return shareFichaWithId(app, id)
}

async function connectAccount(app: TestApp): Promise<string> {
  const { body } = await app.call<{ webhook: { url: string } }>('POST', '/accounts', {
    body: { provider: 'sandbox', mode: 'chat', displayName: 'Sandbox' },
  })
  return body.webhook.url.split('/').at(-1)!
}

async function shareAdWebhook(app: TestApp): Promise<string> {
  const id = await storeAdConnection(app, app.workspace.testTenantId)
  const { body } = await app.call<{ webhook: { url: string } }>('GET', `/ads/connections/${id}`)
  return body.webhook.url.split('/').at(-1)!
}

/** The agency has a logo. */
async function shareBookingPage(app: TestApp): Promise<string> {
  await setSetting(app.database, app.workspace.testTenantId, logo, sampleLogo)
  const id = await makeResource(
    app,
    app.workspace.testKey,
    '/scheduling/event-types/{id}',
    '/scheduling/event-types',
  )
  const { body } = await app.call<{ url: string }>('POST', `/scheduling/event-types/${id}/share`, {
    body: {},
  })
  return body.url.split('/').at(-1)!
}

/** The agency has a logo. */
async function configureWidget(app: TestApp): Promise<string> {
  await setSetting(app.database, app.workspace.testTenantId, logo, sampleLogo)
  const { body: campaign } = await app.call<{ id: string }>('POST', '/campaigns', {
    body: { name: 'Owners', platform: 'widget', mode: 'extract_and_contact' },
  })
  const { body } = await app.call<{ key: string }>('PUT', `/campaigns/${campaign.id}/widget`, {
    body: { allowedOrigins: [agencyOrigin] },
  })
  return body.key
}

async function shareAgenda(app: TestApp): Promise<string> {
  const id = await makeResource(app, app.workspace.testKey, '/scheduling/agendas/{id}', '/scheduling/agendas')
  const { body } = await app.call<{ url: string }>('POST', `/scheduling/agendas/${id}/feed`, { body: {} })
  return body.url.split('/').at(-2)!
}

/** The token is the provider; the state authorizes. */
async function makeAuthorizationState({ deployment, workspace }: TestApp): Promise<string> {
  const state = { tenantId: workspace.testTenantId, calendarId: newId(), expiresAtMs: Date.now() + 60_000 }
  return `google?state=${deployment.cipher.encrypt(JSON.stringify(state)).toString('base64url')}`
}

async function bookAppointment(app: TestApp): Promise<string> {
  await setSetting(app.database, app.workspace.testTenantId, logo, sampleLogo)
  const id = await makeResource(
    app,
    app.workspace.testKey,
    '/scheduling/appointments/{id}',
    '/scheduling/appointments',
  )
  const { body } = await app.call<{ links: { page: string } }>('GET', `/scheduling/appointments/${id}`)
  return body.links.page.split('/').at(-1)!
}

async function createPhone(
  app: TestApp,
  { accountId, from = '+34612345678' }: { accountId?: string; from?: string } = {},
): Promise<string> {
  const account = await app.call<{ id: string }>('POST', '/accounts', {
    body: { provider: 'sandbox', mode: 'chat', displayName: 'Sandbox' },
  })
  const { body } = await app.call<{ url: string }>('POST', '/sandbox/phones', {
    body: { accountId: accountId ?? account.body.id, from },
  })
  return body.url.split('/').at(-1)!
}

/** The file of the last phone with a photo. */
let phoneFile = newId()

/** The photo is in a message that failed, and then arrived. */
async function createPhoneWithPhoto(app: TestApp): Promise<string> {
  const tenantId = app.workspace.testTenantId
  const messageId = await storeFailedMessage(app, tenantId)
  phoneFile = await makeResource(app, app.workspace.testKey, '/media/{id}', '/media')
  const { rows } = await app.database.withTenant({ tenantId }, async tx => {
    await sql`update message_files set message_id = ${messageId} where tenant_id = ${tenantId} and id = ${phoneFile}`.execute(
      tx,
    )
    await sql`update messages set status = 'sent', sent_at = now() where tenant_id = ${tenantId} and id = ${messageId}`.execute(
      tx,
    )
    return sql<{ accountId: string; from: string }>`
      select i.account_id as "accountId", i.value as "from" from conversation_identities i
      join messages m on m.tenant_id = ${tenantId} and m.conversation_id = i.conversation_id
      where i.tenant_id = ${tenantId} and m.id = ${messageId}`.execute(tx)
  })
  return createPhone(app, rows[0]!)
}

async function sendEmail(app: TestApp): Promise<string> {
  const { database, deployment, workspace } = app
  const messageId = await storeFailedMessage(app, workspace.testTenantId)
  const url = await database.withTenant({ tenantId: workspace.testTenantId }, tx =>
    getUnsubscribeUrl(tx, { cipher: deployment.cipher, baseUrl: '' }, messageId),
  )
  return url.split('/').at(-1)!
}

/** A subscriber of the digests of a campaign. */
async function subscribe(app: TestApp): Promise<string> {
  const { database, deployment, workspace } = app
  return database.withTenant({ tenantId: workspace.testTenantId }, async tx => {
    const campaignId = await makeCampaign(tx, { platform: 'portal_a' })
    const { cipher } = deployment
    const [subscriber] = await getSubscribers(tx, cipher, campaignId, ['ana@agency.example'])
    const url = await findUnsubscribeUrl(tx, { cipher, baseUrl: '' }, subscriber!.id)
    return url!.split('/').at(-1)!
  })
}

let app: TestApp
let samplesServer: FastifyInstance
let samplesUrl: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' } })
  await makeHookTable(app.database)
  const served = await serveRoutes(app, [], { publicRoutes: samples, trustedProxies: ['127.0.0.1/32'] })
  samplesServer = served.server
  samplesUrl = served.url.replace('/public/v1', '')
})
afterAll(async () => {
  await samplesServer.close()
  await app.stop()
})

/** Each test has its own client address, by the header of a proxy. */
let visitors = 0
const newVisitor = () => `198.18.${++visitors >> 8}.${visitors & 255}`

async function send(
  { path }: { path: string },
  token: string,
  { method = 'GET', visitor = newVisitor(), ...init }: RequestInit & { visitor?: string } = {},
) {
  const url = samples.some(route => route.path === path) ? samplesUrl : app.url
  const headers = { 'X-Forwarded-For': visitor, ...(init.headers as object) }
  const reply = await fetch(url + fillPath(path, token), {
    redirect: 'manual',
    ...init,
    method,
    headers,
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

const fillPath = (path: string, token: string) =>
  path.replace('{token}', token).replace('{photo}', '1-400.jpg').replace('{file}', phoneFile)

const sampleLogo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>').toString('base64')}`
const unknownToken = 'A'.repeat(32)

describe.each(routes.map(route => [route.path, route] as const))('%s', (path, route) => {
  const methods = [...(route.get ? ['GET'] : []), ...(route.post ? ['POST'] : [])]
  const method = methods.at(-1)!

  const expectProblem = ({ status, headers, text }: Awaited<ReturnType<typeof send>>, code: string) => {
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (route.kind === 'page') {
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    } else expect(JSON.parse(text)).toMatchObject({ statusCode: status, code, message: expect.any(String) })
    expect(text).not.toContain(unknownToken)
  }

  it('opens with its token, and answers an unknown token with 404', async () => {
    const opened = await send(route, await tokenMakers[path]!(app), { method })
    expect([404, 405, 429, 500]).not.toContain(opened.status)
    for (const token of [unknownToken, 'x', '%00', "'--"]) {
      const refused = await send(route, token, { method })
      expect(refused.status).toBe(404)
      expectProblem(refused, 'NOT_FOUND')
    }
  })

  it('answers other methods with 405 and lists the allowed ones', async () => {
    const allowedMethods = [...methods, ...(route.get ? ['HEAD'] : []), ...(route.origins ? ['OPTIONS'] : [])]
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowedMethods.includes(other)) continue
      const refused = await send(route, unknownToken, { method: other })
      expect([other, refused.status]).toEqual([other, 405])
      expect(refused.headers.allow?.split(', ').sort()).toEqual(allowedMethods.sort())
      expectProblem(refused, 'METHOD_NOT_ALLOWED')
    }
  })

  it('refuses a body larger than its limit', async () => {
    if (!route.post) return
    const token = await tokenMakers[path]!(app)
    const body = 'x'.repeat(route.post.body.maxBytes + 1)
    const refused = await send(route, token, { method: 'POST', body })
    expect(refused.status).toBe(413)
    expectProblem(refused, 'PAYLOAD_TOO_LARGE')
    const chunks = new Blob([body]).stream()
    const streamed = await send(route, token, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit)
    expect(streamed.status).toBe(413)
  })

  it('lets no page of another origin read a reply', async () => {
    const token = await tokenMakers[path]!(app)
    const headers = { Origin: 'https://foreign.example' }
    for (const method of [...methods, 'OPTIONS']) {
      const reply = await send(route, token, { method, headers })
      expect(Object.keys(reply.headers).filter(name => name.startsWith('access-control'))).toEqual([])
      if (route.origins) expectProblem(reply, 'ORIGIN_NOT_ALLOWED')
      if (route.origins) expect(reply.status).toBe(403)
    }
  })

  it('answers 429 to a client that tries many tokens, but not to other clients', async () => {
    const { unknown } = { ...defaultLimits, ...route.limits }
    const visitor = newVisitor()
    const statuses: number[] = []
    for (let nth = 0; nth < unknown + 5; nth++)
      statuses.push((await send(route, `${unknownToken}${nth}`, { method, visitor })).status)
    expect(statuses.slice(0, unknown)).toEqual(Array(unknown).fill(404))
    const refused = await send(route, unknownToken, { method, visitor })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expectProblem(refused, 'RATE_LIMITED')
    expect((await send(route, unknownToken, { method })).status).toBe(404)
  })
})

it('every public route has a line in this test', () => {
  expect(Object.keys(tokenMakers).sort()).toEqual(routes.map(({ path }) => path).sort())
})
