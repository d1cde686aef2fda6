/** The content of a message. Kinds that the program can't show are kept with a description. */
import type { InboundContent, MediaKind } from '../../chat.ts'
import { asList, asNumber, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'

const textMax = 65_536
const captionMax = 4096
const nameMax = 300
const contactsMax = 100
const descriptionMax = 2000

export function parseContent(message: Record<string, unknown>, bodyErrors: unknown[]): InboundContent {
  const type = asText(message.type) ?? 'unknown'
  const content = asObject(message[type])
  const parsed = content && lookUp(parsers, type)?.(content, message)
  return parsed || describeUnsupported(type, message, bodyErrors)
}

type Parse = (content: Record<string, unknown>, message: Record<string, unknown>) => InboundContent | null

const media =
  (kind: MediaKind): Parse =>
  content => {
    const providerMediaId = asText(content.id)
    if (!providerMediaId) return null
    const caption = asText(content.caption)
    const fileName = asText(content.filename)
    const mediaType = asText(content.mime_type)
    return {
      kind: 'media',
      media: [
        {
          kind,
          providerMediaId: truncate(providerMediaId, 200),
          mediaType: mediaType && truncate(mediaType, 200),
          fileName: fileName && truncate(fileName, nameMax),
          bytes: asNumber(content.file_size),
        },
      ],
      caption: caption && truncate(caption, captionMax),
    }
  }

const parsers: Record<string, Parse> = {
  text(content) {
    const text = asText(content.body)
    return text === null ? null : { kind: 'text', text: truncate(text, textMax) }
  },
  image: media('image'),
  video: media('video'),
  document: media('document'),
  sticker: media('sticker'),
  audio: (content, message) => media(content.voice === true ? 'voice' : 'audio')(content, message),
  voice: media('voice'),
  location(content) {
    const latitude = asNumber(content.latitude)
    const longitude = asNumber(content.longitude)
    if (latitude === null || longitude === null) return null
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null
    const name = asText(content.name)
    const address = asText(content.address)
    return {
      kind: 'location',
      latitude,
      longitude,
      name: name && truncate(name, nameMax),
      address: address && truncate(address, 1000),
    }
  },
  button(content) {
    const title = asText(content.text) ?? asText(content.payload)
    return title === null ? null : toChoice(asText(content.payload) ?? title, title)
  },
  interactive(content) {
    const reply = asObject(content.button_reply) ?? asObject(content.list_reply)
    const id = asText(reply?.id)
    if (id) return toChoice(id, asText(reply?.title) ?? id)
    const form = asObject(content.nfm_reply)
    if (!form) return null
    const answers = asText(form.response_json) ?? ''
    return unsupported(`The person completed a form (${asText(form.name) ?? 'flow'}). ${answers}`)
  },
  order(content) {
    const items = asList(content.product_items)
    const note = asText(content.text)
    return unsupported(
      `An order of ${items.length} products of the catalogue.${note ? ` Note: ${note}` : ''}`,
    )
  },
}

const toChoice = (id: string, title: string): InboundContent => ({
  kind: 'choice',
  id: truncate(id, 500),
  title: truncate(title, nameMax),
})

// `contacts` holds a list, the only content that is not an object.
function parseContacts(message: Record<string, unknown>): InboundContent | null {
  const contacts = asList(message.contacts)
    .slice(0, contactsMax)
    .map(item => {
      const contact = asObject(item)
      const name = asObject(contact?.name)
      const phones = listTexts(contact?.phones, entry => asText(entry.phone) ?? asText(entry.wa_id))
      const emails = listTexts(contact?.emails, entry => asText(entry.email))
      const known = asText(name?.formatted_name) ?? asText(name?.first_name) ?? phones[0] ?? emails[0] ?? ''
      return { name: truncate(known, nameMax), phones, emails }
    })
  return contacts.length > 0 ? { kind: 'contacts', contacts } : null
}

const listTexts = (value: unknown, read: (entry: Record<string, unknown>) => string | null): string[] =>
  asList(value)
    .slice(0, 20)
    .map(entry => read(asObject(entry) ?? {}))
    .filter(text => text !== null)
    .map(text => truncate(text, nameMax))

function describeUnsupported(
  type: string,
  message: Record<string, unknown>,
  bodyErrors: unknown[],
): InboundContent {
  const contacts = type === 'contacts' ? parseContacts(message) : null
  if (contacts) return contacts
  const error = asObject(asList(message.errors)[0]) ?? asObject(bodyErrors[0])
  const details =
    asText(asObject(error?.error_data)?.details) ?? asText(error?.message) ?? asText(error?.title)
  const kind = asText(asObject(message.unsupported)?.type) ?? (type === 'unsupported' ? 'unknown' : type)
  return unsupported(
    `A message of the kind “${truncate(kind, 50)}”.${details ? ` WhatsApp says: ${details}` : ''}`,
  )
}

const unsupported = (description: string): InboundContent => ({
  kind: 'unsupported',
  description: truncate(description.trim(), descriptionMax),
})
