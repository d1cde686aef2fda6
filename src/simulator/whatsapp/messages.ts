/** What the simulated Graph API refuses of a message, as the real one does. */
import { GraphError, invalid } from './graph-error.ts'

export interface SimulatedTemplate {
  id: string
  name: string
  language: string
  status: string
  category: string
  components: { type: string; text?: string }[]
}

export type MessageBody = Record<string, unknown>

const asObject = (value: unknown): MessageBody =>
  typeof value === 'object' && value !== null ? (value as MessageBody) : {}
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker']

/** Throws GraphError. */
export function assertMessage(
  body: MessageBody,
  known: { templates: readonly SimulatedTemplate[]; hasMedia(id: string): boolean },
): void {
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
  assertKnown(content, known.templates)
}

type Assert = (content: MessageBody, templates: readonly SimulatedTemplate[]) => void

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

function assertTemplate(content: MessageBody, templates: readonly SimulatedTemplate[]): void {
  const code = asObject(content.language).code
  const found = templates.find(({ name, language }) => name === content.name && language === code)
  if (found?.status === 'PAUSED')
    throw new GraphError(400, 132_015, 'Template is Paused', 'The template is paused due to low quality.')
  if (found?.status !== 'APPROVED')
    throw new GraphError(
      404,
      132_001,
      'Template name does not exist in the translation',
      `template name (${content.name}) does not exist in ${code}`,
    )
  const text = found.components.find(({ type }) => type.toUpperCase() === 'BODY')?.text ?? ''
  const expected = new Set(text.match(/\{\{\d+\}\}/g) ?? []).size
  const body = asList(content.components).find(part => asObject(part).type === 'body')
  const parameters = asList(asObject(body).parameters)
  if (parameters.length !== expected)
    throw new GraphError(
      400,
      132_000,
      'Number of parameters does not match the expected number of params',
      `body: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`,
    )
  if (parameters.some(value => /[\n\t]| {5}/.test(String(asObject(value).text))))
    throw new GraphError(
      400,
      132_018,
      'There is an issue with the parameters of the template',
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    )
}
