/** A template that is sent: its name, and the values of its header, its body and its buttons. */
import type { OutgoingMedia, TemplateReference } from '../../chat.ts'

type Header = NonNullable<TemplateReference['header']>
type Button = NonNullable<TemplateReference['buttons']>[number]

/** `mediaId`: the id of the uploaded file of the header. WhatsApp writes languages with an underscore. */
export function toTemplateBody(
  { providerName, language, values, header, buttons = [] }: TemplateReference,
  media: Pick<OutgoingMedia, 'kind' | 'fileName'> | undefined,
  mediaId: string | null,
): object {
  const parameters = values.map(value => ({ type: 'text', text: toLine(value) }))
  return {
    name: providerName,
    language: { code: language.replace('-', '_') },
    components: [
      ...(header ? [{ type: 'header', parameters: [toHeader(header, media, mediaId)] }] : []),
      ...(parameters.length > 0 ? [{ type: 'body', parameters }] : []),
      ...buttons.map(toButton),
    ],
  }
}

/** WhatsApp refuses line breaks and rows of spaces in values. */
const toLine = (value: string): string => value.replace(/\s+/g, ' ').trim()

function toHeader(
  header: Header,
  media: Pick<OutgoingMedia, 'kind' | 'fileName'> | undefined,
  mediaId: string | null,
): object {
  if (header.kind === 'text') return { type: 'text', text: toLine(header.text) }
  if (header.kind === 'location') {
    const { latitude, longitude, name, address } = header
    const location = {
      latitude: String(latitude),
      longitude: String(longitude),
      ...(name !== null && { name }),
      ...(address !== null && { address }),
    }
    return { type: 'location', location }
  }
  const { kind, fileName } = media!
  const named = kind === 'document' && fileName !== null ? { filename: fileName } : {}
  return { type: kind, [kind]: { id: mediaId, ...named } }
}

function toButton({ index, kind, value }: Button): object {
  const parameter = {
    url: { type: 'text', text: value },
    copy_code: { type: 'coupon_code', coupon_code: value },
    quick_reply: { type: 'payload', payload: value },
  }[kind]
  return { type: 'button', sub_type: kind, index: String(index), parameters: [parameter] }
}
