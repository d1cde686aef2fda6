/** The rules for merging the rows of two leads. */
import { getCoveredChannels } from '../../../domain/contactability/contactability.ts'
import type { Channel, LawfulBasisKind } from '../../../domain/contactability/facts.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { columnGroups } from '../record/lead-columns.ts'
import { isEqual, type LeadRow, type WritableColumn, writableColumns } from '../record/lead-row.ts'

export const basisColumns: WritableColumn[] = [
  'lawful_basis',
  'lawful_basis_at',
  'lawful_basis_proof',
  'lawful_basis_channels',
  'lawful_basis_expires_at',
  'lawful_basis_by',
  'consent_at',
]

/** Lists that are united. */
const unionColumns = ['tags', 'features', 'images'] as const
/** Times of which the later one is kept. */
const latestColumns = ['lawful_basis_withdrawn_at', 'last_contacted_at', 'last_reply_at'] as const

/**
 * The row of the surviving lead. It takes missing values from the other row, except columns that somebody has
 * cleared; lists are united. A lawful basis and a notice belong to a person: they are taken over only if both leads
 * are about the same person.
 */
export function mergeRows(row: LeadRow, other: LeadRow): LeadRow {
  const merged = { ...row }
  for (const name of Object.keys(writableColumns) as WritableColumn[]) merged[name] = row[name] ?? other[name]
  const copy = (names: WritableColumn[], from: LeadRow | null) => {
    for (const name of names) merged[name] = from === null ? null : from[name]
  }
  for (const names of columnGroups) {
    const stated = [row, other].find(one => one[names[0]!] !== null)
    if (stated) copy(names, stated)
  }
  const edited = row.edited_columns as WritableColumn[]
  const isCleared = (name: WritableColumn) =>
    (columnGroups.find(names => names.some(each => each === name)) ?? [name]).every(
      each => row[each] === null,
    )
  copy(edited.filter(isCleared), row)
  const isOnePerson = isSamePerson(row, other)
  if (row.lawful_basis !== null || other.lawful_basis !== null)
    copy(basisColumns, isOnePerson ? chooseBasisHolder(row, other) : limitBasisToOwnChannels(row))
  for (const name of latestColumns) merged[name] = later(row[name], other[name])
  merged.notice_sent_at = isOnePerson ? later(row.notice_sent_at, other.notice_sent_at) : row.notice_sent_at
  for (const name of unionColumns)
    merged[name] = [...new Set([...(row[name] as string[]), ...(other[name] as string[])])]
  merged.custom_fields = { ...(other.custom_fields as object), ...(row.custom_fields as object) }
  merged.identifiers = [
    ...new Set([row.identifiers, other.phone, other.email, other.identifiers].flat() as string[]),
  ].filter(value => value !== null && value !== merged.phone && value !== merged.email)
  // A cleared column of the other lead is taken over like a value.
  const copied = (other.edited_columns as WritableColumn[]).filter(
    name => isEqual(merged[name], other[name]) && (isEmpty(row[name]) || !isEqual(row[name], merged[name])),
  )
  merged.edited_columns = [...new Set([...edited, ...copied])].sort()
  merged.price_history = mergeHistories(
    row.price_history as PricePoint[],
    other.price_history as PricePoint[],
  )
  return merged
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/**
 * The lead whose basis is kept; null: neither. A basis does not count if the person has withdrawn one later on the
 * other lead.
 */
function chooseBasisHolder(row: LeadRow, other: LeadRow): LeadRow | null {
  const isValid = (one: LeadRow, counterpart: LeadRow) =>
    one.lawful_basis !== null &&
    (counterpart.lawful_basis !== null ||
      counterpart.lawful_basis_withdrawn_at === null ||
      String(one.lawful_basis_at) > String(counterpart.lawful_basis_withdrawn_at))
  if (isValid(row, other)) return row
  return isValid(other, row) ? other : null
}

export type Person = Pick<LeadRow, 'phone' | 'email' | 'identifiers'>

/** False if both have identifiers and none in common: consent is valid for one person only. */
export function isSamePerson(row: Person, other: Person): boolean {
  const [ownIdentifiers, otherIdentifiers] = [toIdentifiers(row), toIdentifiers(other)]
  return (
    ownIdentifiers.length === 0 ||
    otherIdentifiers.length === 0 ||
    ownIdentifiers.some(value => otherIdentifiers.includes(value))
  )
}

/**
 * The row with its basis limited to channels that reach its own person; the merged lead may have channels of another
 * person. Null: none is left.
 */
function limitBasisToOwnChannels(row: LeadRow): LeadRow | null {
  if (row.lawful_basis === null) return null
  const channels = row.lawful_basis_channels as Channel[] | null
  const ownIdentifiers = toIdentifiers(row)
  const reachableChannels = getCoveredChannels({
    kind: row.lawful_basis as LawfulBasisKind,
    channels,
  }).filter(channel =>
    channel === 'email'
      ? ownIdentifiers.some(isEmail)
      : ownIdentifiers.some(value => value.startsWith('+') || (channel === 'chat' && value.includes(':'))),
  )
  return reachableChannels.length === 0 ? null : { ...row, lawful_basis_channels: reachableChannels }
}

const isEmail = (value: string) => value.includes('@') && !value.includes(':')

/** The later of two times (ISO 8601). */
function later(one: unknown, other: unknown): unknown {
  return (
    [one, other]
      .filter(time => time !== null)
      .sort()
      .at(-1) ?? null
  )
}

interface PricePoint {
  price: number
  at: string
}

function mergeHistories(one: PricePoint[], other: PricePoint[]): PricePoint[] {
  return other.length === 0
    ? one
    : [...one, ...other].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}
