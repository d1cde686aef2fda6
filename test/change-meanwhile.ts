/** Changes what is stored between two statements of a read. */
import { type Database, sql } from '../src/kit/db/index.ts'
import { eventually } from './harness.ts'

interface Meanwhile<T> {
  /** Holds up the statement that reads it, until the change is committed. The change does not need it. */
  table: string
  read(): Promise<T>
  change(): Promise<unknown>
}

/** Returns what was read. */
export async function changeMeanwhile<T>(
  { owner, ownerPool }: Database,
  { table, read, change }: Meanwhile<T>,
): Promise<T> {
  const countWaiting = async () => {
    const { rows } = await ownerPool.query(
      `select from pg_locks where relation = $1::regclass and not granted`,
      [`aldaba.${table}`],
    )
    return rows.length
  }
  const { reading } = await owner.transaction().execute(async holder => {
    await sql`lock table ${sql.table(`aldaba.${table}`)} in access exclusive mode`.execute(holder)
    const reading = read()
    await eventually(countWaiting, count => count > 0)
    await change()
    // As a property: a promise itself would be awaited here.
    return { reading }
  })
  return reading
}
