/** Reads the content of a message of Telegram. */
import { asList, asNumber, asObject, asText, truncate } from '../../../kit/json-values.ts'
import type { InboundContent, InboundMedia, MediaKind } from '../../chat.ts'

type Json = Record<string, unknown>

const textMax = 65_536
const nameMax = 300

/** Null: the message is a notice of the service, such as that one was pinned. */
export function parseContent(message: Json): InboundContent | null {
  const text = asText(message.text)
  if (text !== null) return { kind: 'text', text: truncate(text, textMax) }
  const caption = asText(message.caption)
  const media = findMedia(message)
  if (media) return { kind: 'media', media: [media], caption: caption && truncate(caption, textMax) }
  return findLocation(message) ?? findContact(message) ?? findUnsupported(message)
}

const mediaFields: [field: string, kind: MediaKind, mediaType: string | null][] = [
  ['voice', 'voice', 'audio/ogg'],
  ['video_note', 'video', 'video/mp4'],
  // A GIF is also a document.
  ['animation', 'video', 'video/mp4'],
  ['video', 'video', null],
  ['audio', 'audio', null],
  ['sticker', 'sticker', null],
  ['document', 'document', null],
]

function findMedia(message: Json): InboundMedia | null {
  const photo = asList(message.photo).at(-1)
  if (photo) return toMedia(photo, 'image', 'image/jpeg')
  for (const [field, kind, mediaType] of mediaFields) {
    const value = asObject(message[field])
    if (value) return toMedia(value, kind, kind === 'sticker' ? toStickerType(value) : mediaType)
  }
  return null
}

function toMedia(value: unknown, kind: MediaKind, mediaType: string | null): InboundMedia | null {
  const file = asObject(value)
  const id = asText(file?.file_id)
  if (!file || !id || id.length > nameMax) return null
  const fileName = asText(file.file_name)
  const bytes = asNumber(file.file_size)
  return {
    kind,
    providerMediaId: id,
    mediaType: truncate(asText(file.mime_type) ?? '', 100) || mediaType,
    fileName: fileName && truncate(fileName, nameMax),
    bytes: bytes !== null && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null,
  }
}

function toStickerType({ is_animated: isAnimated, is_video: isVideo }: Json): string {
  if (isVideo === true) return 'video/webm'
  return isAnimated === true ? 'application/x-tgsticker' : 'image/webp'
}

function findLocation(message: Json): InboundContent | null {
  const venue = asObject(message.venue)
  const location = asObject(venue?.location) ?? asObject(message.location)
  const latitude = asNumber(location?.latitude)
  const longitude = asNumber(location?.longitude)
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return null
  const name = asText(venue?.title)
  const address = asText(venue?.address)
  return {
    kind: 'location',
    latitude,
    longitude,
    name: name && truncate(name, nameMax),
    address: address && truncate(address, nameMax),
  }
}

function findContact(message: Json): InboundContent | null {
  const contact = asObject(message.contact)
  if (!contact) return null
  const names = [asText(contact.first_name), asText(contact.last_name)].filter(name => name !== null)
  const phone = asText(contact.phone_number)
  return {
    kind: 'contacts',
    contacts: [
      { name: truncate(names.join(' '), nameMax), phones: phone ? [truncate(phone, 50)] : [], emails: [] },
    ],
  }
}

/** What people see in place of the message. */
const unsupportedKinds: Record<string, string> = {
  poll: 'A poll',
  dice: 'A die',
  game: 'A game',
  story: 'A story',
  invoice: 'An invoice',
  paid_media: 'Paid media',
  checklist: 'A checklist',
  giveaway: 'A giveaway',
  gift: 'A gift',
  unique_gift: 'A gift',
  // The file or place of these could not be read.
  photo: 'A photo',
  video: 'A video',
  video_note: 'A video note',
  voice: 'A voice note',
  audio: 'An audio file',
  document: 'A document',
  sticker: 'A sticker',
  animation: 'An animation',
  location: 'A location',
}

function findUnsupported(message: Json): InboundContent | null {
  const kind = Object.keys(unsupportedKinds).find(key => message[key] !== undefined)
  if (kind === undefined) return null
  const question = asText(asObject(message[kind])?.question)
  const description = question
    ? `${unsupportedKinds[kind]}: ${truncate(question, nameMax)}`
    : unsupportedKinds[kind]!
  return { kind: 'unsupported', description }
}
