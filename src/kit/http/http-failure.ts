/** The error of an HTTP exchange without a complete reply. */

export type HttpFailureKind = 'address-refused' | 'timeout' | 'unreachable' | 'too-large'

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind
  /** The status of a reply whose body was too large, late, cut off or broken. Null if no reply had started. */
  readonly status: number | null
  /** False: the connection failed before any part of the request was written, so the server has not acted on it. */
  readonly isSent: boolean
  constructor(
    kind: HttpFailureKind,
    message: string,
    {
      cause,
      status = null,
      isSent = true,
    }: { cause?: unknown; status?: number | null; isSent?: boolean } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.isSent = isSent
  }
}

/** Converts an error of undici. `status` is that of the reply that had started, or null. */
export function toHttpFailure(error: unknown, status: number | null, isSent = true): HttpFailure {
  if (error instanceof HttpFailure) return error
  const { cause, code } = error as { cause?: unknown; code?: string }
  if (cause instanceof HttpFailure) return cause
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new HttpFailure('timeout', 'the connection was not established in time', {
      cause: error,
      isSent: false,
    })
  const message = (error as Error).message || code || 'the connection failed'
  return new HttpFailure('unreachable', message, { cause: error, status, isSent })
}

export function timeoutFailure(
  timeoutMs: number,
  status: number | null,
  { cause, isSent = true }: { cause?: unknown; isSent?: boolean } = {},
): HttpFailure {
  return new HttpFailure('timeout', `no complete reply within ${timeoutMs} ms`, { cause, status, isSent })
}

export function idleFailure(idleTimeoutMs: number, status: number | null, cause: unknown): HttpFailure {
  return new HttpFailure('timeout', `no data for ${idleTimeoutMs} ms`, { cause, status })
}

export function tooLargeFailure(bodyMaxBytes: number, status: number): HttpFailure {
  return new HttpFailure('too-large', `the reply is larger than ${bodyMaxBytes} bytes`, { status })
}
