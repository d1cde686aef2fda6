/** Parses the cells of our own exports exactly, without interpreting them. */
import { parseEmail } from '../contact/email.ts'
import { toIdentifier } from '../contact/identifiers.ts'
import { toE164 } from '../contact/phone.ts'
import { propertyFeatures } from '../listing/features.ts'
import { floorLimits } from '../listing/floor.ts'
import { listingOperations, listingPropertyTypes, propertyConditions } from '../listing/listing.ts'
import { splitJoined } from './cell-text.ts'
import type { ImportedLead, ImportedProperty } from './imported-lead.ts'
import type { NamedLeadField } from './lead-fields.ts'
import type { RowBuilder } from './row-builder.ts'
import type { Column } from './row-values.ts'
import { isLongerThan, truncateText } from './text-lengths.ts'
import { UnreadableValue } from './unreadable-value.ts'
import { leadStatuses } from './value-words.ts'

/**
 * Converts a JSON value or the text of a cell to the stored value; undefined if an export would not write it like this.
 */
type ExactParser = (value: unknown, country: string) => unknown

const decimals = /^-?\d+(?:[.,]\d+)?(?:e-?\d+)?$/
/** At most two decimals: `250.000` may be thousands that a person has typed. */
const hundredths = /^-?\d+(?:[.,]\d{1,2})?$/
const halves = /^-?\d+(?:[.,]5)?$/
const wholeNumber = /^-?\d+$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const text =
  (isValid: (text: string, country: string) => boolean = () => true): ExactParser =>
  (value, country) =>
    typeof value === 'string' && isValid(value, country) ? value : undefined

function number(form: RegExp, min: number, max: number): ExactParser {
  return value => {
    const isExactText = typeof value === 'string' && form.test(value)
    const parsed = isExactText ? Number(value.replace(',', '.')) : value
    return typeof parsed === 'number' && parsed >= min && parsed <= max ? parsed : undefined
  }
}

/** A list with more than `max` items is refused without checking them. */
function list(max: number, isItem: (item: string, country: string) => boolean): ExactParser {
  return (value, country) => {
    const items = typeof value === 'string' ? splitJoined(value) : value
    const isList =
      Array.isArray(items) &&
      items.length <= max &&
      items.every(item => typeof item === 'string' && isItem(item, country))
    return isList ? items : undefined
  }
}

const isOneOf = (words: readonly string[]) => (word: string) => words.includes(word)
const isUrl = (url: string) => url.length <= 2000 && !/\s/.test(url) && URL.canParse(url)
const isIdentifier = (text: string, country: string) =>
  (['phone', 'email', 'chat'] as const).some(kind => toIdentifier(kind, text, country)?.value === text)

const count = number(wholeNumber, 0, 10_000)

/** The limits of numbers are those of the API; those of lists are higher, and only bound the time of the checks. */
const propertyParsers: Record<keyof ImportedProperty, ExactParser> = {
  operation: text(isOneOf(listingOperations)),
  propertyType: text(isOneOf(listingPropertyTypes)),
  title: text(),
  description: text(),
  price: number(hundredths, 0, 999_999_999_999),
  currency: text(code => /^[A-Z]{3}$/.test(code)),
  squareMeters: number(hundredths, 0, 10_000_000),
  rooms: count,
  bedrooms: count,
  bathrooms: count,
  floor: number(halves, floorLimits.min, floorLimits.max),
  floorText: text(),
  condition: text(isOneOf(propertyConditions)),
  features: list(200, isOneOf(propertyFeatures)),
  address: text(),
  municipality: text(),
  province: text(),
  postcode: text(),
  latitude: number(decimals, -90, 90),
  longitude: number(decimals, -180, 180),
  images: list(1000, isUrl),
  url: text(isUrl),
  publishedAt: text(time => timePattern.test(time) && !Number.isNaN(Date.parse(time))),
}
/** Parser and setter of the other columns, by heading. */
const otherParsers: Record<string, [parse: ExactParser, put: (lead: ImportedLead, value: never) => void]> = {
  'contact.name': [text(), ({ contact }, name: string) => Object.assign(contact, { name })],
  'contact.phone': [
    text((phone, country) => toE164(phone, country) === phone),
    ({ contact }, phone: string) => contact.phones.unshift(phone),
  ],
  'contact.phoneRaw': [text(), ({ contact }, phoneRaw: string) => Object.assign(contact, { phoneRaw })],
  'contact.email': [
    text(email => parseEmail(email) === email),
    ({ contact }, email: string) => contact.emails.unshift(email),
  ],
  'contact.identifiers': [
    list(500, isIdentifier),
    ({ contact }, otherIdentifiers: string[]) => Object.assign(contact, { otherIdentifiers }),
  ],
  'contact.advertiserType': [
    text(isOneOf(['private', 'agency'])),
    ({ contact }, advertiserType: string) => Object.assign(contact, { advertiserType }),
  ],
  externalId: [text(), (lead, externalId: string) => Object.assign(lead, { externalId })],
  status: [text(isOneOf(leadStatuses)), (lead, status: string) => Object.assign(lead, { status })],
  tags: [list(1000, tag => !isLongerThan(100, tag)), (lead, tags: string[]) => Object.assign(lead, { tags })],
}

/**
 * Sets the value of an export's column. Returns false if the value is not in the exact form of an export, for example
 * because it was changed in a spreadsheet, or if the mapping assigns another field to the column.
 */
export function parseExported(lead: ImportedLead, column: Column, value: unknown, country: string): boolean {
  const { heading, field, custom } = column
  if (value === null) return true
  if ((heading === 'contact.phoneRaw' ? 'contact.phone' : heading) !== field) return false
  if (custom !== null) {
    setCustom(lead, custom, value)
    return true
  }
  if (typeof value === 'string' && truncateText(field as NamedLeadField, value).problem !== null) return false
  const [group, name] = heading.split('.') as [string, keyof ImportedProperty]
  const isProperty = group === 'property' && Object.hasOwn(propertyParsers, name)
  const [parse, put] = isProperty ? [propertyParsers[name], putProperty(name)] : (otherParsers[heading] ?? [])
  const exactValue = parse?.(value, country)
  if (exactValue !== undefined) put?.(lead, exactValue as never)
  return exactValue !== undefined
}

const putProperty = (name: keyof ImportedProperty) => (lead: ImportedLead, value: unknown) =>
  Object.assign(lead.property, { [name]: value })

/** Defines the property, because the name may be `__proto__`. */
export function setCustom({ customFields }: ImportedLead, name: string, value: unknown): void {
  Object.defineProperty(customFields, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Reads custom fields from a JSON object. */
export function setCustomFields(builder: RowBuilder, text: string): void {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    builder.report(
      text,
      new UnreadableValue(
        'CUSTOM_FIELDS_INVALID',
        'This is not a JSON object. Write it as {"colour": "red"}.',
      ),
    )
  else builder.typedFields.push(...Object.entries(value))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * A custom field may be in the JSON column and in a column of its own. Its own column wins if its text was changed;
 * otherwise the JSON value is used, because it has kept its type.
 */
export function resolveCustomFields({ lead, typedFields }: RowBuilder): void {
  for (const [name, value] of typedFields)
    if (!Object.hasOwn(lead.customFields, name) || isTextOfValue(lead.customFields[name], value))
      setCustom(lead, name, value)
}

/** True if the text is how a table shows the value: numbers may have a decimal comma. */
export function isTextOfValue(text: unknown, value: unknown): boolean {
  return [String(value), String(value).replace('.', ',')].includes(text as string)
}
