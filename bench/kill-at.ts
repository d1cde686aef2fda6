/**
 * Loaded before the program with `--import`: kills the process at a statement, as `kill -9` at this step does.
 * `KILL_AT`: `before` or `after`, a colon, and a regular expression of the statement. `after`: when its transaction is
 * committed.
 */
import pg from 'pg'

const [moment, pattern] = process.env.KILL_AT!.split(/:(.*)/s) as ['before' | 'after', string]
const statement = new RegExp(pattern)
const marked = new WeakSet<object>()
const { query } = pg.Client.prototype
type Query = (this: pg.Client, config: string | { text?: string }, ...rest: unknown[]) => unknown

const killing: Query = function (config, ...rest) {
  const text = typeof config === 'string' ? config : (config?.text ?? '')
  const isFound = statement.test(text.replace(/\s+/g, ' '))
  if (isFound && moment === 'before') process.kill(process.pid, 'SIGKILL')
  if (isFound) marked.add(this)
  const result = (query as Query).call(this, config, ...rest)
  if (text === 'commit' && marked.has(this))
    Promise.resolve(result).then(() => process.kill(process.pid, 'SIGKILL'))
  return result
}
pg.Client.prototype.query = killing as typeof query
