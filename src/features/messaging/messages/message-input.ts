/** What callers send as a message, checked against what the provider can do. Pure. */
import { type InputError, Problem } from '../../../kit/problem.ts'
import type { CalendarPart, ChatProvider, Place } from '../../../plugins/chat.ts'
import type { AppointmentValues } from '../../templates/service.ts'
import { textTooLong, unsupportedMessage } from '../problems.ts'

export type MessageInput =
  /** `calendar`: an invitation, which only other features send. */
  | { kind: 'text'; text: string; calendar?: CalendarPart }
  | {
      kind: 'template'
      templateId: string
      /** Null: the default one of the template. */
      language: string | null
      variables: Record<string, string | number>
      header: TemplateHeaderInput | null
      /** The appointment that it is about: then another language than the requested one is better than no message. */
      appointment?: AppointmentValues
    }
  | { kind: 'media'; mediaId: string; caption: string | null }
  | { kind: 'buttons'; text: string; buttons: { id: string; title: string }[] }
  | { kind: 'list'; text: string; button: string; sections: ListSection[] }
  | ({ kind: 'location' } & Place)
  /** `emoji`: null removes the reaction. */
  | { kind: 'reaction'; messageId: string; emoji: string | null }

/** What the header of a template shows. */
export type TemplateHeaderInput = { mediaId: string } | { place: Place }

export interface ListSection {
  title: string | null
  rows: { id: string; title: string; description: string | null }[]
}

type ProviderFacts = Pick<ChatProvider, 'label' | 'capabilities'>

/** Throws 422 if the provider can't send this kind of message. Files are checked by `getSendableMedia`. */
export function assertSupported({ label, capabilities }: ProviderFacts, input: MessageInput): void {
  const refuse = (what: string) => {
    throw new Problem(unsupportedMessage, `${label} can’t send ${what}.`)
  }
  if (input.kind === 'location' && !capabilities.location) refuse('locations')
  if (input.kind === 'text' && input.calendar && !capabilities.invitations) refuse('invitations')
  if (input.kind === 'reaction' && !capabilities.reactions) refuse('reactions')
  if (input.kind === 'buttons' && input.buttons.length > capabilities.buttonsMax)
    refuse(capabilities.buttonsMax === 0 ? 'buttons' : `more than ${capabilities.buttonsMax} buttons`)
  const rows = input.kind === 'list' ? input.sections.flatMap(section => section.rows).length : 0
  if (rows > capabilities.listRowsMax)
    refuse(capabilities.listRowsMax === 0 ? 'lists' : `lists of more than ${capabilities.listRowsMax} rows`)
}

/** Throws 422 if the text is longer than the provider accepts. */
export function assertTextFits(
  { label, capabilities }: ProviderFacts,
  text: string,
  { isCaption }: { isCaption: boolean },
): void {
  const { captionCharactersMax = capabilities.text.charactersMax } = capabilities.text
  const charactersMax = isCaption ? captionCharactersMax : capabilities.text.charactersMax
  if (text.length > charactersMax)
    throw new Problem(
      textTooLong,
      `The ${isCaption ? 'caption' : 'text'} has ${format(text.length)} characters; ${label} accepts ${format(charactersMax)}. Shorten it, or send it in parts.`,
    )
}

const format = (count: number) => count.toLocaleString('en-GB')

/** The fields of a request body: exactly one of the main ones, with the fields that belong to it. */
export interface MessageBody {
  text?: string
  buttons?: { id?: string; title: string }[]
  list?: {
    button: string
    sections: { title?: string | null; rows: { id: string; title: string; description?: string | null }[] }[]
  }
  templateId?: string
  language?: string
  variables?: Record<string, string | number>
  header?: { mediaId?: string; location?: PlaceBody }
  mediaId?: string
  caption?: string | null
  location?: PlaceBody
  reaction?: { messageId: string; emoji: string | null }
  note?: string
  subject?: string
  replyToId?: string | null
  leadId?: string | null
}

