/** Makes the objects that the tokens of public routes open. */
import { findUnsubscribeUrl, getSubscribers } from '../src/features/campaigns/digests/subscribers.ts'
import { logo } from '../src/features/identity/settings.ts'
import { getUnsubscribeUrl } from '../src/features/messaging/unsubscribe/link.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { storeAdConnection } from './ads.ts'
import { makeCampaign } from './campaigns.ts'
import { storeFailedMessage } from './conversations.ts'
import { addPhoto, storeFicha } from './fichas.ts'
import type { TestApp } from './harness.ts'
import { agencyOrigin } from './public-samples.ts'
import { makeResource } from './route-paths.ts'
import { setSetting } from './settings.ts'

const sampleLogo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>').toString('base64')}`

/** A new public route needs a line here, which makes the object of its token. */
export const tokenMakers: Record<string, (app: TestApp) => Promise<string>> = {
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
export let phoneFile = newId()

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
