/** The phone in a real browser, as wide as a phone. Needs Chromium, at `CHROMIUM` or /usr/bin. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInChromium } from '../../../../test/browser.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  send,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import type { Message } from '../../messaging/message-schemas.ts'

/** Resolves in the page as soon as a message has the text. `own`: the person wrote it. */
const waitForText = (kind: 'own' | 'other', text: string) => `new Promise(resolve => {
  const list = document.querySelector('ol')
  const isShown = () => [...list.querySelectorAll('.${kind} p')].some(p => p.textContent === ${JSON.stringify(text)})
  const look = () => isShown() && resolve(true)
  new MutationObserver(look).observe(list, { childList: true, subtree: true })
  look()
})`

describeInChromium(chromium => {
  let app: TestApp
  beforeAll(async () => {
    app = await shareTestApp()
  })
  afterAll(async () => {
    await app.stop()
  })

  test('a person types, the message arrives, and the answer appears', async () => {
    const tenant = await makeTenant(app)
    const accountId = await connectAccount(tenant, 'sandbox')
    const { id } = await openConversation(tenant, accountId, await makeContact(tenant, '+34612345678'))
    const reply = await tenant.call<{ url: string }>('POST', '/sandbox/phones', {
      body: { accountId, from: '+34612345678', name: 'Marta Ruiz' },
    })
    const url = `${app.url}/phone/${reply.body.url.split('/').at(-1)}`
    const tab = await chromium.open(url, { width: 390, height: 844 })

    await tab.evaluate(`document.querySelector('textarea').focus()`)
    await tab.type('¿Sigue libre?\n')
    expect(await tab.evaluate(waitForText('own', '¿Sigue libre?'))).toBe(true)
    expect(await tab.evaluate(`document.querySelector('textarea').value`)).toBe('')
    const { body } = await tenant.call<{ data: Message[] }>('GET', `/conversations/${id}/messages`)
    expect(body.data).toMatchObject([{ direction: 'in', text: '¿Sigue libre?' }])

    const answer = await send(tenant, id, {
      text: 'Sí, ¿cuándo quiere verlo?',
      buttons: [{ title: 'El jueves' }],
    })
    expect(await tab.evaluate(waitForText('other', 'Sí, ¿cuándo quiere verlo?'))).toBe(true)
    expect((await waitForStatus(tenant, answer.id, 'read')).readAt).not.toBeNull()
    await tab.evaluate(`document.querySelector('.choices button').click()`)
    expect(await tab.evaluate(waitForText('own', 'El jueves'))).toBe(true)
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(tab.logged.filter(line => !line.includes('/favicon.ico'))).toEqual([])
    await tab.close()
  })
})