interface PlaceBody {
  latitude: number
  longitude: number
  name?: string | null
  address?: string | null
}

/** Fields that need another one. */
const companions: [keyof MessageBody, keyof MessageBody][] = [
  ['buttons', 'text'],
  ['list', 'text'],
  ['language', 'templateId'],
  ['variables', 'templateId'],
  ['header', 'templateId'],
  ['caption', 'mediaId'],
]

/** Returns the errors of a body that its schema can't express. */
export function checkBody(body: MessageBody): InputError[] {
  const errors = companions.flatMap(([field, main]) =>
    body[field] !== undefined && body[main] === undefined
      ? [{ path: `/${field}`, code: 'NOT_ALLOWED', message: `is only allowed with ${main}` }]
      : [],
  )
  if (body.buttons && body.list)
    errors.push({ path: '/list', code: 'NOT_ALLOWED', message: 'is not allowed with buttons' })
  errors.push(...findRepeatedIds(body))
  for (const field of ['subject', 'replyToId', 'leadId'] as const)
    if (body.note !== undefined && body[field] != null)
      errors.push({ path: `/${field}`, code: 'NOT_ALLOWED', message: 'is not allowed with note' })
  if (body.subject !== undefined && body.replyToId != null)
    errors.push({
      path: '/subject',
      code: 'NOT_ALLOWED',
      message: 'is not allowed with replyToId: an answer continues the thread of the message',
    })
  return errors
}

/** The id says what the person has chosen. */
function findRepeatedIds({ buttons, list }: MessageBody): InputError[] {
  const choices = [
    ...(buttons ?? []).map((button, index) => ({
      id: toButtonId(button, index),
      path: `/buttons/${index}/id`,
      what: 'button',
    })),
    ...(list?.sections ?? []).flatMap(({ rows }, section) =>
      rows.map(({ id }, index) => ({
        id,
        path: `/list/sections/${section}/rows/${index}/id`,
        what: 'row',
      })),
    ),
  ]
  const known = new Set<string>()
  return choices.flatMap(({ id, path, what }) => {
    const isRepeated = known.has(id)
    known.add(id)
    return isRepeated ? [{ path, code: 'NOT_ALLOWED', message: `is the id of another ${what}` }] : []
  })
}

/** Without an id of its own, a button has its number. */
const toButtonId = ({ id }: { id?: string }, index: number): string => id ?? String(index + 1)

const toPlace = ({ name = null, address = null, ...point }: PlaceBody): Place => ({ ...point, name, address })

/** The schema requires one of both. */
const toHeaderInput = ({ mediaId, location }: NonNullable<MessageBody['header']>): TemplateHeaderInput =>
  location ? { place: toPlace(location) } : { mediaId: mediaId! }

/** Converts a checked body; null: it is a note. */
export function toMessageInput(body: MessageBody): MessageInput | null {
  const { text = '', templateId, mediaId, location, reaction } = body
  if (body.note !== undefined) return null
  if (templateId !== undefined)
    return {
      kind: 'template',
      templateId,
      language: body.language ?? null,
      variables: body.variables ?? {},
      header: body.header ? toHeaderInput(body.header) : null,
    }
  if (mediaId !== undefined) return { kind: 'media', mediaId, caption: body.caption ?? null }
  if (location) return { kind: 'location', ...toPlace(location) }
  if (reaction) return { kind: 'reaction', ...reaction }
  if (body.buttons)
    return {
      kind: 'buttons',
      text,
      buttons: body.buttons.map((button, index) => ({ id: toButtonId(button, index), title: button.title })),
    }
  if (body.list)
    return {
      kind: 'list',
      text,
      button: body.list.button,
      sections: body.list.sections.map(({ title, rows }) => ({
        title: title ?? null,
        rows: rows.map(row => ({ ...row, description: row.description ?? null })),
      })),
    }
  return { kind: 'text', text }
}
