/** What the simulated Graph API refuses of a template: its values, and its examples when it is submitted. */
import { GraphError, invalid } from '../graph-api/graph-error.ts'
import { asList, asObject, type MessageBody } from './message-values.ts'

interface SimulatedButton {
  type: string
  text?: string
  url?: string
  example?: unknown
}

export interface SimulatedTemplate {
  id: string
  name: string
  language: string
  status: string
  category: string
  components: {
    type: string
    format?: string
    text?: string
    example?: { body_text?: unknown[][]; header_text?: unknown[]; header_handle?: string[] }
    buttons?: SimulatedButton[]
  }[]
}

export interface KnownObjects {
  templates: readonly SimulatedTemplate[]
  hasMedia(id: string): boolean
}

const countPlaceholders = (text = ''): number => new Set(text.match(/\{\{\d+\}\}/g) ?? []).size

/** Throws GraphError. */
export function assertTemplate(content: MessageBody, { templates, hasMedia }: KnownObjects): void {
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
  const sent = asList(content.components).map(asObject)
  const find = (type: string) => found.components.find(component => component.type.toUpperCase() === type)
  const header = find('HEADER')
  const headerValues = listParameters(sent.find(({ type }) => type === 'header'))
  if (header?.format && header.format !== 'TEXT') assertHeader(header.format, headerValues, hasMedia)
  else assertCount('header', headerValues, header?.text)
  const bodyValues = listParameters(sent.find(({ type }) => type === 'body'))
  assertCount('body', bodyValues, find('BODY')?.text)
  assertButtons(
    find('BUTTONS')?.buttons ?? [],
    sent.filter(({ type }) => type === 'button'),
  )
}

const listParameters = (component: MessageBody | undefined): MessageBody[] =>
  asList(component?.parameters).map(asObject)

function assertCount(part: string, parameters: MessageBody[], text: string | undefined): void {
  const expected = countPlaceholders(text)
  if (parameters.length !== expected)
    throw new GraphError(
      400,
      132_000,
      'Number of parameters does not match the expected number of params',
      `${part}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`,
    )
  if (parameters.some(({ text }) => /[\n\t]| {5}/.test(String(text))))
    throw new GraphError(
      400,
      132_018,
      'There is an issue with the parameters of the template',
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    )
}

const mismatch = (details: string) =>
  new GraphError(400, 132_012, 'Parameter format does not match format in the created template', details)

function assertHeader(format: string, [parameter]: MessageBody[], hasMedia: (id: string) => boolean): void {
  const type = format.toLowerCase()
  if (parameter?.type !== type) {
    const received = String(parameter?.type ?? 'unknown').toUpperCase()
    throw mismatch(`header: Format mismatch, expected ${format}, received ${received}`)
  }
  const value = asObject(parameter[type])
  if (type === 'location') {
    if (typeof value.latitude !== 'string' || typeof value.longitude !== 'string')
      throw invalid('header: the parameter location needs latitude and longitude as texts.', 131_008)
    return
  }
  if (!hasMedia(String(value.id)))
    throw invalid(
      `Param template['components'][0]['parameters'][0]['${type}']['id'] is not a valid attachment ID`,
    )
}

/** By the type of the button: the type of its parameter, and the field with the value. */
const buttonParameters: Record<string, [subType: string, type: string, field: string]> = {
  URL: ['url', 'text', 'text'],
  COPY_CODE: ['copy_code', 'coupon_code', 'coupon_code'],
  QUICK_REPLY: ['quick_reply', 'payload', 'payload'],
}

function assertButtons(buttons: SimulatedButton[], sent: MessageBody[]): void {
  for (const [index, { type, url }] of buttons.entries()) {
    const isRequired = type === 'COPY_CODE' || (type === 'URL' && countPlaceholders(url) > 0)
    const values = sent.find(component => String(component.index) === String(index))
    if (!values && isRequired)
      throw invalid(`buttons: Button at index ${index} of type ${type} requires a parameter`, 131_008)
    if (!values) continue
    const [subType, parameterType, field] = buttonParameters[type] ?? []
    const [parameter] = listParameters(values)
    const isFixed = type === 'URL' && !isRequired
    if (isFixed || values.sub_type !== subType || parameter?.type !== parameterType)
      throw mismatch(`buttons: Button at index ${index} does not take a parameter of this type`)
    const value = parameter?.[field!]
    if (typeof value !== 'string' || value === '')
      throw invalid(`buttons: Button at index ${index} needs a text`, 131_008)
  }
  const unknown = sent.find(({ index }) => !buttons[Number(index)])
  if (unknown) throw mismatch(`buttons: The template has no button at index ${unknown.index}`)
}

/** Every value needs an example. Throws GraphError. */
export function assertExamples(
  components: SimulatedTemplate['components'],
  hasHandle: (handle: string) => boolean,
): void {
  for (const { type, format, text, example, buttons = [] } of components) {
    const given = (type === 'HEADER' ? example?.header_text : example?.body_text?.[0]) ?? []
    const isFile = format !== undefined && !['TEXT', 'LOCATION'].includes(format)
    const hasFile = !isFile || hasHandle(example?.header_handle?.[0] ?? '')
    if (given.length !== countPlaceholders(text) || !hasFile)
      throw invalid(`component of type ${type} is missing expected field(s) (example)`)
    for (const button of buttons)
      if (!button.example && (button.type === 'COPY_CODE' || countPlaceholders(button.url) > 0))
        throw invalid(`button of type ${button.type} is missing expected field(s) (example)`)
  }
}
