/** The booking page in a frame of another site, with the HTML of the guide. Needs Chromium in `CHROMIUM` or /usr/bin. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTicket, type Published, publishPage } from '../../../../test/booking-page.ts'
import { describeInChromium } from '../../../../test/browser.ts'
import type { Tab } from '../../../../test/chromium.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from '../appointments/schemas.ts'

const guide = await readFile(new URL('../../../../docs/guides/booking-page.md', import.meta.url), 'utf8')
const snippet = /```html\n(.*?)```/s.exec(guide)![1]!

interface Site {
  origin: string
  /** The address of a page that shows another one in the frame of the guide. */
  embed(url: string): string
  stop(): void
}

async function startSite(): Promise<Site> {
  const server = createServer((request, reply) => {
    const url = new URL(request.url!, 'http://site').searchParams.get('url') ?? ''
    const html = snippet.replace(/src="[^"]*"/, () => `src="${url.replaceAll('&', '&amp;')}"`)
    reply.setHeader('Content-Type', 'text/html; charset=utf-8').end(`<!doctype html><h1>Agency</h1>${html}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    embed: url => `${origin}/?url=${encodeURIComponent(url)}`,
    stop: () => server.close(),
  }
}

const frameHeight = `document.getElementById('booking').offsetHeight`
const hasMain = `document.querySelector('main') !== null`

/** Waits until the page in the frame has an element, and the frame its height. Returns the height. */
async function settle(tab: Tab, selector: string): Promise<number> {
  return await expect
    .poll(async () => {
      const wanted = await tab.evaluateInFrame<number | null>(
        `document.querySelector(${JSON.stringify(selector)}) && document.body.scrollHeight`,
      )
      return wanted !== null && (await tab.evaluate(frameHeight)) === wanted
    })
    .toBe(true)
    .then(() => tab.evaluate<number>(frameHeight))
}

describeInChromium(chromium => {
  let app: TestApp
  let tenant: TestTenant
  let page: Published
  let allowed: Site
  let other: Site
  beforeAll(async () => {
    app = await shareTestApp('api')
    ;[allowed, other] = await Promise.all([startSite(), startSite()])
    tenant = await makeTenant(app)
    page = await publishPage(app, tenant, {
      config: { bookingPage: { allowedOrigins: [allowed.origin] } },
    })
  })
  afterAll(async () => {
    allowed.stop()
    other.stop()
    await app.stop()
  })
  const open = (site: Site, query: string) =>
    chromium.open(site.embed(`${page.url}?lang=en&tz=UTC${query}`), { width: 390, height: 844 })
  /** Presses a button of the page in the frame, as a mouse does. */
  const click = (tab: Tab, selector: string) =>
    tab.evaluateInFrame(`document.querySelector(${JSON.stringify(selector)}).click()`)

  test('a visitor books in the frame, which always has the height of its page', async () => {
    const tab = await open(allowed, '&embed=1')
    const calendar = await settle(tab, '.slots')
    await click(tab, '.slots button')
    const form = await settle(tab, '[name=email]')
    await tab.evaluateInFrame(
      `document.querySelector('[name=ticket]').value = ${JSON.stringify(makeTicket(app, page.id))}`,
    )
    await click(tab, '.main')
    const refused = await settle(tab, '[role=alert]')
    expect(await tab.evaluateInFrame('document.activeElement.className')).toBe('alert')
    await tab.evaluateInFrame(
      `for (const [name, value] of [['name', 'Marta'], ['email', 'marta@example.com'], ['phone', '+34655010203']]) document.querySelector('[name=' + name + ']').value = value`,
    )
    await click(tab, '.main')
    const booked = await settle(tab, '.acts a[href*=cancel]')
    expect(new Set([calendar, form, refused, booked]).size).toBe(4)
    expect(refused).toBeGreaterThan(form)
    expect(booked).toBeLessThan(refused)
    const { body } = await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments')
    expect(body.data).toMatchObject([{ status: 'confirmed', visitor: { email: 'marta@example.com' } }])
    expect(tab.logged.filter(entry => !entry.includes('status of 422'))).toEqual([])
    await tab.close()
  })

  test('the site follows no height that another window sends', async () => {
    const tab = await open(allowed, '&embed=1')
    const height = await settle(tab, '.slots')
    await tab.evaluate(`new Promise(resolve => {
      addEventListener('message', resolve)
      const stranger = document.createElement('iframe')
      stranger.srcdoc = "<script>parent.postMessage({ type: 'booking-height', height: 9999 }, '*')<" + "/script>"
      document.body.append(stranger)
    }).then(() => null)`)
    expect(await tab.evaluate(frameHeight)).toBe(height)
    await tab.close()
  })

  test.each([
    ['a site that is not allowed', () => open(other, '&embed=1')],
    ['an allowed site without `embed`', () => open(allowed, '')],
  ])(
    '%s does not show it',
    async (_name, openIt) => {
      const tab = await openIt()
      await expect.poll(() => tab.logged.join('\n')).toContain('frame-ancestors')
      expect(await tab.evaluateInFrame(hasMain)).toBe(false)
      expect(await tab.evaluate(frameHeight)).toBe(700)
      await tab.close()
    },
    60_000,
  )
})
