/** Scripted leads: who answers what, and when. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConversationTurn, toScriptedReplies } from './scripted-replies.ts'
import { leadScripts } from './scripts.ts'

const hourMs = 3_600_000

describe('a scripted lead', () => {
  test('asks for a viewing, fixes a day, confirms, and then says no more', () => {
    const texts: (string | null)[] = []
    const conversation: ConversationTurn[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      conversation.push('out')
      for (const { text } of toScriptedReplies('viewing', conversation, 1)) {
        texts.push(text)
        conversation.push('in')
      }
    }
    expect(texts).toEqual([
      expect.stringMatching(/ver/),
      expect.stringMatching(/jueves|viernes/),
      expect.any(String),
    ])
  })

  test('answers late, or never, or stops us', () => {
    const [late] = toScriptedReplies('late', ['out'], 1)
    expect(late!.delayMs).toBeGreaterThanOrEqual(6 * hourMs)
    expect(toScriptedReplies('silent', ['out'], 1)).toEqual([])
    expect(toScriptedReplies('stop', ['out'], 1)[0]!.text).toMatch(/^(STOP|Baja|No más)$/)
    expect(toScriptedReplies('stop', ['out', 'in', 'out'], 1)).toEqual([])
  })

  test('has a machine that answers at once, and answers later', () => {
    const [machine, person] = toScriptedReplies('auto_reply', ['out'], 1)
    expect(machine).toMatchObject({ nature: 'auto_reply' })
    expect(machine!.delayMs).toBeLessThanOrEqual(5000)
    expect(person).toMatchObject({ nature: 'person' })
    expect(person!.delayMs).toBeGreaterThan(machine!.delayMs)
  })

  test('sends a voice note', () => {
    expect(toScriptedReplies('voice_note', ['out'], 1)).toMatchObject([{ text: null }])
  })

  test('answers several messages in a row once, and does not begin', () => {
    expect(toScriptedReplies('viewing', ['out', 'out'], 1)).toEqual([])
    expect(toScriptedReplies('viewing', [], 1)).toEqual([])
    expect(toScriptedReplies('viewing', ['in'], 1)).toEqual([])
    expect(toScriptedReplies('viewing', ['in', 'out'], 1)).toHaveLength(1)
  })
})

test('the same conversation has the same replies, in order, and few of them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...leadScripts),
      fc.array(fc.constantFrom<ConversationTurn>('in', 'out'), { maxLength: 50 }),
      fc.integer(),
      (script, conversation, seed) => {
        const replies = toScriptedReplies(script, conversation, seed)
        expect(toScriptedReplies(script, conversation, seed)).toEqual(replies)
        expect(replies.length).toBeLessThanOrEqual(2)
        const delays = replies.map(({ delayMs }) => delayMs)
        expect(delays).toEqual(delays.toSorted((one, other) => one - other))
        for (const delay of delays) expect(delay).toBeGreaterThan(0)
      },
    ),
  )
})
