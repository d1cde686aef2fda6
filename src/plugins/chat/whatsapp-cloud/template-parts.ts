/** Headers, footers and buttons of templates, as WhatsApp lists them and as they are submitted. */
import {
  type SubmittedParts,
  type TemplateButton,
  type TemplateHeader,
  type TemplateParts,
  templateHeaderKinds,
} from '../../chat.ts'
import { asList, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'

type Component = Record<string, unknown>

const buttonsMax = 10
const shownMax = 200
const buttonKinds: Record<string, TemplateButton['kind']> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'copy_code',
}
const buttonTypes = { quick_reply: 'QUICK_REPLY', url: 'URL', phone: 'PHONE_NUMBER', copy_code: 'COPY_CODE' }

/** A text without variables, which nothing else limits. */
function asShown(value: unknown): string | null {
  const text = asText(value)
  return text === null ? null : truncate(text, shownMax)
}

const toType = (component: Component): string => asText(component.type)?.toUpperCase() ?? ''

export function parseParts(components: Component[]): TemplateParts {
  const find = (type: string) => components.find(component => toType(component) === type)
  const header = find('HEADER')
  return {
    header: header ? parseHeader(header) : null,
    footer: asShown(find('FOOTER')?.text),
    buttons: listButtons(find('BUTTONS')).map(parseButton),
  }
}

const listButtons = (component: Component | undefined): Component[] =>
  asList(component?.buttons)
    .slice(0, buttonsMax)
    .map(button => asObject(button) ?? {})

/** Null: a kind that the program does not know. */
function parseHeader(header: Component): TemplateHeader | null {
  const format = asText(header.format)?.toLowerCase()
  const kind = templateHeaderKinds.find(known => known === format)
  return kind ? { kind, text: kind === 'text' ? (asText(header.text) ?? '') : null } : null
}

function parseButton(button: Component): TemplateButton {
  const kind = lookUp(buttonKinds, toType(button)) ?? 'other'
  const value = { url: asText(button.url), phone: asText(button.phone_number), copy_code: '{{1}}' }
  return { kind, title: asShown(button.text) ?? '', value: lookUp<string | null>(value, kind) ?? null }
}

/** Buttons that need what the program does not have: a one-time code, a catalogue, a form. */
const unknownButtons = /^(OTP|MPM|SPM|CATALOG|FLOW|ORDER_DETAILS)$/
const unknownComponents = /^(CAROUSEL|LIMITED_TIME_OFFER)$/

/** Why the program can't fill a template; null: it can. */
export function findUnusable(components: Component[], parameterFormat: string | null): string | null {
  if (parameterFormat === 'NAMED')
    return 'The placeholders have names. Use numbers, such as {{1}}, to send the template from here.'
  const unknown = components.map(findUnknown).find(type => type !== null)
  return unknown === undefined
    ? null
    : `The template has a header or buttons that the program can’t fill: ${unknown.slice(0, 50)}.`
}

function findUnknown(component: Component): string | null {
  const type = toType(component)
  if (type === 'HEADER') return parseHeader(component) ? null : (asText(component.format) ?? type)
  if (type === 'BUTTONS')
    return (
      listButtons(component)
        .map(toType)
        .find(button => unknownButtons.test(button)) ?? null
    )
  if (type === 'BODY' || type === 'FOOTER') return null
  return unknownComponents.test(type) || JSON.stringify(component).slice(0, 10_000).includes('{{')
    ? type
    : null
}

/**
 * The components of a template to be approved. WhatsApp wants an example of every value. `handle`: of the example of a file.
 */
export function toComponents(
  {
    body,
    examples,
    parts: { header, footer, buttons },
  }: { body: string; examples: string[]; parts: SubmittedParts },
  handle: string | null,
): object[] {
  return [
    ...(header
      ? [
          {
            type: 'HEADER',
            format: header.kind.toUpperCase(),
            ...(header.text !== null && { text: header.text }),
            ...(header.example !== null && { example: { header_text: [header.example] } }),
            ...(handle !== null && { example: { header_handle: [handle] } }),
          },
        ]
      : []),
    { type: 'BODY', text: body, ...(examples.length > 0 && { example: { body_text: [examples] } }) },
    ...(footer === null ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(toSubmittedButton) }] : []),
  ]
}

function toSubmittedButton({ kind, title, value, example }: SubmittedParts['buttons'][number]): object {
  const type = buttonTypes[kind]
  switch (kind) {
    case 'url':
      return { type, text: title, url: value, ...(example !== null && { example: [example] }) }
    case 'phone':
      return { type, text: title, phone_number: value }
    case 'copy_code':
      // WhatsApp writes the title itself, in the language of the person.
      return { type, example }
    default:
      return { type, text: title }
  }
}
