/** Logging: one pino logger. */
import { type Logger as Log, pino } from 'pino'

export type { Log }

/** A JSON line per entry on stdout, never with a key or a secret in it. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: { pid: process.pid },
    redact: ['headers.authorization', 'headers["x-api-key"]'],
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  })
}

/** What tells an error apart. A database error of its own accord drags its connection along, secrets and all. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...cause,
  }
}
