/**
 * Deadlocks that PostgreSQL reported during a run. The program repeats such transactions, so no test fails; but two transactions that take
 * locks in different orders wait a second for nothing.
 */

/** Put this into a statement whose deadlock a test wants. */
export const deliberate = '/* deliberate */'

const entry = / ERROR: {2}deadlock detected\n.* DETAIL: {2}(.*(?:\n\t.*)*)/g

/** The statements of each deadlock in a log of PostgreSQL, the most frequent first. */
export function findDeadlocks(log: string): { statements: string; count: number }[] {
  const found = [...log.matchAll(entry)].flatMap(([, detail = '']) => readStatements(detail) ?? [])
  return [...Map.groupBy(found, statements => statements)]
    .map(([statements, { length: count }]) => ({ statements, count }))
    .sort((one, other) => other.count - one.count)
}

/** Null: a test wants it. The detail names who waits for whom, and then the statements by process. */
function readStatements(detail: string): string | null {
  if (detail.includes(deliberate)) return null
  const [, ...statements] = detail.split(/\n\tProcess \d+: /)
  return statements.sort().join('\n\tand\n')
}

/** Prints them. */
export function reportDeadlocks(log: string): void {
  for (const { statements, count } of findDeadlocks(log))
    console.log(`Deadlock (${count} times) of\n${statements}\n`)
}
