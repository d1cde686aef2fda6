/** The widget in Chromium, on pages of another site. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInChromium, findAxeViolations } from '../../../../test/browser.ts'
import type { Tab, TabSize } from '../../../../test/chromium.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { setSetting } from '../../../../test/settings.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { makeWidget, type TestWidget } from '../../../../test/widget.ts'
import {
  click,
  fill,
  find,
  isShown,
  readMoved,
  readText,
  root,
  type Site,
  startSite,
  surroundings,
  toMeasuredPage,
  waitFor,
} from '../../../../test/widget-site.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { branding } from '../../identity/settings.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import type { WidgetSettings } from './schemas.ts'
import { widgetScript } from './script.ts'

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

describeInChromium(chromium => {
  let app: TestApp
  let site: Site
  let other: Site
  let tenant: TestTenant
  beforeAll(async () => {
    app = await shareTestApp('api')
    ;[site, other] = await Promise.all([startSite(), startSite()])
  })
  afterAll(async () => {
    site.stop()
    other.stop()
    await app.stop()
  })
  beforeEach(async () => {
    tenant = await makeTenant(app)
    await setSetting(app.database, tenant.tenantId, privacyNotice, {
      url: 'https://agency.example/privacy',
      texts: {},
    })
    await setSetting(app.database, tenant.tenantId, branding, {
      color: '#e4572e',
      phone: '+34 93 412 34 56',
      email: 'hola@agency.example',
      website: null,
    })
  })

  const make = (settings: WidgetSettings = {}) =>
    makeWidget(app, tenant, { allowedOrigins: [site.origin], ...settings })
  /** The snippet, at the address of the test program. */
  const toSnippet = ({ snippet, pageUrl, url }: TestWidget) => snippet!.replaceAll(pageUrl!, url)
  async function open(
    html: string,
    options: { size?: TabSize; at?: Site; headers?: Record<string, string> } = {},
  ) {
    const { size = phone, at = site, headers = {} } = options
    at.page = { html, headers }
    return chromium.open(at.origin, size)
  }

  async function fillIn(tab: Tab): Promise<void> {
    await waitFor(tab, isShown('form'))
    await fill(tab, { name: 'Marta', phone: '+34655010203' })
    await click(tab, '[name=consent]')
  }

  test('a visitor reads what is wrong, corrects it with the keyboard alone, and becomes a lead', async () => {
    const widget = await make({ language: 'en' })
    const tab = await open(surroundings + toSnippet(widget), { size: desk })
    await waitFor(tab, isShown('form'))
    const focusOn = async (selector: string) => {
      for (let steps = 0; steps < 20; steps++) {
        if (await tab.evaluate(`${root}.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return
        await tab.press('Tab')
      }
      throw new Error(`The Tab key does not reach ${selector}.`)
    }
    await focusOn('[value=sale]')
    await tab.press(' ')
    await focusOn('[name=name]')
    await tab.type('Marta Soler')
    await focusOn('[name=phone]')
    await tab.type('12')
    await tab.press('Enter')
    await waitFor(tab, `${find('[name=phone]')}.getAttribute('aria-invalid') === 'true'`)
    expect(await readText(tab, '.alert')).toBe('Please check the following')
    expect(await readText(tab, '#phone-error')).toContain('+34 612 345 678')
    expect(await readText(tab, '#consent-error')).toBe('Please tick this box.')
    expect(await tab.evaluate(`${root}.activeElement.name`)).toBe('phone')
    await tab.evaluate(`${root}.activeElement.select()`)
    await tab.type('+34655010203')
    expect(await tab.evaluate(`${find('#phone-error')}.hidden`)).toBe(true)
    await focusOn('[name=consent]')
    await tab.press(' ')
    await focusOn('button')
    const height = await tab.evaluate('document.body.scrollHeight')
    await tab.press('Enter')
    await waitFor(tab, isShown('.done'))
    expect(await readText(tab, '.done')).toContain('Thank you')
    expect(await tab.evaluate(`${root}.activeElement.tagName`)).toBe('H2')
    expect(await tab.evaluate('document.body.scrollHeight')).toBe(height)
    expect(await tenant.listAllLeads()).toMatchObject([
      { contact: { name: 'Marta Soler', phone: '+34655010203' }, property: { operation: 'sale' } },
    ])
    expect(tab.logged).toEqual([])
    await tab.close()
  })

  test('a double click makes one lead', async () => {
    const tab = await open(toSnippet(await make()))
    await fillIn(tab)
    await tab.evaluate(`${find('button')}.click(); ${find('button')}.click()`)
    await waitFor(tab, isShown('.done'))
    expect(await tenant.listAllLeads()).toHaveLength(1)
    await tab.close()
  })

  test('a site that is not allowed keeps its link; a broken line keeps what was typed, and a closed form says so', async () => {
    const widget = await make({ language: 'en' })
    const refused = await open(toSnippet(widget), { at: other })
    await expect.poll(() => refused.logged.join('\n')).toContain('allowedOrigins')
    expect(await refused.evaluate(`${root} === null && document.querySelector('a').offsetHeight > 0`)).toBe(
      true,
    )
    await refused.close()
    const tab = await open(toSnippet(widget))
    await fillIn(tab)
    await tab.evaluate(
      `self.fetch = () => Promise.reject(new TypeError('offline')); ${find('button')}.click()`,
    )
    await waitFor(tab, `!${find('.alert')}.hidden`)
    expect(await readText(tab, '.alert')).toContain('check your connection')
    expect(await tab.evaluate(`${find('[name=name]')}.value`)).toBe('Marta')
    expect(await tab.evaluate(`${find('[name=consent]')}.checked`)).toBe(true)
    await tab.close()
    const late = await open(toSnippet(widget))
    await fillIn(late)
    await tenant.call('DELETE', `/campaigns/${widget.campaignId}/widget/key`)
    await click(late, 'button')
    await waitFor(late, `!${find('.alert')}.hidden`)
    expect(await readText(late, '.alert')).toContain('no requests with this form')
    await late.close()
  })

  test('runs under a strict policy, with trusted types, and requests nothing of others', async () => {
    const widget = await make()
    const policy = `default-src 'none'; script-src ${app.url}; connect-src ${app.url}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
    const tab = await open(toSnippet(widget).replace(/ style="[^"]*"/, ''), {
      headers: { 'Content-Security-Policy': policy },
    })
    await waitFor(tab, isShown('form'))
    expect(await tab.evaluate(`getComputedStyle(${find('button')}).backgroundColor`)).toBe('rgb(228, 87, 46)')
    const requested = await tab.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    )
    expect(requested.filter(url => !url.endsWith('/favicon.ico'))).toEqual([
      `${widget.url}/widget.js`,
      expect.stringMatching(`^${widget.url}/form`),
    ])
    expect(await tab.evaluate('document.cookie + Object.keys(localStorage)')).toBe('')
    expect(tab.logged.filter(entry => !entry.includes('favicon'))).toEqual([])
    await tab.close()
  })

  test('leaves one global, and several on one page have their own language, theme and place', async () => {
    const [one, two] = [await make(), await make({ theme: 'light' })]
    const html = `<html lang="fr"><div id="before"></div><p>x</p>
${toSnippet(one)}${toSnippet(one)}
<section id="here"></section>
<script async src="${two.url}/widget.js" data-target="#here" data-language="de" data-theme="dark"></script>
<script>const names = new Set(Object.getOwnPropertyNames(self))
addEventListener('load', () => setTimeout(() => { document.body.dataset.globals = Object.getOwnPropertyNames(self).filter(name => !names.has(name)) }, 500))</script>`
    const tab = await open(html)
    const cards = `[...document.querySelectorAll('div')].flatMap(host => host.shadowRoot ? [host.shadowRoot.querySelector('.card')] : [])`
    await waitFor(tab, `${cards}.length === 3 && document.body.dataset.globals !== undefined`)
    expect(await tab.evaluate(`${cards}.map(card => card.lang + ' ' + card.dataset.theme)`)).toEqual([
      'fr auto',
      'fr auto',
      'de dark',
    ])
    expect(await tab.evaluate(`document.querySelector('#here > div').shadowRoot !== null`)).toBe(true)
    expect(await tab.evaluate('document.body.dataset.globals')).toBe('aldabaWidget')
    await tab.close()
  })

  test('the theme follows the device, or is fixed', async () => {
    const background = (tab: Tab) => tab.evaluate(`getComputedStyle(${find('.card')}).backgroundColor`)
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(29, 35, 43)']
    for (const [theme, colorScheme, expected] of [
      ['auto', 'dark', dark],
      ['auto', 'light', light],
      ['light', 'dark', light],
      ['dark', 'light', dark],
    ] as const) {
      const tab = await open(toSnippet(await make({ theme })), { size: { ...phone, colorScheme } })
      await waitFor(tab, isShown('form'))
      expect(await background(tab), `${theme} on ${colorScheme}`).toBe(expected)
      await tab.close()
    }
  })

  const fields = (['operation', 'name', 'phone', 'email', 'address', 'message'] as const).map(name => ({
    name,
    required: name === 'phone' || name === 'operation',
  }))
  test('nothing moves when it appears, in any language, with few fields and with all', async () => {
    const [few, all] = [await make(), await make({ fields })]
    const bare = await open(toMeasuredPage(toSnippet(few).replace(/ style="[^"]*"/, '')))
    expect(await readMoved(bare)).toBeGreaterThan(0)
    await bare.close()
    for (const language of messageLanguages)
      for (const widget of language === 'de' ? [few, all] : [few]) {
        const path = `/campaigns/${widget.campaignId}/widget`
        const body = { allowedOrigins: [site.origin], language, fields: widget.fields }
        const { body: changed } = await tenant.call<TestWidget>('PUT', path, { body })
        const tab = await open(toMeasuredPage(toSnippet({ ...changed, url: widget.url })))
        expect(await readMoved(tab), language).toBe(0)
        const spare = `(host => { const { offsetHeight } = host; host.style.minHeight = 0; return offsetHeight - host.offsetHeight })(document.querySelector('[data-aldaba-widget]'))`
        expect(await tab.evaluate(spare), language).toBeLessThan(80)
        expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
        await tab.close()
      }
  })

  test.each(['light', 'dark'] as const)(
    'axe finds nothing serious in %s: form, errors, thanks',
    async colorScheme => {
      const tab = await open(toMeasuredPage(toSnippet(await make({ fields }))), {
        size: { ...phone, colorScheme },
      })
      await waitFor(tab, isShown('form'))
      const found = await findAxeViolations(tab)
      await click(tab, 'button')
      await waitFor(tab, isShown('[aria-invalid]'))
      found.push(...(await findAxeViolations(tab)))
      await fill(tab, { phone: '+34655010203' })
      await click(tab, '[value=rent]')
      await click(tab, '[name=consent]')
      await click(tab, 'button')
      await waitFor(tab, isShown('.done'))
      found.push(...(await findAxeViolations(tab)))
      expect(found).toEqual([])
      await tab.close()
    },
    60_000,
  )

  test('without scripts, the link leads to a page that takes the form', async () => {
    const widget = await make({ language: 'en' })
    const tab = await open(toSnippet(widget), { size: { ...phone, runsScripts: false } })
    await tab.follow(() => tab.evaluate(`document.querySelector('a').click()`))
    expect(await tab.evaluate('document.title')).toContain('Want to sell or let your home?')
    await tab.follow(() => tab.evaluate(`document.querySelector('button').click()`))
    expect(await tab.evaluate(`document.querySelector('#phone-error').textContent`)).toBe(
      'Please fill in this field.',
    )
    await new Promise(resolve => setTimeout(resolve, 2100))
    await tab.evaluate(
      `document.querySelector('[name=name]').value = 'Marta'; document.querySelector('[name=phone]').value = '+34655010203'; document.querySelector('[name=consent]').checked = true`,
    )
    await tab.follow(() => tab.evaluate(`document.querySelector('button').click()`))
    expect(await tab.evaluate(`document.querySelector('h1').textContent`)).toBe('Thank you')
    expect(await tenant.listAllLeads()).toHaveLength(1)
    await tab.close()
  })

  test('the page without scripts is light, and axe finds nothing serious in either theme', async () => {
    const { url } = await make()
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await chromium.open(url, { ...phone, colorScheme })
      expect(await findAxeViolations(tab)).toEqual([])
      await tab.close()
    }
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBeLessThan(15_000)
  })

  test('script and form together weigh less than 15 KB in every language', async () => {
    expect(Buffer.byteLength(widgetScript)).toBeLessThan(10_000)
    const { url } = await make()
    for (const language of messageLanguages) {
      const form = await fetch(`${url}/form?lang=${language}`, { headers: { Origin: site.origin } })
      expect(Buffer.byteLength(widgetScript) + (await form.arrayBuffer()).byteLength).toBeLessThan(15_000)
    }
  })
})
