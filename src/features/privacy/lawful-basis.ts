/** Why a person may be contacted: what a workspace may record as the reason. The lead keeps it (decision 27). */
import { type InputError, invalidInput } from '../../kit/problem.ts'
import type { NewLawfulBasis } from './lawful-basis-schemas.ts'

/** As it is kept: times in UTC. */
export type ReadBasis = NewLawfulBasis & { recordedAt: string }

/** Clocks differ by so much; what is later than that is still to come. */
const clocksDifferMs = 5 * 60_000

/**
 * The errors of a basis, or of its fields that fit the schema, with their places below `path`: it ends before it begins, what it
 * states is in the future, or a time can not be kept, such as the 61st second of a minute or a year that has five digits in UTC.
 */
export function errorsOfBasis(
  basis: Partial<NewLawfulBasis>,
  now: Date,
  { path = '', isFaulty }: { path?: string; isFaulty(path: string): boolean },
): InputError[] {
  const errors: InputError[] = []
  for (const name of ['recordedAt', 'noticeSentAt', 'expiresAt'] as const) {
    const at = `${path}/${name}`
    const time = readTime(basis[name])
    if (time === undefined)
      errors.push({ path: at, code: 'WRONG_FORMAT', message: `There is no time ${basis[name]}.` })
    else if (name !== 'expiresAt' && time && Date.parse(time) - now.getTime() > clocksDifferMs)
      errors.push({ path: at, code: 'TOO_LATE', message: `${time} is still to come.` })
  }
  const [recordedAt, expiresAt] = [readTime(basis.recordedAt), readTime(basis.expiresAt)]
  const isBeginKnown = recordedAt !== undefined && !isFaulty(`${path}/recordedAt`)
  const begin = min(recordedAt ?? now.toISOString(), now.toISOString())
  if (isBeginKnown && expiresAt && expiresAt <= begin) errors.push(endsTooEarly(path))
  return errors
}

const endsTooEarly = (path: string): InputError => ({
  path: `${path}/expiresAt`,
  code: 'TOO_EARLY',
  message: 'A basis can not end before it begins.',
})

/**
 * A basis without errors, as it is kept: a time that another clock has reached is now. Throws 400 if it begins now and has ended
 * already.
 */
export function readBasis(basis: NewLawfulBasis, now: Date, path = ''): ReadBasis {
  const past = (time: string | null) => (time === null ? null : min(time, now.toISOString()))
  const recordedAt = past(readTime(basis.recordedAt) ?? null) ?? now.toISOString()
  const noticeSentAt = past(readTime(basis.noticeSentAt) ?? null)
  const expiresAt = readTime(basis.expiresAt) ?? null
  if (expiresAt && expiresAt <= recordedAt) {
    const error = endsTooEarly(path)
    throw invalidInput(error.path, error.code, error.message)
  }
  return { ...basis, recordedAt, expiresAt, ...(basis.noticeSentAt === undefined ? {} : { noticeSentAt }) }
}

const min = (one: string, other: string) => (one < other ? one : other)

/** ISO 8601, UTC, which sorts as the times do. Undefined for what has the form of a time and is none that can be kept. */
function readTime(text: string | null | undefined): string | null | undefined {
  if (text == null) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined
}
