/** Our messages as bodies of `POST /{phone number id}/messages`, and what WhatsApp would refuse of them. */
import type {
  ChatFailure,
  ChatFailureCode,
  ChatIdentity,
  CheckedContent,
  OutgoingContent,
  OutgoingMedia,
  OutgoingMessage,
} from '../../chat.ts'
import { capabilities, limits } from './capabilities.ts'
import { toTemplateBody } from './template-body.ts'

/** Which identities WhatsApp can write to. */
export const findRecipient = (to: readonly ChatIdentity[]): ChatIdentity | undefined =>
  to.find(({ kind }) => kind === 'phone' || kind === 'bsuid')

/**
 * The body of a message. `mediaId`: the id of the uploaded file. A business-scoped user id goes into `recipient`; `to`
 * accepts only phone numbers. WhatsApp returns `biz_opaque_callback_data` with every status.
 */
export function toMessageBody(
  message: OutgoingMessage,
  recipient: ChatIdentity,
  mediaId: string | null,
): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(recipient.kind === 'phone' ? { to: recipient.value } : { recipient: recipient.value }),
    ...(message.replyTo !== null && { context: { message_id: message.replyTo } }),
    ...toContent(message.content, mediaId),
    biz_opaque_callback_data: message.id,
  }
}

function toContent(content: OutgoingContent, mediaId: string | null): object {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: /https?:\/\//i.test(content.text) } }
    case 'template':
      return { type: 'template', template: toTemplateBody(content.template, content.media, mediaId) }
    case 'media':
      return toMedia(content.media, content.caption, mediaId)
    case 'buttons': {
      const buttons = content.buttons.map(reply => ({
        type: 'reply',
        reply: { id: reply.id, title: reply.title },
      }))
      return toInteractive('button', content.text, { buttons })
    }
    case 'list':
      return toInteractive('list', content.text, {
        button: content.button,
        sections: toSections(content.sections),
      })
    case 'location': {
      const { latitude, longitude, name, address } = content
      return {
        type: 'location',
        location: {
          latitude,
          longitude,
          ...(name !== null && { name }),
          ...(address !== null && { address }),
        },
      }
    }
    case 'reaction':
      return {
        type: 'reaction',
        reaction: { message_id: content.providerMessageId, emoji: content.emoji ?? '' },
      }
  }
}

function toMedia(media: OutgoingMedia, caption: string | null, mediaId: string | null): object {
  const type = media.kind === 'voice' ? 'audio' : media.kind
  return {
    type,
    [type]: {
      id: mediaId,
      ...(media.kind === 'voice' && { voice: true }),
      ...(caption !== null && { caption }),
      ...(media.kind === 'document' && media.fileName !== null && { filename: media.fileName }),
    },
  }
}

const toInteractive = (type: string, text: string, action: object): object => ({
  type: 'interactive',
  interactive: { type, body: { text }, action },
})

function toSections(sections: Extract<OutgoingContent, { kind: 'list' }>['sections']): object[] {
  return sections.map(({ title, rows }) => ({
    ...(title !== null && { title }),
    rows: rows.map(({ id, title, description }) => ({
      id,
      title,
      ...(description !== null && { description }),
    })),
  }))
}

/** Why WhatsApp would refuse a content; null: it fits the limits. */
export function findRefusal(content: CheckedContent): ChatFailure | null {
  switch (content.kind) {
    case 'text':
      return tooLong('The text', content.text, capabilities.text.charactersMax)
    case 'template':
      return findTemplateRefusal(content)
    case 'media':
      return findMediaRefusal(content.media, content.caption)
    case 'buttons':
      return findButtonsRefusal(content)
    case 'list':
      return findListRefusal(content)
    default:
      return null
  }
}

function findTemplateRefusal({
  template: { providerName, header },
  media,
}: Extract<CheckedContent, { kind: 'template' }>): ChatFailure | null {
  if (providerName === null)
    return refuse(
      'TEMPLATE_NOT_FOUND',
      'WhatsApp sends only templates that it has approved. Submit the template first.',
    )
  if (header?.kind === 'text')
    return tooLong('The header of the template', header.text, limits.templateHeader)
  return media ? findMediaRefusal(media, null) : null
}

