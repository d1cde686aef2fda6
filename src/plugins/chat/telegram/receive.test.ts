/** What people send to a bot of Telegram, from the simulated Bot API. */
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { marta, startBot as start } from '../../../../test/telegram.ts'
import { telegram } from './index.ts'

describe('receiving', () => {
  test('only the account’s own secret is accepted', async () => {
    const { bodies, hello, simulator } = await start()
    await hello()
    expect(bodies).toHaveLength(1)
    expect(simulator.received).toEqual([])
  })

  test('a button that was pressed is a choice, at the time of the receipt', async () => {
    const { send, simulator, hello, readEvents, receivedAt } = await start()
    await hello()
    await send({ kind: 'buttons', text: '¿Le interesa?', buttons: [{ id: 'yes', title: 'Sí' }] })
    await simulator.press(marta, simulator.received[0]!, 'yes')
    expect(readEvents().at(-1)).toMatchObject({
      type: 'message',
      content: { kind: 'choice', id: 'yes', title: 'Sí' },
      replyTo: `${marta}:${simulator.received[0]!.messageId}`,
      at: receivedAt,
    })
  })

  test('a file is opened with its id', async () => {
    const { simulator, hello, context, connection, readEvents } = await start()
    await hello()
    const id = simulator.addFile(Buffer.from('OggS'))
    await simulator.say(marta, { voice: { file_id: id, duration: 1, mime_type: 'audio/ogg', file_size: 4 } })
    const event = readEvents().at(-1)!
    if (event.type !== 'message' || event.content.kind !== 'media') throw new Error('no media')
    const [voice] = event.content.media
    expect(voice).toMatchObject({ kind: 'voice', mediaType: 'audio/ogg', bytes: 4 })
    expect((await buffer(await telegram.openMedia!(connection, voice!, context))).toString()).toBe('OggS')
    for (const wrong of [
      { ...voice!, providerMediaId: 'gone' },
      { ...voice!, bytes: 30_000_000 },
    ])
      await expect(telegram.openMedia!(connection, wrong, context)).rejects.toMatchObject({
        failure: { code: 'MEDIA_REJECTED', retryable: false },
      })
  })

  test('repeated and reordered updates keep their ids, and lost ones are only lost', async () => {
    const { simulator, readEvents, credentials, context } = await start({
      faults: { repeated: 0.3, late: 0.3, lost: 0.1 },
      seed: 3,
    })
    await telegram.connect(credentials, context)
    const said = await Promise.all(
      Array.from({ length: 50 }, (_, index) => simulator.say(marta, { text: String(index) })),
    )
    const ids = readEvents().map(event => (event.type === 'message' ? event.providerMessageId : ''))
    expect(ids.length).toBeGreaterThan(said.length * 0.9)
    const expected = new Set(said.map(id => `${marta}:${id}`))
    expect([...new Set(ids)].filter(id => !expected.has(id))).toEqual([])
    expect(new Set(ids).size).toBeGreaterThan(35)
    expect(new Set(ids).size).toBeLessThan(50)
  })
})
