/** Validates and normalizes the lawful basis for contacting a person. It is stored on the lead (decision 27). */
import { type InputError, invalidInput } from '../../kit/problem.ts'
import type { NewLawfulBasis } from './lawful-basis-schemas.ts'

/** A basis as it is stored: times in UTC, ISO 8601. */
export type StoredBasis = NewLawfulBasis & { recordedAt: string }

/** Tolerance for the clocks of clients: a time that is later than this is in the future. */
const clockToleranceMs = 5 * 60_000

/**
 * The errors of a basis, or of its fields that fit the schema, with paths below `path`: it ends before it begins, a
 * time is in the future, or a time can not be stored, such as the 61st second of a minute or a year outside of 1 to
 * 9999 in UTC.
 */
export function validateBasis(
  basis: Partial<NewLawfulBasis>,
  now: Date,
  { path = '', hasErrorsAt }: { path?: string; hasErrorsAt(path: string): boolean },
): InputError[] {
  const errors: InputError[] = []
  for (const name of ['recordedAt', 'noticeSentAt', 'expiresAt'] as const) {
    const fieldPath = `${path}/${name}`
    const time = parseTime(basis[name])
    if (time === undefined)
      errors.push({
        path: fieldPath,
        code: 'WRONG_FORMAT',
        message: `The time ${basis[name]} does not exist.`,
      })
    else if (name !== 'expiresAt' && time && Date.parse(time) - now.getTime() > clockToleranceMs)
      errors.push({ path: fieldPath, code: 'TOO_LATE', message: `${time} is in the future.` })
  }
  const [recordedAt, expiresAt] = [parseTime(basis.recordedAt), parseTime(basis.expiresAt)]
  const isStartKnown = recordedAt !== undefined && !hasErrorsAt(`${path}/recordedAt`)
  const start = min(recordedAt ?? now.toISOString(), now.toISOString())
  if (isStartKnown && expiresAt && expiresAt <= start) errors.push(createEndsTooEarly(path))
  return errors
}

const createEndsTooEarly = (path: string): InputError => ({
  path: `${path}/expiresAt`,
  code: 'TOO_EARLY',
  message: 'The basis ends before it begins. Send a later time.',
})

/**
 * Converts a valid basis to its stored form; times within the clock tolerance become now. Throws 400 if it begins now
 * and has ended already.
 */
export function normalizeBasis(basis: NewLawfulBasis, now: Date, path = ''): StoredBasis {
  const clampToNow = (time: string | null) => (time === null ? null : min(time, now.toISOString()))
  const recordedAt = clampToNow(parseTime(basis.recordedAt) ?? null) ?? now.toISOString()
  const noticeSentAt = clampToNow(parseTime(basis.noticeSentAt) ?? null)
  const expiresAt = parseTime(basis.expiresAt) ?? null
  if (expiresAt && expiresAt <= recordedAt) {
    const error = createEndsTooEarly(path)
    throw invalidInput(error.path, error.code, error.message)
  }
  return { ...basis, recordedAt, expiresAt, ...(basis.noticeSentAt === undefined ? {} : { noticeSentAt }) }
}

const min = (one: string, other: string) => (one < other ? one : other)

/** Converts to ISO 8601 in UTC, which sorts by time. Undefined: the time does not exist or can not be stored. */
function parseTime(text: string | null | undefined): string | null | undefined {
  if (text == null) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined
}
