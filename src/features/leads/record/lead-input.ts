/** A lead as the API or an import writes it, and how it is applied to the row of a lead. */
import { type Identifier, toIdentifiers } from '../../../domain/contact/identifiers.ts'
import { parseFloor } from '../../../domain/listing/floor.ts'
import type { ImportedProperty } from '../../../domain/table/imported-lead.ts'
import type { InputError } from '../../../kit/problem.ts'
import { roundToCents, toInteger } from './lead-columns.ts'
import type { LeadRow, WritableColumn } from './lead-row.ts'
import type { WorkspaceLocale } from './workspace-locale.ts'

export type CustomValue = string | number | boolean | null

/** Omitted fields keep their value; null removes a value. */
export interface LeadInput {
  externalId?: string | null
  contact?: {
    name?: string | null
    /** In any notation. The first becomes `phone`, the others further identifiers. */
    phones?: string[]
    /** The original notation of the first phone, if known. */
    phoneRaw?: string
    /** In any notation. The first becomes `email`, the others further identifiers. */
    emails?: string[]
    /**
     * Further phones, e-mail addresses and chats (`whatsapp:34612345678`), in any notation. They replace the former
     * list.
     */
    otherIdentifiers?: string[]
    advertiserType?: 'private' | 'agency' | null
  }
  property?: { [N in keyof ImportedProperty]?: ImportedProperty[N] | null }
  status?: string
  campaignId?: string | null
  ownerUserId?: string | null
  tags?: string[]
  /** Null removes a field. */
  customFields?: Record<string, CustomValue>
}

const columnByProperty: Record<keyof ImportedProperty, WritableColumn> = {
  operation: 'operation',
  propertyType: 'property_type',
  title: 'title',
  description: 'description',
  price: 'price',
  currency: 'currency',
  squareMeters: 'square_meters',
  rooms: 'rooms',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  floor: 'floor',
  floorText: 'floor_text',
  condition: 'condition',
  features: 'features',
  address: 'address',
  municipality: 'municipality',
  province: 'province',
  postcode: 'postcode',
  latitude: 'latitude',
  longitude: 'longitude',
  images: 'images',
  url: 'url',
  publishedAt: 'published_at',
}
const listProperties = new Set<keyof ImportedProperty>(['features', 'images'])

/** The normalised identifiers of the person. `country`: ISO 3166-1 alpha-2, for phone numbers without a prefix. */
export function parseInputIdentifiers({ contact }: LeadInput, country: string): Identifier[] {
  const { phones = [], phoneRaw, emails = [], otherIdentifiers = [] } = contact ?? {}
  const written = phones.length === 0 && phoneRaw !== undefined ? [phoneRaw] : phones
  return [
    ...toIdentifiers({ phones: written, emails }, country),
    // One by one, which keeps their order.
    ...otherIdentifiers.flatMap(text => toIdentifiers({ [`${detectKind(text)}s`]: [text] }, country)),
  ]
}

