/** Renders the messages of a phone: the items of a list, which the page's script exchanges one by one. */
import { createHash } from 'node:crypto'
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Message, Thread } from '../../messaging/service.ts'
import { renderMedia } from './media.ts'
import type { PhoneWords } from './words.ts'

export interface ThreadItem {
  /** The id of the element. */
  id: string
  /** Changes with the HTML. */
  version: string
  html: string
}

interface View {
  words: PhoneWords
  /** The zone of days and times: an IANA name. */
  timezone: string
  now: Temporal.Instant
  /** The path below which files are: the token. */
  base: string
}

/** The messages with a heading before each day. */
export function toThreadItems({ messages, unreadCount }: Thread, view: View): ThreadItem[] {
  const inbound = messages.filter(({ direction }) => direction === 'in')
  const unread = new Set(inbound.slice(inbound.length - unreadCount))
  let day: Temporal.PlainDate | null = null
  return messages.flatMap(message => {
    // It is shown on its message.
    if (message.kind === 'reaction' && message.direction === 'out') return []
    const at = Temporal.Instant.from(message.createdAt).toZonedDateTimeISO(view.timezone)
    const item = toItem(
      `m-${message.id}`,
      renderMessage(message, { ...view, at, isRead: !unread.has(message) }),
    )
    if (day?.equals(at.toPlainDate())) return [item]
    day = at.toPlainDate()
    const heading = `<span>${escapeMarkup(formatDay(day, view))}</span>`
    return [toItem(`d-${day}`, { classes: 'day', inner: heading }), item]
  })
}

function toItem(id: string, { classes, inner }: { classes: string; inner: string }): ThreadItem {
  const version = createHash('sha256').update(`${classes} ${inner}`).digest('base64url').slice(0, 12)
  return { id, version, html: `<li id="${id}" class="${classes}" data-version="${version}">${inner}</li>` }
}

function formatDay(day: Temporal.PlainDate, { words, timezone, now }: View): string {
  const days = day.until(now.toZonedDateTimeISO(timezone).toPlainDate()).days
  if (days === 0) return words.today
  if (days === 1) return words.yesterday
  return day.toLocaleString(words.locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

function renderMessage(
  message: Message,
  { words, base, at, isRead }: View & { at: Temporal.ZonedDateTime; isRead: boolean },
): { classes: string; inner: string } {
  const isOwn = message.direction === 'in'
  const time = at.toLocaleString(words.locale, { hour: '2-digit', minute: '2-digit', hour12: false })
  const ticks = isOwn ? renderTicks(isRead, words) : ''
  const edited = message.editedAt && !message.deletedAt ? `${words.edited} ` : ''
  const foot = `<footer>${edited}<time datetime="${message.createdAt}">${time}</time>${ticks}</footer>`
  const author = isOwn ? `<b class="hidden">${words.you}: </b>` : ''
  const body = message.deletedAt
    ? `<p class="soft">${words.deleted}</p>`
    : `${renderBody(message, { words, base })}${renderReactions(message.content)}`
  const choices = isOwn || message.deletedAt ? '' : renderChoices(message)
  return {
    classes: isOwn ? 'own' : 'other',
    inner: `<article>${author}${body}${foot}</article>${choices}`,
  }
}

function renderTicks(isRead: boolean, { read, delivered }: PhoneWords): string {
  const label = isRead ? read : delivered
  return `<svg class="ticks${isRead ? ' read' : ''}" viewBox="0 0 18 11" role="img" aria-label="${label}"><title>${label}</title><path d="M1 6l3.5 3.5L11 2M7.5 9.3l.4.4L16.5 2"/></svg>`
}

const paragraph = (text: string | null) => (text ? `<p dir="auto">${linkify(text)}</p>` : '')

/** Links open in a new tab, which does not learn the address of this page. */
function linkify(text: string): string {
  return escapeMarkup(text.toWellFormed()).replace(
    /https?:\/\/[^\s<>&"']+(?:&amp;[^\s<>&"']+)*/g,
    url => `<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${url}</a>`,
  )
}

function renderBody(message: Message, { words, base }: Pick<View, 'words' | 'base'>): string {
  const { text, media } = message
  switch (message.kind) {
    case 'media':
      return `${media.map(file => renderMedia(file, { words, base })).join('')}${paragraph(text)}`
    case 'location': {
      const { latitude, longitude, name, address } = message.content
      const lines = [name, address, `${latitude}, ${longitude}`].flatMap(line => line || [])
      return `<p class="card"><b>📍 ${words.location}</b>${lines.map(line => `<span>${escapeMarkup(line)}</span>`).join('')}</p>`
    }
    case 'contacts':
      return message.content.contacts
        .map(({ name, phones, emails }) => {
          const lines = [name, ...phones, ...emails].map(line => `<span>${escapeMarkup(line)}</span>`)
          return `<p class="card"><b>👤 ${words.contact}</b>${lines.join('')}</p>`
        })
        .join('')
    case 'reaction':
      return `<p><span class="soft">${words.reaction}</span> ${escapeMarkup(message.content.emoji ?? '–')}</p>`
    case 'unsupported':
      return `<p class="soft">${words.unsupported}</p>`
    default:
      return paragraph(text)
  }
}

function renderReactions({ reactions }: Message['content']): string {
  const emoji = reactions.map(reaction => escapeMarkup(reaction.emoji))
  return emoji.length === 0 ? '' : `<p class="reactions">${emoji.join(' ')}</p>`
}

interface Choice {
  id: string
  title: string
  description?: string | null
}

/** What the person can press: each choice is a form, so that it works without a script. */
function renderChoices(message: Message): string {
  const button = (choice: Choice) => {
    const more = choice.description ? `<small>${escapeMarkup(choice.description)}</small>` : ''
    return `<form method="post" enctype="multipart/form-data"><input type="hidden" name="messageId" value="${message.id}"><input type="hidden" name="choice" value="${escapeMarkup(choice.id)}"><button>${escapeMarkup(choice.title)}${more}</button></form>`
  }
  if (message.kind === 'buttons')
    return `<div class="choices">${message.content.buttons.map(button).join('')}</div>`
  if (message.kind !== 'list') return ''
  const parts = message.content.sections.map(
    ({ title, rows }) => `${title ? `<h3>${escapeMarkup(title)}</h3>` : ''}${rows.map(button).join('')}`,
  )
  return `<details class="choices"><summary>☰ ${escapeMarkup(message.content.button ?? '')}</summary>${parts.join('')}</details>`
}

/** The choice of a message with this id; undefined: it has none. */
export function findChoice(message: Message, id: string): Choice | undefined {
  const choices: Choice[] =
    message.kind === 'buttons'
      ? message.content.buttons
      : message.kind === 'list'
        ? message.content.sections.flatMap(({ rows }) => rows)
        : []
  return choices.find(choice => choice.id === id)
}
