/** Errors as part of the contract: a stable code, a status and a public sentence; the private cause goes to the log. */

/** The codes that routes of any feature may reply with, and their HTTP statuses. Features declare others of their own. */
export const problemStatus = {
  INVALID_INPUT: 400,
  MALFORMED_JSON: 400,
  INVALID_CURSOR: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  ORIGIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_IN_FLIGHT: 409,
  INVALID_TRANSITION: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  TOO_MANY_CONCURRENT_REQUESTS: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ProblemCode = keyof typeof problemStatus

/** A code of a feature's own. */
export interface ProblemType {
  /** Stable, for programs: `LEAD_EXISTS`. */
  code: string
  status: number
  /** A sentence for people, for the documentation. */
  example: string
  /** What a reply says besides, by field. */
  exampleDetails?: Record<string, string>
}

/** A code, with its status. */
export function toCodeAndStatus(problem: ProblemCode | ProblemType): Pick<ProblemType, 'code' | 'status'> {
  return typeof problem === 'string' ? { code: problem, status: problemStatus[problem] } : problem
}

export interface InputError {
  /** JSON pointer into the body, or `/name` of a query or path parameter. */
  path: string
  code: string
  message: string
}

/** So many errors are listed in one reply. */
export const listedErrorsMax = 100

/** A refusal that the caller is told of. `message` is public; `cause` is not. */
export class Problem extends Error {
  /** Ids of what the refusal is about, by the `problemFields` of a feature. */
  readonly details: Record<string, string>
  readonly status: number
  readonly code: string
  readonly errors: InputError[] | undefined
  readonly headers: Record<string, string>

  constructor(
    type: ProblemCode | ProblemType,
    message: string,
    details: {
      errors?: InputError[]
      headers?: Record<string, string>
      details?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    const { code, status } = toCodeAndStatus(type)
    this.code = code
    this.status = status
    this.errors = details.errors
    this.headers = details.headers ?? {}
    this.details = details.details ?? {}
  }
}

/** A 400 about one value, for rules that a schema can't state. */
export function invalidInput(path: string, code: string, message: string): Problem {
  return invalidInputs([{ path, code, message }])
}

/** A 400 about these values, at least one. */
export function invalidInputs(errors: InputError[]): Problem {
  const [sentence, ...others] = new Set(errors.map(toSentence))
  const message = others.length === 0 ? sentence! : `${errors.length} values are not valid: see errors.`
  return new Problem('INVALID_INPUT', message, { errors })
}

export function throwIfInvalid(errors: InputError[]): void {
  if (errors.length > 0) throw invalidInputs(errors)
}

/** The message of an error is a sentence, or what comes after the name of the value: `is required`. */
function toSentence({ path, message }: InputError): string {
  const name = path.slice(1) || 'The body'
  const start = /^[a-z]/.test(message) ? `${name} ` : /^"/.test(message) ? `${name}: ` : ''
  const sentence = start + message
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** A 404 that is the same for an unknown id and for another workspace's. */
export function notFound(what: string): Problem {
  return new Problem('NOT_FOUND', `There is no ${what} with this id.`)
}
