/** The widget over HTTP: its configuration, its form, and what becomes of what visitors send. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
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
import type { Lead } from '../../leads/schemas.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import { widgetLimit } from './receive.ts'
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

describe('the configuration', () => {
  it('has defaults, a key from the first PUT on, and a snippet', async () => {
    const { body: campaign } = await tenant.call<{ id: string }>('POST', '/campaigns', {
      body: { name: 'Other', platform: 'widget', mode: 'extract_and_contact' },
    })
    const path = `/campaigns/${campaign.id}/widget`
    const { body: before } = await tenant.call<Widget>('GET', path)
    expect(before).toMatchObject({
      key: null,
      snippet: null,
      allowedOrigins: [],
      theme: 'auto',
      updatedAt: null,
    })
    const { body: after } = await tenant.call<Widget>('PUT', path, { body: {} })
    expect(after.key).toMatch(/^[\w-]{32}$/)
    expect(after.snippet).toContain(`data-aldaba-widget="${after.key}"`)
    expect(after.snippet).toContain(`<script async src="${after.scriptUrl}">`)
    const { body: again } = await tenant.call<Widget>('PUT', path, { body: { theme: 'dark' } })
    expect(again).toMatchObject({ key: after.key, theme: 'dark' })
  })

  it('counts the versions of its own texts of the consent', async () => {
    const texts = { en: 'I agree that {agency} calls me.', es: 'Acepto que {agency} me llame.' }
    expect((await configure({ consentTexts: texts })).body.consentVersion).toBe(1)
    expect((await configure({ consentTexts: texts, theme: 'dark' })).body.consentVersion).toBe(1)
    expect((await configure({})).body.consentVersion).toBe(2)
  })

  it('refuses fields without phone and e-mail, fields that are there twice, and what is no origin', async () => {
    const fields = [{ name: 'phone', required: false }]
    expect((await configure({ fields })).body.errors).toMatchObject([{ path: '/fields' }])
    const twice = [...fields, { name: 'phone', required: true }]
    expect((await configure({ fields: twice })).body.errors).toMatchObject([{ path: '/fields/1/name' }])
    const { status } = await configure({ allowedOrigins: ['https://agency.example/sell'] })
    expect(status).toBe(400)
  })

  it('is only of campaigns of the platform widget', async () => {
    const { body: campaign } = await tenant.call<{ id: string }>('POST', '/campaigns', {
      body: { name: 'Portal', platform: 'portal_a' },
    })
    const { status, body } = await tenant.call<{ code: string }>('PUT', `/campaigns/${campaign.id}/widget`, {
      body: {},
    })
    expect([status, body.code]).toEqual([409, 'NO_WIDGET'])
  })

  it('gets another key, and none', async () => {
    const path = `/campaigns/${widget.campaignId}/widget/key`
    const { body } = await tenant.call<Widget>('POST', path)
    expect(body.key).not.toBe(widget.key)
    expect((await openForm()).status).toBe(404)
    widget = { ...widget, url: `${app.url}/widget/${body.key}` }
    expect((await openForm()).status).toBe(200)
    expect((await tenant.call('DELETE', path)).status).toBe(204)
    expect((await openForm()).status).toBe(404)
    expect(await read()).toMatchObject({ key: null, snippet: null, pageUrl: null })
  })
})

describe('the form', () => {
  it('is given to pages of allowed origins only', async () => {
    const { status, headers } = await openForm()
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, siteOrigin])
    const refused = await openForm('', 'https://other.example')
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
    expect((await openForm('', 'null')).status).toBe(403)
    const preflight = await fetch(`${widget.url}/form`, {
      method: 'OPTIONS',
      headers: { Origin: siteOrigin },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each([
    ['of the script tag', 'fr', { lang: 'fr', page: 'de' }, 'it'],
    ['of the widget', 'it', { page: 'de' }, 'it'],
    ['of the page', 'de', { page: 'de-AT' }, null],
    ['of the browser', 'eu', { page: 'nl' }, null],
  ])('has the language %s', async (_name, language, query, own) => {
    await configure({ allowedOrigins: [siteOrigin], language: own })
    const headers = { Origin: siteOrigin, 'Accept-Language': 'nl, eu;q=0.5' }
    const reply = await fetch(`${widget.url}/form?${new URLSearchParams(query as Record<string, string>)}`, {
      headers,
    })
    expect(await reply.text()).toContain(`"lang":"${language}"`)
  })

  it('has the text of the consent, with the agency and the link to its privacy notice', async () => {
    await setSetting(app.database, tenant.tenantId, privacyNotice, {
      url: 'https://agency.example/privacy',
      texts: {},
    })
    await configure({ allowedOrigins: [siteOrigin], consentTexts: { en: '{agency} may call me any day.' } })
    const text = await readForm('?lang=en')
    expect(text).not.toContain('{agency}')
    expect(text).toContain(' may call me any day.')
    expect(text).toContain('https://agency.example/privacy')
    expect(await readForm('?lang=es')).toContain('Acepto que')
  })
})

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
    expect((await send({ name: 'x'.repeat(201), operation: 'swap' })).errors).toMatchObject({
      name: 'Please write at most 200 characters.',
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
    expect(JSON.stringify(view)).toContain('We take no requests with this form')
    expect((await read()).submissions).toMatchObject({ refused: 1 })
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

describe('the campaign', () => {
  it('cannot start before its form is configured', async () => {
    const { body: campaign } = await tenant.call<{ id: string }>('POST', '/campaigns', {
      body: { name: 'Other', platform: 'widget' },
    })
    const readCodes = async () => {
      const path = `/campaigns/${campaign.id}/status`
      const { body } = await tenant.call<{ missing: { code: string }[] }>('PATCH', path, {
        body: { status: 'running' },
      })
      return body.missing.map(({ code }) => code)
    }
    expect(await readCodes()).toContain('WIDGET_NOT_CONFIGURED')
    await tenant.call('PUT', `/campaigns/${campaign.id}/widget`, { body: {} })
    expect(await readCodes()).not.toContain('WIDGET_NOT_CONFIGURED')
  })

  it('that has completed or was deleted shows a note instead of the form', async () => {
    await tenant.inTenant(tx =>
      sql`update campaigns set status = 'running' where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    await tenant.inTenant(tx => completeCampaign(tx, widget.campaignId))
    expect(await readForm('?lang=en')).toContain('We take no requests with this form')
    expect(JSON.stringify((await send()).view)).toContain('We take no requests with this form')
    await tenant.call('DELETE', `/campaigns/${widget.campaignId}`)
    expect(await readForm('?lang=en')).toContain('We take no requests with this form')
    expect(await tenant.listAllLeads()).toEqual([])
  })
})

it('a campaign that became one of another source takes no more forms', async () => {
  await tenant.call('PATCH', `/campaigns/${widget.campaignId}`, { body: { platform: 'csv_import' } })
  expect(await readForm('?lang=en')).toContain('We take no requests with this form')
  expect((await send()).isDone).toBeUndefined()
  expect(await tenant.listAllLeads()).toEqual([])
})

describe('the page without the script', () => {
  const submit = async (fields: Record<string, string>) => {
    const ticket = await makeWidgetTicket(app, tenant, widget.campaignId)
    const body = new URLSearchParams({
      ticket,
      lang: 'en',
      name: 'Marta',
      phone: '655010203',
      consent: 'yes',
      ...fields,
    })
    const reply = await fetch(widget.url, { method: 'POST', body })
    return { status: reply.status, text: await reply.text() }
  }

  it('shows the form with what is wrong, and takes it', async () => {
    const page = await fetch(`${widget.url}?lang=en`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await page.text()).toContain('<h1 tabindex="-1">Want to sell or let your home?</h1>')
    const refused = await submit({ phone: '12', name: '"><script>' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Please enter a phone number')
    expect(refused.text).toContain('value="&#34;&gt;&lt;script&gt;"')
    const done = await submit({})
    expect(done.status).toBe(200)
    expect(done.text).toContain('Thank you')
    expect(await tenant.listAllLeads()).toMatchObject([{ contact: { phone: '+34655010203' } }])
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
