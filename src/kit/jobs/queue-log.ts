/** Adapts our log to graphile-worker. */
import { Logger } from 'graphile-worker'
import type { Log } from '../log.ts'

/** For library calls whose outcome our own code logs. */
export const silentLogger = new Logger(() => () => {})

/**
 * The library advises one connection per concurrent job. It needs few here: only for taking jobs and recording their
 * end.
 */
const isPoolAdvice = (message: string) => message.includes('smaller than concurrency')

/** Writes the library's messages to our log, `info` as debug because operators do not need it. */
export function queueLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(
    () => (level, message, meta) =>
      log[isPoolAdvice(message) ? 'debug' : levels[level]]({ err: meta?.error }, message),
  )
}
