/** The booking page in a browser: without scripts, and with the keyboard alone. Needs Chromium in `CHROMIUM` or /usr/bin. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeTicket, type Published, publishPage } from '../../../../test/booking-page.ts'
import { describeInChromium } from '../../../../test/browser.ts'
import type { Tab } from '../../../../test/chromium.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from '../appointments/schemas.ts'

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 900 }

/** Activates a link or a button, as somebody who presses Enter does. */
async function click(tab: Tab, selector: string): Promise<void> {
  const isThere = await tab.evaluate(
    `document.querySelector(${JSON.stringify(selector)})?.focus() ?? document.activeElement.matches(${JSON.stringify(selector)})`,
  )
  if (!isThere) throw new Error(`There is no ${selector}.`)
  await tab.follow(() => tab.press('Enter'))
}
const fill = (tab: Tab, values: Record<string, string>) =>
  tab.evaluate(
    `for (const [name, value] of Object.entries(${JSON.stringify(values)})) document.querySelector('[name="' + name + '"]').value = value`,
  )
const readText = (tab: Tab, selector: string) =>
  tab.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).textContent`)

describeInChromium(chromium => {
  let app: TestApp
  let tenant: TestTenant
  let page: Published
  beforeAll(async () => {
    app = await shareTestApp('api')
  })
  afterAll(async () => {
    await app.stop()
  })
  beforeEach(async () => {
    tenant = await makeTenant(app)
    page = await publishPage(app, tenant, {
      locationMode: 'onsite',
      locationDetails: { address: 'Carrer de Mallorca, 214' },
      description: 'Enseñamos el piso.',
      config: { questions: [{ id: 'terms', label: 'Acepto', type: 'checkbox', required: true }] },
    })
  })

  const readBooked = async () =>
    (await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments')).body.data[0]!

  test('without scripts a visitor books, reschedules and cancels', async () => {
    const tab = await chromium.open(`${page.url}?lang=es&tz=Europe/Madrid`, { ...phone, runsScripts: false })
    await click(tab, '.slots button')
    await fill(tab, { name: 'Marta Ruiz', email: 'marta@', ticket: makeTicket(app, page.id) })
    await click(tab, '.main')
    expect(await readText(tab, '[role=alert]')).toContain('Acepto: Marque esta casilla.')
    expect(await tab.evaluate('document.activeElement.className')).toBe('alert')
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
    await fill(tab, { email: 'marta@example.com' })
    await tab.evaluate(`document.querySelector('[name=answer-terms]').checked = true`)
    await click(tab, '.main')
    expect(await readText(tab, 'h1')).toBe('Su cita está confirmada')
    const booked = await readBooked()

    await click(tab, '.acts a[href*=reschedule]')
    await click(tab, '.month nav a:last-child')
    await click(tab, '.slots button')
    await click(tab, '.main')
    expect(await readText(tab, '.note')).toContain('Hemos cambiado su cita.')
    const moved = await readBooked()
    expect([moved.id, moved.sequence]).toEqual([booked.id, 1])
    expect(moved.start).not.toBe(booked.start)

    await click(tab, '.acts a[href*=cancel]')
    await fill(tab, { reason: 'Ya no busco piso' })
    await click(tab, '.main')
    expect(await readText(tab, 'h1')).toBe('Esta cita está cancelada')
    expect(await readBooked()).toMatchObject({ status: 'cancelled', cancelledBy: 'visitor' })
    await tab.close()
  })

  test('with the keyboard alone a visitor books', async () => {
    const tab = await chromium.open(`${page.url}?lang=en&tz=UTC`, desk)
    const focusOn = async (selector: string) => {
      for (let steps = 0; steps < 80; steps++) {
        if (await tab.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
        await tab.press('Tab')
      }
      throw new Error(`The Tab key does not reach ${selector}.`)
    }
    await focusOn('.month nav a:last-child')
    await tab.follow(() => tab.press('Enter'))
    await focusOn('td a')
    await tab.follow(() => tab.press('Enter'))
    await focusOn('.slots button')
    await tab.follow(() => tab.press('Enter'))
    await fill(tab, { ticket: makeTicket(app, page.id) })
    await focusOn('[name=name]')
    await tab.type('Marta Ruiz')
    await tab.press('Tab')
    await tab.type('marta@example.com')
    await focusOn('[name=answer-terms]')
    await tab.press(' ')
    await focusOn('.main')
    await tab.follow(() => tab.press('Enter'))
    expect(await readText(tab, 'h1')).toBe('Your appointment is confirmed')
    expect(tab.logged).toEqual([])
    await tab.close()
  })

  test('shows the times of the device, and keeps a chosen time zone', async () => {
    const lisbon = await publishPage(app, tenant, { availability: { timezone: 'Australia/Lord_Howe' } })
    const tab = await chromium.open(`${lisbon.url}?lang=en`, desk)
    const own = await tab.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    await tab.evaluate(
      `new Promise(resolve => { const look = () => new URL(location).searchParams.get('tz') ? resolve() : setTimeout(look, 20); look() })`,
    )
    expect(await tab.evaluate(`new URL(location).searchParams.get('tz')`)).toBe(own)
    await tab.follow(() =>
      tab.evaluate(
        `document.querySelector('#tz').value = 'Europe/Lisbon'; document.querySelector('#tz').dispatchEvent(new Event('change'))`,
      ),
    )
    expect(await tab.evaluate(`document.querySelector('#tz').value`)).toBe('Europe/Lisbon')
    await tab.close()
  })
})
