/** Our log in the shape that the queue's library wants. */
import { Logger } from 'graphile-worker'
import type { Log } from '../log.ts'

/** For library calls whose outcome is told by us. */
export const silentLogger = new Logger(() => () => {})

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
