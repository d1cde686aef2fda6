/** API errors: a stable code, an HTTP status and a public message. The private cause is only logged. */

/** The error codes that all features share, with their HTTP statuses. Features declare others as `ProblemType`. */
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

/** For docs/reference/errors.md: sentences for the developer of a client. */
export interface ProblemHelp {
  meaning: string
  /** What the caller should do. */
  action: string
}

/** An error code of one feature. */
export interface ProblemType extends ProblemHelp {
  /** Stable, for programs: `LEAD_EXISTS`. */
  code: string
  status: number
  /** An example message, for the documentation. */
  example: string
  /** Example values of the extra fields, by name. */
  exampleDetails?: Record<string, unknown>
}

/** Returns the code and its HTTP status. */
export function toCodeAndStatus(problem: ProblemCode | ProblemType): Pick<ProblemType, 'code' | 'status'> {
  return typeof problem === 'string' ? { code: problem, status: problemStatus[problem] } : problem
}

export interface InputError {
  /** JSON pointer into the body, or `/name` of a query or path parameter. */
  path: string
  code: string
  message: string
}

/** The largest number of errors listed in one reply. */
export const listedErrorsMax = 100

/** An error that is sent to the caller. `message` is public; `cause` is not. */
export class Problem extends Error {
  /** Extra fields of the reply, as declared in a feature's `problemFields`. */
  readonly details: Record<string, unknown>
  readonly status: number
  readonly code: string
  readonly errors: InputError[] | undefined
  readonly headers: Record<string, string>

  constructor(
    type: ProblemCode | ProblemType,
    message: string,
    options: {
      errors?: InputError[]
      headers?: Record<string, string>
      details?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    const { code, status } = toCodeAndStatus(type)
    this.code = code
    this.status = status
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.details = options.details ?? {}
  }
}

/** Creates a 400 INVALID_INPUT for one value, for rules that a schema cannot express. */
export function invalidInput(path: string, code: string, message: string): Problem {
  return invalidInputs([{ path, code, message }])
}

/** Creates a 400 INVALID_INPUT for one or more values. */
export function invalidInputs(errors: InputError[]): Problem {
  const [sentence, ...others] = new Set(errors.map(toSentence))
  const message = others.length === 0 ? sentence! : `${errors.length} values are not valid: see errors.`
  return new Problem('INVALID_INPUT', message, { errors })
}

/** Throws 400 INVALID_INPUT if there are errors. */
export function throwIfInvalid(errors: InputError[]): void {
  if (errors.length > 0) throw invalidInputs(errors)
}

/** Returns the message as a sentence. It may be one already, or a predicate that follows the name: `is required`. */
function toSentence({ path, message }: InputError): string {
  const name = path.slice(1) || 'The body'
  const start = /^[a-z]/.test(message) ? `${name} ` : /^"/.test(message) ? `${name}: ` : ''
  const sentence = start + message
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Creates a 404, the same for an unknown id and for an id of another workspace. */
export function notFound(what: string): Problem {
  return new Problem('NOT_FOUND', `There is no ${what} with this id.`)
}
