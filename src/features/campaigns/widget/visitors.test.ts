/** What visitors send with the widget over HTTP: leads with their consent, and what is refused. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { setSetting } from '../../../../test/settings.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import {
  makeWidget,
  makeWidgetTicket,
  sendWidget,
  siteOrigin,
  type TestWidget,
} from '../../../../test/widget.ts'
import { sql } from '../../../kit/db/index.ts'
import { countUse } from '../../../kit/use-counts.ts'
import { branding } from '../../identity/settings.ts'
import type { Lead } from '../../leads/schemas.ts'
import { widgetDayLimit, widgetLimit } from './receive.ts'
import type { Widget } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let widget: TestWidget
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  widget = await makeWidget(app, tenant)
})

const send = (fields?: Record<string, string | undefined>, headers?: Record<string, string>) =>
  sendWidget(app, tenant, widget, fields, headers)
const configure = (body: object) =>
  tenant.call<Widget & { code: string; errors: { path: string }[] }>(
    'PUT',
    `/campaigns/${widget.campaignId}/widget`,
    { body },
  )
const read = async () => (await tenant.call<Widget>('GET', `/campaigns/${widget.campaignId}/widget`)).body
const openForm = (query = '', origin: string | null = siteOrigin) =>
  fetch(`${widget.url}/form${query}`, origin === null ? {} : { headers: { Origin: origin } })
const readForm = async (query = '', origin?: string) => (await openForm(query, origin)).text()
const listRecipients = async () => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ leadId: string; status: string }>`
      select lead_id as "leadId", status from campaign_recipients
      where tenant_id = ${tenant.tenantId} and campaign_id = ${widget.campaignId} order by id`.execute(tx),
  )
  return rows
}

describe('a visitor', () => {
  it('becomes a lead with the proof of the consent, and a recipient', async () => {
    const { status, isDone, headers } = await send({
      phone: '655 01 02 03',
      operation: 'sale',
      name: ' Marta Soler ',
    })
    expect([status, isDone, headers.get('access-control-allow-origin')]).toEqual([200, true, siteOrigin])
    const [lead] = await tenant.listAllLeads()
    expect(lead).toMatchObject({
      contact: { name: 'Marta Soler', phone: '+34655010203' },
      property: { operation: 'sale' },
      campaignId: widget.campaignId,
      sources: [{ platform: 'widget' }],
      contactability: { lawfulBasis: 'consent' },
    })
    const { body: basis } = await tenant.call<{ proof: string; channels: string[] }>(
      'GET',
      `/leads/${lead!.id}/lawful-basis`,
    )
    expect(basis.channels).toEqual(['phone', 'chat'])
    expect(basis.proof).toContain('uses these details to contact me')
    expect(basis.proof).toContain(`${widget.key} on ${siteOrigin}/sell at `)
    expect(await listRecipients()).toEqual([{ leadId: lead!.id, status: 'waiting' }])
    expect((await read()).submissions).toMatchObject({ created: 1, known: 0 })
  })

  it('who sends a form twice, also at once, is one lead', async () => {
    const ticket = await makeWidgetTicket(app, tenant, widget.campaignId)
    const form = { ticket, phone: '655010204' }
    const replies = await Promise.all([send(form), send(form), send(form)])
    expect(replies.map(({ isDone }) => isDone)).toEqual([true, true, true])
    expect((await send({ ...form, phone: '655010205' })).isDone).toBe(true)
    expect(await tenant.listAllLeads()).toHaveLength(1)
    expect((await read()).submissions).toMatchObject({ created: 1, known: 0 })
  })

  it('whose lead is known leaves it as it is, with a note', async () => {
    const { body: known } = await tenant.call<Lead>('POST', '/leads', {
      body: { contact: { name: 'Marta', phone: '+34655010203' } },
    })
    await send({ phone: '655010203', name: 'Somebody', operation: 'rent' })
    const [lead] = await tenant.listAllLeads()
    expect(lead).toMatchObject({ id: known.id, contact: { name: 'Marta' } })
    const { body: notes } = await tenant.call<{ data: { body: string }[] }>('GET', `/leads/${known.id}/notes`)
    expect(notes.data[0]!.body).toBe('I want to: Let\nName: Somebody\nPhone: 655010203')
    expect(await listRecipients()).toMatchObject([{ leadId: known.id }])
    expect((await read()).submissions).toMatchObject({ created: 0, known: 1 })
  })

  it('reads what is wrong in the language of the form', async () => {
    const { errors, message } = await send({ lang: 'es', name: ' ', phone: '12', consent: undefined })
    expect(errors).toEqual({
      name: 'Rellene este campo.',
      phone: 'Escriba un número de teléfono, como +34 612 345 678.',
      consent: 'Marque esta casilla.',
    })
    expect(message).toBe('Revise lo siguiente')
    expect((await send({ name: 'x'.repeat(61), operation: 'swap' })).errors).toMatchObject({
      name: 'Please write at most 60 characters.',
      operation: 'Please choose one of the options.',
    })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  it('agrees to the text that was shown: after a change the form is shown again', async () => {
    const ticket = await makeWidgetTicket(app, tenant, widget.campaignId)
    await configure({ allowedOrigins: [siteOrigin], consentTexts: { en: 'I agree to be called at night.' } })
    const { isDone, view, message } = await send({ ticket })
    expect([isDone, message]).toEqual([undefined, 'Please check your details and send them again.'])
    expect(JSON.stringify(view)).toContain('called at night')
    expect(await tenant.listAllLeads()).toEqual([])
  })

  it.each([
    ['forged', 'x'],
    ['of this second', null],
  ])('has to send a form with a ticket that is %s again', async (_name, forged) => {
    const form = await readForm('?lang=en')
    const ticket = forged ?? /"name":"ticket","value":"([^"]+)"/.exec(form)![1]!
    expect((await send({ ticket })).message).toBe('Please check your details and send them again.')
    expect(await tenant.listAllLeads()).toEqual([])
  })

  it('who was erased leaves nothing behind, and learns nothing', async () => {
    await send({ phone: '655010203' })
    const [lead] = await tenant.listAllLeads()
    await tenant.call('DELETE', `/leads/${lead!.id}?erase=true`)
    expect((await send({ phone: '655010203' })).isDone).toBe(true)
    expect(await tenant.listAllLeads()).toEqual([])
    expect((await read()).submissions).toMatchObject({ created: 1, suppressed: 1 })
  })

  it('beyond the quota of leads reads how to reach the agency', async () => {
    await tenant.limitQuota('maxLeadsPerMonth', 0)
    const { isDone, view } = await send()
    expect(isDone).toBeUndefined()
    expect(JSON.stringify(view)).toContain('We take no requests with this form at the moment."')
    expect((await read()).submissions).toMatchObject({ refused: 1 })
    const contact = { color: null, phone: '+34911112233', email: null, website: null }
    await setSetting(app.database, tenant.tenantId, branding, contact)
    const again = JSON.stringify((await send()).view)
    expect(again).toContain('at the moment. Please contact us."')
    expect(again).toContain('tel:+34911112233')
  })
})

describe('against machines', () => {
  it('a filled trap answers as a success, and is dropped and counted', async () => {
    expect((await send({ website: 'https://spam.example', ticket: 'x' })).isDone).toBe(true)
    expect(await tenant.listAllLeads()).toEqual([])
    expect((await read()).submissions).toMatchObject({ spam: 1, created: 0 })
  })

  it('a form without Origin, or of another site, is refused', async () => {
    expect(await send({}, {})).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' })
    expect(await send({}, { Origin: 'https://other.example' })).toMatchObject({ status: 403 })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  it('the page that is stored belongs to the site', async () => {
    await send({ page: 'https://other.example/x' })
    const [lead] = await tenant.listAllLeads()
    const { body } = await tenant.call<{ proof: string }>('GET', `/leads/${lead!.id}/lawful-basis`)
    expect(body.proof).toContain(`on ${siteOrigin} at `)
  })

  it('one client sends as often as an office, and leaves room for others', async () => {
    for (let at = 0; at < 10; at++) expect((await send()).isDone).toBe(true)
    expect((await send()).message).toContain('Too many forms')
    const other = await makeWidget(app, tenant)
    expect((await sendWidget(app, tenant, other)).isDone).toBe(true)
  })

  it('the text of messages is not theirs: a name or an address with a link or a number is refused', async () => {
    await configure({
      allowedOrigins: [siteOrigin],
      fields: ['name', 'phone', 'address'].map(name => ({ name, required: name === 'phone' })),
    })
    const { errors } = await send({ name: 'entre en evil.example/login', address: 'llame al 912 345 678' })
    expect(errors).toEqual({
      name: 'Please enter only your name, without numbers and links.',
      address: 'Please enter only the address, without phone numbers and links.',
    })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  it('a phone number is written to three times a day, from whatever widget', async () => {
    const other = await makeWidget(app, tenant)
    for (let at = 0; at < 3; at++) expect((await send({ phone: '655010206' })).isDone).toBe(true)
    const again = await sendWidget(app, tenant, other, { phone: '+34 655 01 02 06' })
    expect(again.message).toContain('Too many forms')
    const now = new Date(Date.now() + 25 * 3_600_000).toISOString()
    await tenant.call('POST', '/sandbox/clock', { body: { now } })
    expect((await send({ phone: '655010206' })).isDone).toBe(true)
  })

  it('a day of a widget is bounded', async () => {
    const hash = app.deployment.cipher.digest(`use of widget ${widget.campaignId} of all, day`)
    await tenant.inTenant(tx =>
      sql`
        insert into use_counts (tenant_id, subject_hash, count, expires_at)
        values (${tenant.tenantId}, ${hash}, ${widgetDayLimit.count}, now() + interval '1 day')`.execute(tx),
    )
    expect((await send()).message).toContain('Too many forms')
  })

  it('all clients together fill one widget, and not another one of the workspace', async () => {
    const subject = `widget ${widget.campaignId} of all`
    for (let at = 0; at < widgetLimit.count; at++)
      await countUse(app.database, app.deployment.cipher, tenant.tenantId, [{ subject, ...widgetLimit }])
    expect((await send()).message).toContain('Too many forms')
    const other = await makeWidget(app, tenant)
    expect((await sendWidget(app, tenant, other)).isDone).toBe(true)
  })

  it('a large or malformed body is refused', async () => {
    expect(await send({ message: 'x'.repeat(40_000) })).toMatchObject({ status: 413 })
    expect(await send({ message: 'x'.repeat(6000) })).toMatchObject({ status: 400 })
    expect(await send({ other: 'x' })).toMatchObject({ status: 400 })
  })
})

it('the proof of the consent is among the data of the person, moves with a merge, and goes with the lead', async () => {
  await send({ phone: '655010203' })
  const [lead] = await tenant.listAllLeads()
  const readConsents = async (id: string) =>
    (await tenant.call<{ widgetConsents: object[] }>('GET', `/leads/${id}/data`)).body.widgetConsents
  expect(await readConsents(lead!.id)).toMatchObject([
    {
      campaignId: widget.campaignId,
      language: 'en',
      version: 'program-1',
      pageUrl: `${siteOrigin}/sell`,
      key: widget.key,
    },
  ])
  const { body: survivor } = await tenant.call<Lead>('POST', '/leads', {
    body: { contact: { name: 'Jordi' } },
  })
  const { body: merge } = await tenant.call<{ mergeId: string }>('POST', `/leads/${survivor.id}/merge`, {
    body: { leadId: lead!.id },
  })
  expect(await readConsents(survivor.id)).toHaveLength(1)
  await tenant.call('POST', `/leads/${survivor.id}/merges/${merge.mergeId}/undo`)
  expect([await readConsents(survivor.id), await readConsents(lead!.id)]).toMatchObject([[], [{}]])
  await tenant.call('DELETE', `/leads/${lead!.id}`)
  const { rows } = await tenant.inTenant(tx =>
    sql`select from widget_submissions where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  expect(rows).toEqual([])
})
