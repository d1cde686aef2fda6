/** What the simulated Graph API refuses of a message, as the real one does. */
import { invalid } from '../graph-api/graph-error.ts'
import { asList, asObject, type MessageBody } from './message-values.ts'
import { assertTemplate, type KnownObjects } from './template-message.ts'

const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker']

/** Throws GraphError. */
export function assertMessage(body: MessageBody, known: KnownObjects): void {
  if (body.messaging_product !== 'whatsapp') throw invalid('The parameter messaging_product is required.')
  if (typeof body.to !== 'string' && typeof body.recipient !== 'string')
    throw invalid('The parameter to is required.')
  const type = String(body.type ?? 'text')
  const content = asObject(body[type])
  if (type === 'reaction' && body.context !== undefined)
    throw invalid('A reaction message cannot be a contextual reply.', 131_009)
  if (mediaTypes.includes(type)) {
    if (!known.hasMedia(String(content.id)))
      throw invalid(`Param ${type}['id'] is not a valid whatsapp business account media attachment ID`)
    assertText(`${type}['caption']`, content.caption ?? 'x', 1024)
    return
  }
  const assertKnown = asserts[type]
  if (!assertKnown) throw invalid(`Param type must be one of a list, got "${type}".`)
  assertKnown(content, known)
}

type Assert = (content: MessageBody, known: KnownObjects) => void

const asserts: Record<string, Assert> = {
  text: content => assertText("text['body']", content.body, 4096),
  template: assertTemplate,
  interactive(content) {
    const action = asObject(content.action)
    const isButtons = content.type === 'button'
    assertText('body', asObject(content.body).text, isButtons ? 1024 : 4096, 131_009)
    const buttons = asList(action.buttons)
    if (isButtons && (buttons.length < 1 || buttons.length > 3))
      throw invalid('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3', 131_009)
    for (const button of buttons)
      assertText('button title', asObject(asObject(button).reply).title, 20, 131_009)
    const rows = asList(action.sections).flatMap(section => asList(asObject(section).rows))
    if (!isButtons && (rows.length < 1 || rows.length > 10))
      throw invalid('Total row count exceed max allowed count: 10', 131_009)
    for (const row of rows) assertText('row title', asObject(row).title, 24, 131_009)
  },
  location(content) {
    if (typeof content.latitude !== 'number' || typeof content.longitude !== 'number')
      throw invalid("Param location['latitude'] is required.")
  },
  reaction: content => assertText("reaction['message_id']", content.message_id, 500),
}

function assertText(name: string, text: unknown, max: number, code = 100): void {
  if (typeof text !== 'string' || text.length < 1 || text.length > max)
    throw invalid(`Param ${name} must have 1 to ${max} characters.`, code)
}
