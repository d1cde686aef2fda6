/** Why no whole reply came from another server. */

export type HttpFailureKind = 'address-refused' | 'timeout' | 'unreachable' | 'too-large'

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind
  /** Of a reply whose body was too large. */
  readonly status: number | null
  constructor(
    kind: HttpFailureKind,
    message: string,
    { cause, status = null }: { cause?: unknown; status?: number | null } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.status = status
  }
}

/** The failure that an error of the HTTP library stands for. */
export function explain(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  const { cause, code } = error as { cause?: unknown; code?: string }
  if (cause instanceof HttpFailure) return cause
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new HttpFailure('timeout', 'no connection in time', { cause: error })
  const message = (error as Error).message || code || 'the connection failed'
  return new HttpFailure('unreachable', message, { cause: error })
}

export function noReplyWithin(timeoutMs: number, cause?: unknown): HttpFailure {
  return new HttpFailure('timeout', `no whole reply within ${timeoutMs} ms`, { cause })
}

export function notAByteWithin(idleTimeoutMs: number, cause: unknown): HttpFailure {
  return new HttpFailure('timeout', `not a byte within ${idleTimeoutMs} ms`, { cause })
}

export function largerThan(bodyMaxBytes: number, status: number): HttpFailure {
  return new HttpFailure('too-large', `the reply is larger than ${bodyMaxBytes} bytes`, { status })
}
