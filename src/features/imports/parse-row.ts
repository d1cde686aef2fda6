/** From a row of the file to a lead as it is saved, and what is to be told of the row. */

import type { Channel } from '../../domain/contactability/facts.ts'
import { isExport } from '../../domain/table/exported-headings.ts'
import type { ImportedLead, ImportedProperty } from '../../domain/table/imported-lead.ts'
import { isSplitByBackslash } from '../../domain/table/odd-quoting.ts'
import { type ParsedRow, parseRow } from '../../domain/table/parse-row.ts'
import { formatCell } from '../../domain/table/row-values.ts'
import { isLongerThan } from '../../domain/table/text-lengths.ts'
import type { CustomValue, LeadInput, PreparedLead } from '../leads/service.ts'
import { type Columns, createColumns } from './columns.ts'
import { toCustomFieldName } from './custom-fields.ts'
import type { FileRow } from './read-rows.ts'
import type { Reason } from './reasons.ts'
import type { ClaimedImport, StoredRow } from './run-queries.ts'

type Problem = StoredRow['problems'][number]

/** What a row asks for. */
export interface ParsedLeadRow {
  number: number
  problems: Problem[]
  input: LeadInput
  /** The sender's own id of the lead. */
  externalId: string | null
  note: string | null
  basis: Basis | null
  /** Found ahead. */
  prepared?: PreparedLead
}

interface Basis {
  kind: NonNullable<NonNullable<ImportedLead['lawfulBasis']>['kind']>
  /** Null: as it is attested, now. */
  at: string | null
  proof: string
  channels: Channel[] | null
  expiresAt: string | null
}

/** A row that no lead can be made of. */
export interface FailedRow {
  number: number
  problems: Problem[]
  failure: Reason
}

/** Of one row: a hostile line has as many as it has values. */
const problemsMax = 100
const externalIdMaxLength = 255
const customMaxLength = 5000
const customMax = 200
const tagMaxLength = 100
const tagsMax = 100

/** Returns how rows of this import are read. `now`: what is dated later is no date of something that happened. */
export function createRowParser(
  claimed: ClaimedImport,
  now: Date,
  columns: Columns = createColumns(claimed),
): (row: FileRow) => ParsedLeadRow | FailedRow {
  const { headings, mapping, country, currency } = claimed
  const isOwnExport = isExport(headings)
  const options = { country, currency, isExport: isOwnExport }
  const toBasis: ToBasis = (lead, problems) => parseBasis(lead, problems, { ...claimed, now })
  return row => {
    const { number } = row
    if ('failure' in row) return { number, problems: [], failure: row.failure }
    if ('cells' in row) {
      const reading = parseRow(row.cells, mapping, { ...options, headings })
      return limitProblems(toParsedRow(number, reading, shapeProblems(row, isOwnExport), toBasis))
    }
    const problems = columns
      .addLateColumns(row.value)
      .map(name => problem(name, 'COLUMN_UNKNOWN', columnUnknown))
    return limitProblems(toParsedRow(number, parseRow(row.value, mapping, options), problems, toBasis))
  }
}

function limitProblems(row: ParsedLeadRow | FailedRow): ParsedLeadRow | FailedRow {
  const excess = row.problems.length - problemsMax
  if (excess <= 0) return row
  const more = problem(null, 'MORE_PROBLEMS', `This row has ${excess} more problems.`)
  return { ...row, problems: [...row.problems.slice(0, problemsMax), more] }
}

const columnUnknown =
  'The mapping does not say what this is: it is passed over, here and in the lines below. Name it in the mapping.'

const extraCells: Problem = {
  column: null,
  code: 'EXTRA_CELLS',
  message: 'The row has more cells than the table has columns. Those without a heading were passed over.',
}

const backslash: Problem = {
  column: null,
  code: 'BACKSLASH_BEFORE_SEPARATOR',
  message:
    'A cell ends with a backslash. If it was meant to keep the separator in the cell, the rest of the row stands too far to the right: export the table with quotation marks around its cells.',
}

/** An export of ours has quotation marks where a cell needs them. */
function shapeProblems(row: { cells: string[]; hasExtraCells: boolean }, isOwnExport: boolean): Problem[] {
  const isSplit = !isOwnExport && isSplitByBackslash(row.cells)
  return [...(row.hasExtraCells ? [extraCells] : []), ...(isSplit ? [backslash] : [])]
}

function problem(column: string | null, code: string, message: string): Problem {
  return { column, code, message }
}

type ToBasis = (lead: ImportedLead, problems: Problem[]) => Basis | null

