/** The pages of a booking as axe judges them, in each language. Needs Chromium in `CHROMIUM` or /usr/bin. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  makeEmailAccount,
  makeTicket,
  type Published,
  publishPage,
  toQueryStart,
} from '../../../../test/booking-page.ts'
import { describeInChromium, findAxeViolations } from '../../../../test/browser.ts'
import type { Tab } from '../../../../test/chromium.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { advanceTo, book, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'

const questions = [
  { id: 'terms', label: 'Acepto', type: 'checkbox', required: true },
  { id: 'budget', label: 'Presupuesto', type: 'select', required: true, options: ['Alto', 'Bajo'] },
]

describeInChromium(chromium => {
  let app: TestApp
  let tenant: TestTenant
  beforeAll(async () => {
    app = await shareTestApp()
  })
  afterAll(async () => {
    await app.stop()
  })
  beforeEach(async () => {
    tenant = await makeTenant(app)
    await makeEmailAccount(tenant)
  })

  /** Fills in the form, and sends it: it asks for the code. */
  const send = (tab: Tab, { id }: Published, values: Record<string, string>) =>
    tab.follow(() =>
      tab.evaluate(`{
        const values = ${JSON.stringify({ ...values, ticket: makeTicket(app, id) })}
        for (const [name, value] of Object.entries(values)) document.querySelector('[name="' + name + '"]').value = value
        const terms = document.querySelector('[type=checkbox]')
        if (terms) terms.checked = values.name !== ''
        document.querySelector('.main').click()
      }`),
    )
  const click = (tab: Tab, selector: string) =>
    tab.follow(() => tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`))

  test.each(messageLanguages.map((language, at) => [language, at % 2 ? 'dark' : 'light'] as const))(
    'axe finds nothing serious in %s, in %s',
    async (language, colorScheme) => {
      const page = await publishPage(app, tenant, {
        locationMode: 'onsite',
        locationDetails: { address: 'Carrer de Mallorca, 214', instructions: 'Llame al 3.º' },
        description: '& '.repeat(2500),
        availability: { slotIntervalMin: 5 },
        config: { questions, bookingPage: { requireCode: true } },
      })
      const query = `?lang=${language}&tz=UTC`
      const found: Record<string, string[]> = {}
      const tab = await chromium.open(`${page.url}${query}&day=${toTime(2).slice(0, 10)}`, {
        width: 390,
        height: 844,
        colorScheme,
      })
      const look = async (state: string, mark: string) => {
        expect(await tab.evaluate(`document.querySelector(${JSON.stringify(mark)}) !== null`), state).toBe(
          true,
        )
        found[state] = await findAxeViolations(tab)
      }
      const show = (url: string) => tab.follow(() => tab.evaluate(`location = ${JSON.stringify(url)}`))
      await look('calendar of a long day', '.parts')
      await show(`${page.url}${query}&view=about`)
      await look('whole description', '.about .text')
      await show(`${page.url}${query}&start=${toQueryStart(toTime(2))}`)
      await look('form', '[name=email]')
      await send(tab, page, { name: '', email: 'marta@' })
      await look('refused form', '.error')
      await send(tab, page, { name: 'Marta', email: 'marta@example.com', 'answer-budget': 'Alto' })
      await look('code', '[name=code]')
      await tab.evaluate(
        `document.querySelector('[name=code]').value = document.querySelector('.note strong').textContent; null`,
      )
      await click(tab, '.main')
      await look('appointment', '.acts a[href*=cancel]')
      const appointment = await tab.evaluate<string>('location.pathname')
      await show(`${appointment}/reschedule${query}`)
      await look('calendar of a reschedule', '.slots button')
      await click(tab, '.slots button')
      await look('reschedule', 'form[method=post]')
      await show(`${page.url}${query}&start=${toQueryStart(toTime(2))}`)
      await look('taken time', '[type=radio]')
      await show(`${appointment}/cancel${query}`)
      await look('cancel', '[name=reason]')
      await click(tab, '.main')
      await look('cancelled appointment', '.acts')
      await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, {
        body: { config: { bookingPage: { isPublished: false } } },
      })
      await show(`${page.url}${query}`)
      await look('closed page', '[role=status]')
      const visited = await publishPage(app, tenant)
      const { links } = await book(tenant, visited, toTime(3))
      const past = `${app.url}/appointment/${links!.page.split('/').at(-1)}`
      await advanceTo(tenant, toTime(3, 12))
      await show(`${past}${query}`)
      await look('past appointment', 'a[href*=feedback]')
      await show(`${past}/feedback${query}`)
      await look('feedback', '[name=result]')
      await tab.follow(() => tab.evaluate(`document.querySelector('form.details').submit()`))
      await look('refused feedback', '[role=alert]')
      await tab.follow(() =>
        tab.evaluate(
          `document.querySelector('[name=result]').checked = true; document.querySelector('.main').click()`,
        ),
      )
      await look('given feedback', '[role=status], .note')
      expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([])
      expect(await tab.evaluate('document.documentElement.lang')).toBe(language)
      await tab.close()
    },
    120_000,
  )
})
