/** Writes the texts of notices. Pure. */
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { EventTypeConfig } from '../event-types/config-schemas.ts'
import { formatShortWhen, formatWhen } from './format-when.ts'
import { getNoticeWords } from './languages.ts'
import type { NoticeKind } from './plan-notices.ts'
import type { NoticeWords } from './words.ts'

/** What a notice says. */
export interface NoticeFacts {
  kind: NoticeKind
  language: MessageLanguage
  appointment: Pick<
    AppointmentRow,
    'status' | 'start' | 'end' | 'location' | 'visitor' | 'cancelledBy' | 'cancelReason' | 'answers' | 'notes'
  >
  questions: EventTypeConfig['questions']
  /** IANA: that of the reader. */
  timezone: string
  /** The name of the event type. */
  title: string
  /** Null: unknown. */
  agentName: string | null
  /** The name of the workspace; null: unknown. */
  agency: string | null
  whoCalls: 'agent' | 'visitor' | null
  /** Where the visitor sees, reschedules and cancels it; null: there is none. */
  link: string | null
  /** Where the visitor books another one after a cancellation; null: nowhere. */
  bookAgainUrl: string | null
}

export interface NoticeText {
  subject: string
  text: string
}

export function writeVisitorNotice(facts: NoticeFacts): NoticeText {
  const words = getNoticeWords(facts.language)
  const { kind, appointment, agentName, agency } = facts
  const { cancelledBy, cancelReason } = appointment
  const isCancelled = kind === 'cancelled'
  return {
    subject: toSubject(facts, words),
    text: joinParagraphs([
      words.greeting(toGreetedName(appointment.visitor.name)),
      isCancelled && cancelledBy === 'expiry' ? words.expired : toOpening(facts, words, 'toVisitor'),
      joinLines([...toDetails(facts, words), toLine(words.labels.agent, agentName)]),
      isCancelled ? null : appointment.location.instructions,
      // Anybody can book with the address of somebody else, who gets no text of theirs.
      isCancelled && cancelledBy !== 'visitor' ? toLine(words.labels.reason, cancelReason) : null,
      toAction(facts, words),
      agency,
    ]),
  }
}

/** The description of the event in the calendar of the visitor. */
export function writeEventText(facts: NoticeFacts): string {
  const { instructions, url } = facts.appointment.location
  return joinParagraphs([instructions, url, toAction(facts, getNoticeWords(facts.language))])
}

/** What the visitor can do, with the link to it. */
const toAction = ({ kind, link, bookAgainUrl }: NoticeFacts, words: NoticeWords) =>
  kind === 'cancelled' ? toLink(words.bookAgain, bookAgainUrl) : toLink(words.manage, link)

export function writeAgentNotice(facts: NoticeFacts): NoticeText {
  const words = getNoticeWords(facts.language)
  const { visitor, cancelReason, notes } = facts.appointment
  const { name, phone, email } = visitor
  return {
    subject: toSubject(facts, words),
    text: joinParagraphs([
      toOpening(facts, words, 'toAgent'),
      joinLines([
        ...toDetails(facts, words),
        toLine(words.labels.visitor, name ?? null),
        toLine(words.labels.phone, phone ?? null),
        toLine(words.labels.email, email ?? null),
        toLine(words.labels.reason, cancelReason),
      ]),
      joinLines(toAnswerLines(facts)),
      notes,
    ]),
  }
}

function toAnswerLines({ questions, appointment: { answers } }: NoticeFacts): string[] {
  return questions.flatMap(({ id, label }) => {
    const answer = answers[id]
    if (answer === undefined) return []
    return [`${label}: ${typeof answer === 'string' ? answer : answer ? '✓' : '✗'}`]
  })
}

function toOpening(
  { kind, appointment }: NoticeFacts,
  words: NoticeWords,
  reader: 'toVisitor' | 'toAgent',
): string {
  const isUnconfirmed = kind === 'rescheduled' && appointment.status === 'pending'
  return isUnconfirmed ? `${words[reader][kind]} ${words.unconfirmed[reader]}` : words[reader][kind]
}

/** Where it takes place, in one line; null: not known yet. */
export function formatPlace({
  appointment: { location },
  language,
  whoCalls,
}: Pick<NoticeFacts, 'appointment' | 'language' | 'whoCalls'>): string | null {
  const words = getNoticeWords(language)
  if (location.mode === 'onsite') return location.address
  if (location.mode === 'video') return location.url
  if (location.phone === null) return null
  return whoCalls === 'visitor' ? words.visitorCalls(location.phone) : words.agentCalls(location.phone)
}

const subjectMax = 200

const toSubject = ({ kind, title, appointment, timezone }: NoticeFacts, words: NoticeWords) =>
  `${words.subject[kind]}: ${title}, ${formatShortWhen({ ...appointment, timezone }, words.locale)}`.slice(
    0,
    subjectMax,
  )

function toDetails(facts: NoticeFacts, { locale, labels }: NoticeWords): (string | null)[] {
  const { appointment, timezone, title } = facts
  const { mode } = appointment.location
  const place = formatPlace(facts)
  return [
    title,
    toLine(labels.when, formatWhen({ ...appointment, timezone }, locale)),
    mode === 'call' ? place : toLine(mode === 'video' ? labels.video : labels.place, place),
  ]
}

const toLine = (label: string, value: string | null) => (value === null ? null : `${label}: ${value}`)
const toLink = (label: string, url: string | null) => (url === null ? null : `${label}\n${url}`)
const joinLines = (lines: (string | null)[]) => lines.filter(line => line !== null).join('\n')
const joinParagraphs = (paragraphs: (string | null)[]) =>
  paragraphs.filter(paragraph => paragraph !== null && paragraph !== '').join('\n\n')

const greetedMax = 60

/**
 * Anybody can book with the address of somebody else: what looks like a link or a message is no name, so that a notice can't be
 * used to send advertising.
 */
export function toGreetedName(name: string | null | undefined): string | null {
  const plain = name?.replaceAll(/\s+/g, ' ').trim() ?? ''
  return plain.length <= greetedMax && /^[\p{L}\p{M}' ’·-]+$/u.test(plain) ? plain : null
}
