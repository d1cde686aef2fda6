/** Reads the answer of an attendee to an invitation (iTIP, RFC 5546, 3.2.3). Pure; the text is a stranger's. */
import ICAL from 'ical.js'

export const invitationAnswers = ['accepted', 'declined', 'tentative'] as const
export type InvitationAnswer = (typeof invitationAnswers)[number]

export interface InvitationReply {
  uid: string
  /** The SEQUENCE of the invitation that is answered. */
  sequence: number
  answer: InvitationAnswer
  /** The attendee wrote something with it, which a person should read. */
  hasComment: boolean
}

export const replyMaxLength = 64 * 1024
const uidMaxLength = 300

/** Null: it is no answer, or can't be read. */
export function readInvitationReply(text: string): InvitationReply | null {
  if (text.length > replyMaxLength || !/^METHOD:REPLY\s*$/im.test(text)) return null
  try {
    return toReply(new ICAL.Component(ICAL.parse(text.trim())))
  } catch {
    return null
  }
}

function toReply(calendar: ICAL.Component): InvitationReply | null {
  const event = calendar.getFirstSubcomponent('vevent')
  if (!event || String(calendar.getFirstPropertyValue('method')).toUpperCase() !== 'REPLY') return null
  // An answer to one occurrence; ours have none.
  if (event.hasProperty('recurrence-id')) return null
  const uid = event.getFirstPropertyValue('uid')
  const sequence = Number(event.getFirstPropertyValue('sequence') ?? 0)
  const [attendee, ...others] = event.getAllProperties('attendee')
  const answer = toAnswer(attendee?.getFirstParameter('partstat'))
  if (typeof uid !== 'string' || uid === '' || uid.length > uidMaxLength) return null
  if (!Number.isSafeInteger(sequence) || sequence < 0 || !answer || others.length > 0) return null
  const comments = event.getAllProperties('comment').map(comment => String(comment.getFirstValue()))
  return { uid, sequence, answer, hasComment: comments.some(comment => comment.trim() !== '') }
}

const toAnswer = (status: string | undefined): InvitationAnswer | undefined =>
  invitationAnswers.find(answer => answer === status?.toLowerCase())
