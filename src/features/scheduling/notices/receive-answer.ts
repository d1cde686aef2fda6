/** Handles `emailAnswered`: answers of visitors to invitations, and of agents to notices. */
import type { Tx } from '../../../kit/db/index.ts'
import type { EmailAnswer } from '../../messaging/service.ts'
import { changeAppointment } from '../appointments/change.ts'
import { findAppointments, lockAppointment } from '../appointments/queries.ts'
import { findAgent, findInvitedSequence, findNotice } from './queries.ts'

export async function receiveAnswer(tx: Tx, answer: EmailAnswer): Promise<boolean> {
  return (await isVisitorAnswer(tx, answer)) || (await isAgentAnswer(tx, answer))
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Records what the visitor answers. Whoever else answers, such as somebody to whom it was forwarded, writes a message; so does a
 * visitor who comments the answer.
 */
async function isVisitorAnswer(tx: Tx, { reply, email, at }: EmailAnswer): Promise<boolean> {
  const id = reply?.uid.split('@')[0] ?? ''
  if (!reply || !uuid.test(id)) return false
  const [found] = await findAppointments(tx, [id])
  if (found?.icalUid !== reply.uid || found.visitor.email !== email) return false
  const before = await lockAppointment(tx, id)
  const isOpen = before.status === 'pending' || before.status === 'confirmed'
  const isOther = before.visitorAnswer?.answer !== reply.answer
  // Mail servers date arrivals by the second.
  const isLater = before.visitorAnswer === null || Date.parse(before.visitorAnswer.answeredAt) <= at.getTime()
  // It may be about the time before a move.
  if (isOpen && isOther && isLater && reply.sequence >= (await findInvitedSequence(tx, id)))
    await changeAppointment(tx, before, {
      kind: 'answered',
      update: { visitorAnswer: { answer: reply.answer, answeredAt: at.toISOString() } },
    })
  return !reply.hasComment
}

/** Agents read their mail themselves: what they answer to a notice is no message of a person. */
async function isAgentAnswer(tx: Tx, { email, answeredIds }: EmailAnswer): Promise<boolean> {
  for (const id of answeredIds) {
    const notice = await findNotice(tx, id)
    const agent = notice?.agentUserId ? await findAgent(tx, notice.agentUserId) : undefined
    if (agent?.email.toLowerCase() === email) return true
  }
  return false
}
