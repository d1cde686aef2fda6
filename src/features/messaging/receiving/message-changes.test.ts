/** Edits, deletions and reactions, in whatever order they and their message arrive. */
import { describe, expect, test } from 'vitest'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'

describe('changes of messages', () => {
  const id = { externalId: null, from: [{ kind: 'phone', value: phone }], providerMessageId: 'm1' } as const
  const timeAt = (seconds: number) => Temporal.Now.instant().subtract({ seconds: 100 - seconds })
  const message = () => makeMessage(phone, 'first', { providerMessageId: 'm1', at: timeAt(0) })
  const edited = (text: string, seconds: number): InboundEvent => ({
    ...id,
    from: [...id.from],
    type: 'edited',
    at: timeAt(seconds),
    content: { kind: 'text', text },
  })
  const deleted = (): InboundEvent => ({ ...id, from: [...id.from], type: 'deleted', at: timeAt(50) })
  const reaction = (emoji: string | null, seconds: number): InboundEvent => ({
    ...id,
    from: [...id.from],
    type: 'reaction',
    at: timeAt(seconds),
    emoji,
  })

  test('edits replace the text and keep the earlier ones, in whatever order they arrive', async () => {
    const events = () => [message(), edited('second', 10), edited('third', 20)]
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      await inbox.restart()
      const all = events()
      for (const index of order) await inbox.receive([all[index]!])
      await inbox.receive(all)
      const [stored, ...others] = await inbox.listMessages()
      expect(others).toEqual([])
      expect(stored).toMatchObject({ text: 'third', direction: 'in' })
      const earlier = (stored!.content.earlierTexts as { text: string }[]).map(({ text }) => text)
      expect(earlier.toSorted()).toEqual(['first', 'second'])
    }
  })

  test('a deleted message is gone, whatever arrives later', async () => {
    for (const order of [
      [0, 1, 2, 3],
      [1, 0, 2, 3],
      [2, 1, 0, 3],
      [3, 0, 2, 1],
    ]) {
      await inbox.restart()
      const all = [message(), deleted(), edited('second', 10), reaction('👍', 20)]
      for (const index of order) await inbox.receive([all[index]!])
      const stored = (await inbox.listMessages()).filter(({ kind }) => kind !== 'reaction')
      expect(stored).toHaveLength(1)
      expect(stored[0]).toMatchObject({ text: null, content: {}, deleted_at: expect.any(Date) })
    }
  })

  test('a reaction is shown at its message, changed and removed', async () => {
    await inbox.receive([message(), reaction('👍', 10)])
    const readReactions = async () => (await inbox.listMessages())[0]!.content.reactions
    expect(await readReactions()).toMatchObject([{ from: 'person', emoji: '👍' }])
    await inbox.receive([reaction('❤️', 30)])
    await inbox.receive([reaction('😀', 20)])
    expect(await readReactions()).toMatchObject([{ emoji: '❤️' }])
    await inbox.receive([reaction(null, 40)])
    expect(await readReactions()).toEqual([])
  })

  describe('a reaction that arrives before its message', () => {
    const readStored = async () =>
      (await inbox.listMessages()).map(({ kind, content }) => [kind, content.reactions])

    test('is shown at it when it arrives, and the message is a reply', async () => {
      await inbox.receive([reaction('👍', 10)])
      expect(await readStored()).toEqual([['reaction', undefined]])
      await inbox.receive([reaction('❤️', 30), reaction('😀', 20)])
      await inbox.receive([message()])
      expect(await readStored()).toMatchObject([['text', [{ from: 'person', emoji: '❤️' }]]])
      expect(await inbox.listConversations()).toMatchObject([{ unread_count: 1 }])
      expect(await inbox.listEvents('lead.replied')).toHaveLength(1)
      await inbox.receive([reaction(null, 40)])
      expect(await readStored()).toEqual([['text', []]])
    })

    test('and was removed leaves nothing', async () => {
      await inbox.receive([reaction('👍', 10), reaction(null, 20)])
      await inbox.receive([message()])
      expect(await readStored()).toEqual([['text', []]])
    })
  })
})
