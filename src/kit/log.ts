/** Logging: one pino logger, and the shape in which the queue's library wants one. */
import { Logger } from 'graphile-worker'
import { type Logger as Log, pino } from 'pino'

export type { Log }

/** A JSON line per entry on stdout, never with a key or a secret in it. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: { pid: process.pid },
    redact: ['headers.authorization', 'headers["x-api-key"]'],
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: briefError },
  })
}

/** What tells an error apart. A database error of its own accord drags its connection along, secrets and all. */
function briefError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const cause = error.cause === undefined ? {} : { cause: briefError(error.cause) }
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...cause,
  }
}

/** For library calls whose outcome is told by us. */
export const quietLogger = new Logger(() => () => {})

/** Advice on a connection for every job at once. Ours need none of the queue's: it only takes jobs and notes their end. */
const isPoolAdvice = (message: string) => message.includes('smaller than concurrency')

/** The queue's messages in our log; its "info" is of no interest to an operator. */
export function queueLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(
    () => (level, message, meta) =>
      log[isPoolAdvice(message) ? 'debug' : levels[level]]({ err: meta?.error }, message),
  )
}
