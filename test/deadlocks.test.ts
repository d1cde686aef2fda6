/** What a log of PostgreSQL says of deadlocks. */
import { expect, test } from 'vitest'
import { deliberate, findDeadlocks } from './deadlocks.ts'

const log = (one: string, other: string) => `2026-11-27 18:27:20.100 UTC [41] ERROR:  deadlock detected
2026-11-27 18:27:20.100 UTC [41] DETAIL:  Process 41 waits for ShareLock on transaction 900; blocked by process 42.
\tProcess 42 waits for ShareLock on transaction 899; blocked by process 41.
\tProcess 41: ${one}
\tProcess 42: ${other}
2026-11-27 18:27:20.100 UTC [41] HINT:  See server log for query details.
2026-11-27 18:27:20.200 UTC [43] ERROR:  duplicate key value violates unique constraint "leads_pkey"
2026-11-27 18:27:20.200 UTC [43] DETAIL:  Key (id)=(1) already exists.
`

test('finds the statements of deadlocks in a log, in whatever order they met, and not those that a test wants', () => {
  const lines = 'update a\n\tset b = 1'
  const text = log('select 1', lines) + log(lines, 'select 1') + log(`select 2 ${deliberate}`, 'select 3')
  expect(findDeadlocks(text)).toEqual([{ statements: `select 1\n\tand\n${lines}`, count: 2 }])
})