function detectKind(text: string): Identifier['kind'] {
  if (/^[\s+(]*\d[\d\s()./-]*$/.test(text)) return 'phone'
  return text.includes('@') && !text.includes(':') ? 'email' : 'chat'
}

/**
 * The row with the input applied. A changed price is added to the price history at `now`; if no currency is stated,
 * it is in the currency of the workspace.
 */
export function applyInput(
  row: LeadRow,
  input: LeadInput,
  { country, currency }: Omit<WorkspaceLocale, 'timezone'>,
  now: Date,
): LeadRow {
  const result: LeadRow = { ...row, ...toContactColumns(row, input, country), ...toPropertyColumns(input) }
  const isNewPrice = result.price !== null && result.price !== row.price
  if (isNewPrice && input.property?.currency === undefined) result.currency ??= currency
  if (input.externalId !== undefined) result.external_id = input.externalId
  if (input.status !== undefined) result.status = input.status
  if (input.campaignId !== undefined) result.campaign_id = input.campaignId
  if (input.ownerUserId !== undefined) result.owner_user_id = input.ownerUserId
  if (input.tags) result.tags = [...new Set(input.tags)]
  if (input.customFields) {
    const fields = { ...(row.custom_fields as Record<string, CustomValue>), ...input.customFields }
    result.custom_fields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  }
  if (isNewPrice) {
    const history = row.price_history as { price: number; at: string }[]
    result.price_history = [...history, { price: result.price, at: now.toISOString() }]
  }
  return result
}

/**
 * Further phones and addresses are added to the existing identifiers, or replace them if `otherIdentifiers` was sent.
 */
function toContactColumns(row: LeadRow, input: LeadInput, country: string): Partial<LeadRow> {
  const { contact } = input
  if (!contact) return {}
  const columns: Partial<LeadRow> = {}
  if (contact.name !== undefined) columns.contact_name = contact.name || null
  if (contact.advertiserType !== undefined) columns.advertiser_type = contact.advertiserType
  const parseFirst = (kind: Identifier['kind'], texts?: string[]) =>
    texts?.[0] === undefined ? null : (toIdentifiers({ [`${kind}s`]: [texts[0]] }, country)[0]?.value ?? null)
  if (contact.phones) {
    columns.phone = parseFirst('phone', contact.phones)
    columns.phone_raw = contact.phones[0] ?? null
  }
  if (contact.phoneRaw !== undefined) columns.phone_raw = contact.phoneRaw
  if (contact.emails) columns.email = parseFirst('email', contact.emails)
  const { phone, email } = { ...row, ...columns }
  const known = contact.otherIdentifiers ? [] : (row.identifiers as string[])
  const found = parseInputIdentifiers(input, country).map(({ value }) => value)
  columns.identifiers = [...new Set([...known, ...found])].filter(value => value !== phone && value !== email)
  return columns
}

function toPropertyColumns({ property = {} }: LeadInput): Partial<LeadRow> {
  const columns: Partial<LeadRow> = {}
  for (const [name, value] of Object.entries(property) as [keyof ImportedProperty, unknown][]) {
    if (value === undefined) continue
    // An empty text counts as no value: a table can't distinguish the two.
    columns[columnByProperty[name]] =
      value === null && listProperties.has(name) ? [] : value === '' ? null : value
  }
  Object.assign(columns, toFloorColumns(property))
  if (columns.published_at) columns.published_at = new Date(columns.published_at as string).toISOString()
  if (typeof columns.price === 'number') columns.price = roundToCents(columns.price, 1e12)
  if (typeof columns.square_meters === 'number')
    columns.square_meters = roundToCents(columns.square_meters, 1e8)
  for (const name of ['rooms', 'bedrooms', 'bathrooms'] as const)
    if (typeof columns[name] === 'number') columns[name] = toInteger(columns[name])
  return columns
}

/** A floor is a number and a text; if only one is sent, the other is derived from it. */
function toFloorColumns({ floor, floorText }: NonNullable<LeadInput['property']>): Partial<LeadRow> {
  if (floor === undefined && floorText === undefined) return {}
  if (floorText) return { floor: floor ?? parseFloor(floorText), floor_text: floorText }
  const stated = floor ?? null
  return { floor: stated, floor_text: stated === null ? null : String(stated) }
}

/** An error for each phone, e-mail address and chat that is not valid. */
export function validateIdentifiers(
  { phone, email, identifiers }: { phone?: string | null; email?: string | null; identifiers?: string[] },
  country: string,
): InputError[] {
  const written: [path: string, kind: Identifier['kind'], text: string | null | undefined][] = [
    ['/contact/phone', 'phone', phone],
    ['/contact/email', 'email', email],
    ...(identifiers ?? []).map(
      (text, index) =>
        [`/contact/identifiers/${index}`, detectKind(text), text] as [string, Identifier['kind'], string],
    ),
  ]
  return written.flatMap(([path, kind, text]) =>
    text && toIdentifiers({ [`${kind}s`]: [text] }, country).length === 0
      ? [{ path, code: 'WRONG_FORMAT', message: `${JSON.stringify(text)} ${invalidMessages[kind]}` }]
      : [],
  )
}

const invalidMessages: Record<Identifier['kind'], string> = {
  phone: 'is not a valid phone number. Write it with its prefix, such as +34612345678.',
  email: 'is not a valid e-mail address.',
  chat: 'is not a phone number, an e-mail address or a chat such as whatsapp:34612345678.',
}
