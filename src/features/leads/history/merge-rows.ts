/** What two leads that are made one say together. */
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

/** Lists that both have a part in. */
const unionColumns = ['tags', 'features', 'images'] as const
/** Of these the later one holds. */
const latestColumns = ['lawful_basis_withdrawn_at', 'last_contacted_at', 'last_reply_at'] as const

/**
 * The row of the lead that stays: what it does not say it takes from the other, but for what somebody has emptied, and lists are
 * united. A lawful basis and a notice are of a person: they are the other's as well if both are of one.
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
  const isEmptied = (name: WritableColumn) =>
    (columnGroups.find(names => names.some(each => each === name)) ?? [name]).every(
      each => row[each] === null,
    )
  copy(edited.filter(isEmptied), row)
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
  // That somebody has emptied it on the other is taken over like a value.
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

/** Whose basis holds: not one that the person has withdrawn since, on the other lead. Null: neither's. */
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

/** Not if each has a telephone or an address that the other has not: who consents speaks for nobody else. */
export function isSamePerson(row: Person, other: Person): boolean {
  const [ownIdentifiers, otherIdentifiers] = [toIdentifiers(row), toIdentifiers(other)]
  return (
    ownIdentifiers.length === 0 ||
    otherIdentifiers.length === 0 ||
    ownIdentifiers.some(value => otherIdentifiers.includes(value))
  )
}

/** Its own basis, for the channels that lead to its own person; the others may lead to another's from now on. */
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

/** Of two times, ISO 8601. */
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
