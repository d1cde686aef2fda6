/** Parses a row of a file into the input of a lead, and collects the problems of the row. */

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

/** A row that becomes or changes a lead. */
export interface ParsedLeadRow {
  number: number
  problems: Problem[]
  input: LeadInput
  /** The sender's own id of the lead; in our own exports, its id here. */
  externalId: string | null
  note: string | null
  basis: Basis | null
  /** The derived values, computed in advance. */
  prepared?: PreparedLead
}

interface Basis {
  kind: NonNullable<NonNullable<ImportedLead['lawfulBasis']>['kind']>
  /** Null: the time of the import, as attested. */
  at: string | null
  proof: string
  channels: Channel[] | null
  expiresAt: string | null
}

/** A row from which no lead can be created. */
export interface FailedRow {
  number: number
  problems: Problem[]
  failure: Reason
}

/** The most problems stored per row: a hostile line can have one for each value. */
const problemsMax = 100
const externalIdMaxLength = 255
const customMaxLength = 5000
const customMax = 200
const tagMaxLength = 100
const tagsMax = 100

/** Returns the function that parses rows of this import. `now`: a past event with a date after this is invalid. */
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
      const parsed = parseRow(row.cells, mapping, { ...options, headings })
      return limitProblems(toParsedRow(number, parsed, shapeProblems(row, isOwnExport), toBasis))
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
  'The mapping has no field for this name, so it is ignored in this line and the following ones. Add it to the mapping.'

const extraCells: Problem = {
  column: null,
  code: 'EXTRA_CELLS',
  message: 'The row has more cells than the table has columns. The cells without a heading were ignored.',
}

const backslash: Problem = {
  column: null,
  code: 'BACKSLASH_BEFORE_SEPARATOR',
  message:
    'A cell ends with a backslash. If the backslash was meant to escape the separator, the following cells are in the wrong columns: export the table with quotation marks around its cells.',
}

/** Problems with the cells of a row. Our own exports quote their cells correctly, so backslashes in them are no problem. */
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
  parsed: ParsedRow,
  before: Problem[],
  toBasis: ToBasis,
): ParsedLeadRow | FailedRow {
  // The value itself is not stored: the rows of an import hold no personal data.
  const problems = [...before, ...parsed.problems.map(each => problem(each.column, each.code, each.message))]
  const { lead } = parsed
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
  // An empty list does not clear the list of a known lead.
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

/** In an export of ours, the id of the lead takes precedence. */
function toSourceRecordId({ aldabaId, externalId }: ImportedLead, problems: Problem[]): string | null {
  if (aldabaId !== undefined) return aldabaId
  if (externalId === undefined) return null
  if (!isLongerThan(externalIdMaxLength, externalId)) return externalId
  problems.push(problem(null, 'EXTERNAL_ID_TOO_LONG', `An id has at most ${externalIdMaxLength} characters.`))
  return null
}

const basisProblems = {
  LAWFUL_BASIS_INCOMPLETE: 'The kind of the lawful basis is missing, so it was not recorded.',
  LAWFUL_BASIS_UNCLEAR: 'Part of the lawful basis could not be read, so it was not recorded.',
  LAWFUL_BASIS_ENDS_EARLY: 'The lawful basis ends before it begins, so it was not recorded.',
  LAWFUL_BASIS_IN_FUTURE: 'The lawful basis is dated in the future, so it was not recorded.',
  LAWFUL_BASIS_NOT_PROVEN:
    'A lawful basis needs a date and a proof, in the row or as the attestation of the import. This one was not recorded.',
} as const

/** Returns the lawful basis of a row; null: it has none, or an invalid one. It needs a date and a proof, or an attestation. */
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
