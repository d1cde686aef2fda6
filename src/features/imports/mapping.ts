/** What each column is: as it is guessed, as the caller says, and what becomes of the columns that nobody names. */
import { findExportedFields } from '../../domain/table/exported-headings.ts'
import { isLeadField, type LeadField, leadFields, type Mapping } from '../../domain/table/lead-fields.ts'
import { didYouMean } from '../../kit/did-you-mean.ts'
import { parseJson } from '../../kit/json-depth.ts'
import { toPointerPart } from '../../kit/json-pointer.ts'
import { type InputError, invalidInput, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { customPrefix, toCustomField } from './custom-fields.ts'

/** A mapping as a caller writes it. */
export type MappingInput = Record<string, string | null>

/** Reads the JSON of the parameter `mapping`. Throws 400 if it is not the JSON of a mapping. */
export function parseMapping(text: string): MappingInput {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw invalidInput('/mapping', 'WRONG_FORMAT', 'The mapping is not valid JSON.')
  }
  const isMapping =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(field => field === null || typeof field === 'string')
  if (!isMapping)
    throw invalidInput(
      '/mapping',
      'WRONG_TYPE',
      'The mapping must be an object of fields by heading, such as {"Teléfono": "contact.phone", "Notas": null}.',
    )
  return value as MappingInput
}

/** The mapping of a file, and its kind: the lines of NDJSON may have further names below. */
export interface CurrentMapping {
  mapping: Mapping
  kind: 'csv' | 'ndjson'
}

/** The known mapping with what `input` says of the columns it names. Throws 400 if that has errors. */
export function applyMapping(current: CurrentMapping, input: MappingInput): Mapping {
  throwIfInvalid(validateMapping(input, current))
  return { ...current.mapping, ...(input as Mapping) }
}

/** An error for each heading that the file does not have, and for what is no field. Null: the headings of the file are unknown. */
export function validateMapping(input: MappingInput, current: CurrentMapping | null): InputError[] {
  return Object.entries(input).flatMap(([heading, field]): InputError[] => {
    const path = `/mapping/${toPointerPart(heading)}`
    if (current?.kind === 'csv' && !Object.hasOwn(current.mapping, heading))
      return [{ path, code: 'UNKNOWN_HEADING', message: 'is not a heading of this file' }]
    if (field === null || isField(field)) return []
    const hint = didYouMean(field, leadFields)
    return [
      { path, code: 'NOT_ALLOWED', message: `${JSON.stringify(field)} is not a field of a lead${hint}` },
    ]
  })
}

/** The errors of the parameter `mapping` that show without a file. */
export function validateMappingText(text: string | undefined): InputError[] {
  if (text === undefined) return []
  try {
    return validateMapping(parseMapping(text), null)
  } catch (error) {
    if (error instanceof Problem) return error.errors ?? []
    throw error
  }
}

function isField(field: string): field is LeadField {
  return (
    isLeadField(field) &&
    (!field.startsWith(customPrefix) || toCustomField(field.slice(customPrefix.length)) === field)
  )
}

/** Columns of which nothing is known become custom fields of their own name; of an export of ours, what no file can change does not. */
export function keepUnknown(mapping: Mapping): Mapping {
  const findExportedField = findExportedFields(Object.keys(mapping))
  return Object.fromEntries(
    Object.entries(mapping).map(([heading, field]) => [
      heading,
      field ?? (findExportedField(heading) === null ? null : toCustomField(heading)),
    ]),
  )
}
