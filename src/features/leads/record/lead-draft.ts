/** A lead as somebody writes it, and how it is laid over the row of one: for the API, for imports, for merges. */
import { type Identifier, identifiersOf } from '../../../domain/contact/identifiers.ts'
import { readFloor } from '../../../domain/listing/floor.ts'
import type { ImportedProperty } from '../../../domain/table/imported-lead.ts'
import type { InputError } from '../../../kit/problem.ts'
import type { Home } from './home.ts'
import { hundredths, whole } from './lead-columns.ts'
import type { LeadRow, WritableColumn } from './lead-row.ts'

export type CustomValue = string | number | boolean | null

/** A name that is missing changes nothing; null takes away. */
export interface LeadDraft {
  externalId?: string | null
  contact?: {
    name?: string | null
    /** As written. The first is the telephone, the others are further identifiers. */
    phones?: string[]
    /** How the first was written, where it is known besides. */
    phoneRaw?: string
    emails?: string[]
    /** Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), as written: in place of those that were. */
    further?: string[]
    advertiserType?: 'private' | 'agency' | null
  }
  property?: { [N in keyof ImportedProperty]?: ImportedProperty[N] | null }
  status?: string
  campaignId?: string | null
  ownerUserId?: string | null
  tags?: string[]
  /** A value of null takes the field away. */
  customFields?: Record<string, CustomValue>
}

const columnOf: Record<keyof ImportedProperty, WritableColumn> = {
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
const lists = new Set<keyof ImportedProperty>(['features', 'images'])

/** The person's identifiers in a draft, normalised, as somebody in `country` writes them. */
export function identifiersIn({ contact }: LeadDraft, country: string): Identifier[] {
  const { phones = [], phoneRaw, emails = [], further = [] } = contact ?? {}
  const written = phones.length === 0 && phoneRaw !== undefined ? [phoneRaw] : phones
  return [
    ...identifiersOf({ phones: written, emails }, country),
    // In the order of who wrote them, each once.
    ...further.flatMap(text => identifiersOf({ [`${kindOf(text)}s`]: [text] }, country)),
  ]
}

function kindOf(text: string): Identifier['kind'] {
  if (/^[\s+(]*\d[\d\s()./-]*$/.test(text)) return 'phone'
  return text.includes('@') && !text.includes(':') ? 'email' : 'chat'
}

/**
 * The row with the draft laid over it. A price that changes is added to its history at `now`; if its currency is stated nowhere,
 * it is in that of `home`.
 */
export function layOver(
  row: LeadRow,
  draft: LeadDraft,
  { country, currency }: Omit<Home, 'timezone'>,
  now: Date,
): LeadRow {
  const laid: LeadRow = { ...row, ...contactColumns(row, draft, country), ...propertyColumns(draft) }
  const isNewPrice = laid.price !== null && laid.price !== row.price
  if (isNewPrice && draft.property?.currency === undefined) laid.currency ??= currency
  if (draft.externalId !== undefined) laid.external_id = draft.externalId
  if (draft.status !== undefined) laid.status = draft.status
  if (draft.campaignId !== undefined) laid.campaign_id = draft.campaignId
  if (draft.ownerUserId !== undefined) laid.owner_user_id = draft.ownerUserId
  if (draft.tags) laid.tags = [...new Set(draft.tags)]
  if (draft.customFields) {
    const fields = { ...(row.custom_fields as Record<string, CustomValue>), ...draft.customFields }
    laid.custom_fields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  }
  if (isNewPrice) {
    const history = row.price_history as { price: number; at: string }[]
    laid.price_history = [...history, { price: laid.price, at: now.toISOString() }]
  }
  return laid
}

/** What is found beside the first telephone and address comes to the identifiers that were, unless these were written too. */
function contactColumns(row: LeadRow, draft: LeadDraft, country: string): Partial<LeadRow> {
  const { contact } = draft
  if (!contact) return {}
  const columns: Partial<LeadRow> = {}
  if (contact.name !== undefined) columns.contact_name = contact.name || null
  if (contact.advertiserType !== undefined) columns.advertiser_type = contact.advertiserType
  const given = (kind: Identifier['kind'], texts?: string[]) =>
    texts?.[0] === undefined ? null : (identifiersOf({ [`${kind}s`]: [texts[0]] }, country)[0]?.value ?? null)
  if (contact.phones) {
    columns.phone = given('phone', contact.phones)
    columns.phone_raw = contact.phones[0] ?? null
  }
  if (contact.phoneRaw !== undefined) columns.phone_raw = contact.phoneRaw
  if (contact.emails) columns.email = given('email', contact.emails)
  const { phone, email } = { ...row, ...columns }
  const known = contact.further ? [] : (row.identifiers as string[])
  const found = identifiersIn(draft, country).map(({ value }) => value)
  columns.identifiers = [...new Set([...known, ...found])].filter(value => value !== phone && value !== email)
  return columns
}

function propertyColumns({ property = {} }: LeadDraft): Partial<LeadRow> {
  const columns: Partial<LeadRow> = {}
  for (const [name, value] of Object.entries(property) as [keyof ImportedProperty, unknown][]) {
    if (value === undefined) continue
    // An empty text says nothing, and a table could not tell it from none.
    columns[columnOf[name]] = value === null && lists.has(name) ? [] : value === '' ? null : value
  }
  Object.assign(columns, floorColumns(property))
  if (columns.published_at) columns.published_at = new Date(columns.published_at as string).toISOString()
  if (typeof columns.price === 'number') columns.price = hundredths(columns.price, 1e12)
  if (typeof columns.square_meters === 'number')
    columns.square_meters = hundredths(columns.square_meters, 1e8)
  for (const name of ['rooms', 'bedrooms', 'bathrooms'] as const)
    if (typeof columns[name] === 'number') columns[name] = whole(columns[name])
  return columns
}

/** What is stated of a floor is a number and words together: each follows from the other where one alone is written. */
function floorColumns({ floor, floorText }: NonNullable<LeadDraft['property']>): Partial<LeadRow> {
  if (floor === undefined && floorText === undefined) return {}
  if (floorText) return { floor: floor ?? readFloor(floorText), floor_text: floorText }
  const told = floor ?? null
  return { floor: told, floor_text: told === null ? null : String(told) }
}

/** An error for each phone, e-mail address and chat of what a caller writes that is none. */
export function errorsOfIdentifiers(
  { phone, email, identifiers }: { phone?: string | null; email?: string | null; identifiers?: string[] },
  country: string,
): InputError[] {
  const written: [path: string, kind: Identifier['kind'], text: string | null | undefined][] = [
    ['/contact/phone', 'phone', phone],
    ['/contact/email', 'email', email],
    ...(identifiers ?? []).map(
      (text, index) =>
        [`/contact/identifiers/${index}`, kindOf(text), text] as [string, Identifier['kind'], string],
    ),
  ]
  return written.flatMap(([path, kind, text]) =>
    text && identifiersOf({ [`${kind}s`]: [text] }, country).length === 0
      ? [{ path, code: 'WRONG_FORMAT', message: `${JSON.stringify(text)} ${notOne[kind]}` }]
      : [],
  )
}

const notOne: Record<Identifier['kind'], string> = {
  phone: 'is not a valid phone number. Write it with its prefix, such as +34612345678.',
  email: 'is not an e-mail address.',
  chat: 'is not a phone number, an e-mail address or a chat such as whatsapp:34612345678.',
}
