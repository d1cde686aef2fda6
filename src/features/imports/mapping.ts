/** The mapping of columns to fields: the guess, the changes by the caller, and the rule for unknown columns. */
import { findExportedFields } from '../../domain/table/exported-headings.ts'
import { isLeadField, type LeadField, leadFields, type Mapping } from '../../domain/table/lead-fields.ts'
import { didYouMean } from '../../kit/did-you-mean.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { toPointerPart } from '../../kit/json-pointer.ts'
import { type InputError, invalidInput, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { customPrefix, toCustomField } from './custom-fields.ts'

/** A mapping as the caller sends it, not yet validated. */
export type MappingInput = Record<string, string | null>

/** Parses the parameter `mapping`. Throws 400 if it is not a JSON object of texts and nulls. */
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

/** The mapping of a file, and its kind: NDJSON may have more names in later lines, so any heading is allowed. */
export interface CurrentMapping {
  mapping: Mapping
  kind: 'csv' | 'ndjson'
}

/** Returns the current mapping with the changes of `input`. Throws 400 if they have errors. */
export function applyMapping(current: CurrentMapping, input: MappingInput): Mapping {
  throwIfInvalid(validateMapping(input, current))
  return { ...current.mapping, ...(input as Mapping) }
}

/** Returns an error for each unknown heading and unknown field. `current` null: the headings of the file are not known yet. */
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

/** Returns the errors of the parameter `mapping` that can be found before the file is received. */
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

/** Maps unknown columns to custom fields. Read-only columns of our own exports are not mapped. */
export function keepUnknown(mapping: Mapping): Mapping {
  const findExportedField = findExportedFields(Object.keys(mapping))
  return Object.fromEntries(
    Object.entries(mapping).map(([heading, field]) => [
      heading,
      field ?? (findExportedField(heading) === null ? null : toCustomField(heading)),
    ]),
  )
}
