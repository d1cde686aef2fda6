/** Why a person may be contacted: what a workspace may record as the reason. The lead keeps it (decision 27). */
import { type InputError, invalidInput } from '../../kit/problem.ts'
import type { NewLawfulBasis } from './lawful-basis-schemas.ts'

/** As it is kept: times in UTC. */
export type StoredBasis = NewLawfulBasis & { recordedAt: string }

/** Clocks differ by so much; what is later than that is still to come. */
const clockToleranceMs = 5 * 60_000

/**
 * The errors of a basis, or of its fields that fit the schema, with their places below `path`: it ends before it begins, what it
 * states is in the future, or a time can not be kept, such as the 61st second of a minute or a year that has five digits in UTC.
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
      errors.push({ path: fieldPath, code: 'WRONG_FORMAT', message: `There is no time ${basis[name]}.` })
    else if (name !== 'expiresAt' && time && Date.parse(time) - now.getTime() > clockToleranceMs)
      errors.push({ path: fieldPath, code: 'TOO_LATE', message: `${time} is still to come.` })
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
  message: 'A basis can not end before it begins.',
})

/**
 * A basis without errors, as it is kept: a time that another clock has reached is now. Throws 400 if it begins now and has ended
 * already.
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

/** ISO 8601, UTC, which sorts as the times do. Undefined for what has the form of a time and is none that can be kept. */
function parseTime(text: string | null | undefined): string | null | undefined {
  if (text == null) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined
}