function findMediaRefusal(media: Omit<OutgoingMedia, 'open'>, caption: string | null): ChatFailure | null {
  const accepted = capabilities.media[media.kind]
  const mediaType = media.mediaType.split(';')[0]!.trim().toLowerCase()
  if (!accepted?.mediaTypes.includes(mediaType))
    return refuse('MEDIA_REJECTED', `WhatsApp does not accept ${media.mediaType} as ${media.kind}.`)
  if (media.bytes > accepted.bytesMax)
    return refuse(
      'MEDIA_REJECTED',
      `The file is larger than ${accepted.bytesMax} bytes, the limit for ${media.kind}.`,
    )
  if (caption === null) return null
  if (media.kind === 'audio' || media.kind === 'voice' || media.kind === 'sticker')
    return refuse(
      'UNSUPPORTED',
      `WhatsApp shows no caption with ${media.kind}. Send the text as a message of its own.`,
    )
  return tooLong('The caption', caption, limits.caption)
}

function findButtonsRefusal({
  text,
  buttons,
}: Extract<OutgoingContent, { kind: 'buttons' }>): ChatFailure | null {
  if (buttons.length === 0 || buttons.length > capabilities.buttonsMax)
    return refuse('MESSAGE_REJECTED', `A message has 1 to ${capabilities.buttonsMax} buttons.`)
  return (
    tooLong('The text', text, limits.buttonsBody) ??
    findFirst(buttons, ({ id, title }) => {
      return (
        tooLong('The title of a button', title, limits.buttonTitle) ??
        tooLong('The id of a button', id, limits.buttonId)
      )
    }) ??
    findRepeatedTitle(buttons)
  )
}

function findRepeatedTitle(buttons: readonly { title: string }[]): ChatFailure | null {
  const titles = buttons.map(({ title }) => title.trim())
  const repeated = titles.find((title, index) => titles.indexOf(title) !== index)
  if (repeated === undefined) return null
  return refuse(
    'MESSAGE_REJECTED',
    `Two buttons have the title "${repeated}". WhatsApp requires another title for each.`,
  )
}

function findListRefusal({
  text,
  button,
  sections,
}: Extract<OutgoingContent, { kind: 'list' }>): ChatFailure | null {
  const rows = sections.flatMap(section => section.rows)
  if (rows.length === 0 || rows.length > capabilities.listRowsMax || sections.length > limits.sections)
    return refuse('MESSAGE_REJECTED', `A list has 1 to ${capabilities.listRowsMax} rows.`)
  if (sections.length > 1 && sections.some(({ title }) => title === null))
    return refuse('MESSAGE_REJECTED', 'Each section of a list with several sections needs a title.')
  return (
    tooLong('The text', text, limits.listBody) ??
    tooLong('The button of a list', button, limits.listButton) ??
    findFirst(sections, ({ title }) =>
      tooLong('The title of a section', title ?? ' ', limits.sectionTitle),
    ) ??
    findFirst(rows, ({ id, title, description }) => {
      return (
        tooLong('The title of a row', title, limits.rowTitle) ??
        tooLong('The description of a row', description ?? ' ', limits.rowDescription) ??
        tooLong('The id of a row', id, limits.rowId)
      )
    })
  )
}

function findFirst<Item>(
  items: readonly Item[],
  find: (item: Item) => ChatFailure | null,
): ChatFailure | null {
  for (const item of items) {
    const failure = find(item)
    if (failure) return failure
  }
  return null
}

function tooLong(part: string, text: string, max: number): ChatFailure | null {
  if (text.length >= 1 && text.length <= max) return null
  return refuse('MESSAGE_REJECTED', `${part} has ${text.length} characters. WhatsApp requires 1 to ${max}.`)
}

export const refuse = (
  code: ChatFailureCode,
  message: string,
  scope: ChatFailure['scope'] = 'message',
): ChatFailure => ({ code, providerCode: null, message, retryable: false, retryAfterMs: 0, scope })
