/** The widget over HTTP: its configuration, its form, and its campaign. */
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
import { privacyNotice } from '../../privacy/settings.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import type { Campaign } from '../campaigns/schemas.ts'
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
    for (const origin of ['https://agency.example/sell', 'https://agency.example:99999']) {
      const { status, body } = await configure({ allowedOrigins: [origin] })
      expect([status, body.errors?.[0]?.path]).toEqual([400, '/allowedOrigins/0'])
    }
  })

  it('stores origins as browsers send them: without the usual port, each once', async () => {
    const sent = [
      'https://agency.example:443',
      'https://agency.example',
      'http://a.example:80',
      'http://a.example:81',
    ]
    const { body } = await configure({ allowedOrigins: sent })
    expect(body.allowedOrigins).toEqual(['https://agency.example', 'http://a.example', 'http://a.example:81'])
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
    const spanish = await readForm('?lang=es')
    expect(spanish).toContain('Acepto que')
    expect(spanish).toContain('"Entorno de pruebas"')
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
    await tenant.call('DELETE', `/campaigns/${campaign.id}/widget/key`)
    expect(await readCodes()).toContain('WIDGET_NO_KEY')
    await tenant.call('POST', `/campaigns/${campaign.id}/widget/key`)
    expect(await readCodes()).not.toContain('WIDGET_NO_KEY')
  })

  it('that runs says that nobody can send its form: no site may show it, or it has no key', async () => {
    await tenant.inTenant(tx =>
      sql`update campaigns set status = 'running' where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    const path = `/campaigns/${widget.campaignId}`
    const readWait = async () => (await tenant.call<Campaign>('GET', path)).body.wait?.code
    expect(await readWait()).toBe('NO_RECIPIENTS')
    await configure({ allowedOrigins: [] })
    expect(await readWait()).toBe('WIDGET_NO_ORIGINS')
    await tenant.call('DELETE', `${path}/widget/key`)
    expect(await readWait()).toBe('WIDGET_NO_KEY')
    await tenant.call('POST', `${path}/widget/key`)
    await configure({ allowedOrigins: [siteOrigin] })
    expect(await readWait()).toBe('NO_RECIPIENTS')
    await tenant.limitQuota('maxLeadsPerMonth', 0)
    expect((await tenant.call<Campaign>('GET', path)).body.wait).toEqual({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringMatching(
        /^The quota of new leads of this month is used up; it is renewed \w+ .*\d\d:\d\d\. Until then its form only takes people whom you know\.$/,
      ),
      until: expect.any(String),
    })
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
