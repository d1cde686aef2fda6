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
  })
}

/** For library calls whose outcome is told by us. */
export const quietLogger = new Logger(() => () => {})

/** The queue's messages in our log; its "info" is of no interest to an operator. */
export function queueLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(
    () => (level, message, meta) => log[levels[level]]({ queue: meta?.error ?? undefined }, message),
  )
}
