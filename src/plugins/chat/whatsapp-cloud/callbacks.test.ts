/** Callbacks of the simulated WhatsApp over HTTP, as the provider reads them. */
import { describe, expect, test } from 'vitest'
import { prepareWhatsappProvider, text, toMessage, userId } from '../../../../test/whatsapp-provider.ts'
import { startWhatsapp } from '../../../simulator/whatsapp/index.ts'
import { whatsappCloud } from './index.ts'

const provider = prepareWhatsappProvider()

describe('callbacks', () => {
  test('report each status with our id', async () => {
    provider.addMarta()
    await provider.send(text())
    await provider.simulator.settle()
    expect(provider.events.map(event => event.type === 'status' && [event.status, event.messageId])).toEqual([
      ['sent', '019a0000-0000-7000-8000-000000000001'],
      ['delivered', '019a0000-0000-7000-8000-000000000001'],
      ['read', '019a0000-0000-7000-8000-000000000001'],
    ])
  })

  test('report a failure in our words', async () => {
    provider.addMarta({ isReachable: false })
    await provider.send(text())
    await provider.simulator.settle()
    expect(provider.events).toMatchObject([{ status: 'failed', failure: { code: 'RECIPIENT_UNREACHABLE' } }])
  })

  test('report a closed window, which a template and an answer open', async () => {
    const marta = provider.addMarta({ isWindowClosed: true })
    await provider.send(text())
    await provider.simulator.settle()
    expect(provider.events).toMatchObject([{ status: 'failed', failure: { code: 'WINDOW_CLOSED' } }])
    marta.write('Hola')
    await provider.send(text())
    expect(marta.received).toHaveLength(1)
  })

  test('bring what a person writes and answers', async () => {
    const marta = provider.addMarta({ phone: null, answer: () => 'Sí, el lunes' })
    const id = marta.write('¿Sigue en venta?')
    await provider.simulator.settle()
    expect(provider.events).toMatchObject([
      { type: 'message', providerMessageId: id, from: [userId], content: { text: '¿Sigue en venta?' } },
    ])
    await provider.send(text('Sí'), { to: [userId], replyTo: id })
    await provider.simulator.settle()
    expect(provider.events.filter(({ type }) => type === 'message')).toMatchObject([
      {},
      { content: { text: 'Sí, el lunes' } },
    ])
  })

  test('are late, repeated, reordered and lost, the same for a seed', async () => {
    const run = async () => {
      const own = await startWhatsapp({ seed: 3 })
      own.setWebhook(provider.webhookUrl)
      own.setCallbackFaults({ late: 0.2, repeated: 0.3, reordered: 0.3, lost: 0.2 })
      for (let index = 0; index < 10; index += 1)
        await whatsappCloud.send(
          provider.connect(),
          toMessage(text(), { id: `message-${index}` }),
          provider.createContext({ baseUrl: own.url }),
        )
      await own.settle()
      const seen = own.posted.map(({ body }) =>
        /"id":"(wamid[^"]+)".*"status":"(\w+)"/.exec(body)!.slice(1).join(' '),
      )
      await own.close()
      return seen.sort()
    }
    const seen = await run()
    expect(await run()).toEqual(seen)
    const once = new Set(seen)
    expect(once.size).toBeLessThan(30)
    expect(seen.length).toBeGreaterThan(once.size)
  })
})