function toParsedRow(
  number: number,
  reading: ParsedRow,
  before: Problem[],
  toBasis: ToBasis,
): ParsedLeadRow | FailedRow {
  // The value itself is not kept: the rows of an import tell nothing of a person.
  const problems = [...before, ...reading.problems.map(each => problem(each.column, each.code, each.message))]
  const { lead } = reading
  if (!lead) return { number, problems, failure: 'NOT_IDENTIFIABLE' }
  return {
    number,
    problems,
    input: toLeadInput(lead, problems),
    externalId: toSourceRecordId(lead, problems),
    note: lead.note ?? null,
    basis: toBasis(lead, problems),
  }
}

function toLeadInput(lead: ImportedLead, problems: Problem[]): LeadInput {
  const { phones, emails, ...contact } = lead.contact
  const { features, images, ...property } = lead.property
  // A list that a row leaves empty says nothing; what is known stays.
  const lists: Partial<ImportedProperty> = {
    ...(features.length > 0 ? { features } : {}),
    ...(images.length > 0 ? { images } : {}),
  }
  const tags = lead.tags.filter(tag => !isLongerThan(tagMaxLength, tag)).slice(0, tagsMax)
  if (tags.length < lead.tags.length)
    problems.push(
      problem(null, 'TAGS_IGNORED', `A lead has at most ${tagsMax} tags of ${tagMaxLength} characters.`),
    )
  const customFields = toCustomFields(lead, problems)
  return {
    contact: {
      ...contact,
      ...(phones.length > 0 ? { phones } : {}),
      ...(emails.length > 0 ? { emails } : {}),
    },
    property: { ...property, ...lists },
    ...(lead.externalId === undefined || isLongerThan(externalIdMaxLength, lead.externalId)
      ? {}
      : { externalId: lead.externalId }),
    ...(lead.status === undefined ? {} : { status: lead.status }),
    ...(tags.length > 0 ? { tags } : {}),
    ...(Object.keys(customFields).length > 0 ? { customFields } : {}),
  }
}

function toCustomFields({ customFields }: ImportedLead, problems: Problem[]): Record<string, CustomValue> {
  const fields: [name: string, value: CustomValue][] = []
  for (const [name, value] of Object.entries(customFields)) {
    const isPlain = value === null || typeof value === 'number' || typeof value === 'boolean'
    const plain = isPlain ? value : formatCell(value)
    if (typeof plain === 'string' && isLongerThan(customMaxLength, plain))
      problems.push(problem(name, 'TOO_LONG', `A custom field holds at most ${customMaxLength} characters.`))
    else if (fields.length === customMax)
      problems.push(problem(name, 'TOO_MANY', `A lead has at most ${customMax} custom fields.`))
    else fields.push([toCustomFieldName(name), plain])
  }
  return Object.fromEntries(fields)
}

/** Of an export, the lead's own id counts. */
function toSourceRecordId({ aldabaId, externalId }: ImportedLead, problems: Problem[]): string | null {
  if (aldabaId !== undefined) return aldabaId
  if (externalId === undefined) return null
  if (!isLongerThan(externalIdMaxLength, externalId)) return externalId
  problems.push(problem(null, 'EXTERNAL_ID_TOO_LONG', `An id has at most ${externalIdMaxLength} characters.`))
  return null
}

const basisProblems = {
  LAWFUL_BASIS_INCOMPLETE: 'It is not said what the lawful basis is: it was not recorded.',
  LAWFUL_BASIS_UNCLEAR:
    'Part of what the row says of the lawful basis could not be read: it was not recorded.',
  LAWFUL_BASIS_ENDS_EARLY: 'The lawful basis ends before it begins, so it was not recorded.',
  LAWFUL_BASIS_IN_FUTURE: 'The lawful basis is dated in the future, so it was not recorded.',
  LAWFUL_BASIS_NOT_PROVEN:
    'A lawful basis has its date and what shows it, in the row or attested for the whole import: this one was not recorded.',
} as const

/** That a row says so is no proof by itself: either it tells when and what shows it, or who sends the file answers for it. */
function parseBasis(
  { lawfulBasis }: ImportedLead,
  problems: Problem[],
  { now, attestation }: { now: Date; attestation: string | null },
): Basis | null {
  if (!lawfulBasis) return null
  const { kind, at = null, proof = attestation, channels = null, expiresAt = null } = lawfulBasis
  const refuse = (code: keyof typeof basisProblems) => {
    problems.push(problem(null, code, basisProblems[code]))
    return null
  }
  if (lawfulBasis.isUnclear) return refuse('LAWFUL_BASIS_UNCLEAR')
  if (!kind) return refuse('LAWFUL_BASIS_INCOMPLETE')
  if (at !== null && new Date(at) > now) return refuse('LAWFUL_BASIS_IN_FUTURE')
  if (!proof || (at === null && attestation === null)) return refuse('LAWFUL_BASIS_NOT_PROVEN')
  if (expiresAt !== null && new Date(expiresAt) <= new Date(at ?? now))
    return refuse('LAWFUL_BASIS_ENDS_EARLY')
  return { kind, at, proof, channels, expiresAt }
}
