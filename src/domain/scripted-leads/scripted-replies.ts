/**
 * Leads of the test environment that answer by a script. The same script, conversation and seed give the same replies,
 * so that a test of a campaign can be repeated.
 */
import { createRandom, pickRandom, randomInteger } from '../random.ts'
import { type LeadScript, scripts } from './scripts.ts'

export interface ScriptedReply {
  /** After the message that it answers. */
  delayMs: number
  /** Null: a voice note. */
  text: string | null
  /** `auto_reply`: a machine answers. */
  nature: 'person' | 'auto_reply'
}

/** `in`: the lead wrote it; `out`: we did. */
export type ConversationTurn = 'in' | 'out'

/**
 * The replies to the last message of a conversation, the first one first. `conversation`: all its messages, the oldest
 * first. Empty: the lead does not answer, or still has an earlier message to answer, or the script is at its end.
 */
export function toScriptedReplies(
  script: LeadScript,
  conversation: readonly ConversationTurn[],
  seed: number,
): ScriptedReply[] {
  const isFirstOfTurn = (turn: ConversationTurn, index: number) =>
    turn === 'out' && conversation[index - 1] !== 'out'
  const lastIndex = conversation.length - 1
  if (lastIndex < 0 || !isFirstOfTurn(conversation[lastIndex]!, lastIndex)) return []
  const step = conversation.filter(isFirstOfTurn).length - 1
  const random = createRandom(seed, step)
  let delayMs = 0
  return (scripts[script][step] ?? []).map(({ delayS: [low, high], texts, nature = 'person' as const }) => {
    delayMs += randomInteger(random, low, high) * 1000
    return { delayMs, text: texts && pickRandom(random, texts), nature }
  })
}
