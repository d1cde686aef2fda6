/** Logging with pino. */
import { type Logger as Log, pino } from 'pino'

export type { Log }

/** Creates a logger that writes JSON lines to stdout, without keys and secrets. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: { pid: process.pid },
    redact: ['headers.authorization', 'headers["x-api-key"]'],
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  })
}

/** Returns only the essential fields of an error. Database errors also carry their connection, with its secrets. */
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
