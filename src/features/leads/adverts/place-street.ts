/** The street under which a lead is found by adverts without a pin: kept as its address is. */
import { sql } from 'kysely'
import { placeKeys } from '../../../domain/dedupe/place-keys.ts'
import type { Tx } from '../../../kit/db/index.ts'

interface Filed {
  id: string
  placeStreet: number | null
  address: string | null
  municipality: string | null
  postcode: string | null
}

/** Call it with the leads whose address, town or postcode may have changed; the database itself keeps the cells of pins. */
export async function fileUnderStreets(tx: Tx, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return
  const { rows } = await sql<Filed>`
    select id, place_street as "placeStreet", address, municipality, postcode
    from leads where id = any(${leadIds}::uuid[])`.execute(tx)
  const misfiled = rows.flatMap(({ id, placeStreet, ...place }) => {
    const { street } = placeKeys({ ...place, latitude: null, longitude: null })
    return street === placeStreet ? [] : [{ id, street }]
  })
  if (misfiled.length === 0) return
  await sql`
    update leads l set place_street = i.street
    from jsonb_to_recordset(${JSON.stringify(misfiled)}::jsonb) as i (id uuid, street bigint)
    where l.id = i.id`.execute(tx)
}
