/** What the suppression list holds on people, for those who ask for it. */
import { sql } from 'kysely'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { Type } from '../../kit/schema.ts'
import { suppressionJson } from './queries.ts'
import { Suppression, suppressionExample } from './schemas.ts'

export const suppressionsOfPeople: PersonData = {
  fields: {
    suppressions: Type.Array(Suppression, {
      description: 'The entries of the suppression list for the person.',
    }),
  },
  example: { suppressions: [suppressionExample] },
  async read(tx, { identifiers }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(${suppressionJson} order by s.id), '[]')::text as json
      from (select aldaba.identifier_hash(value) as hash from unnest(${identifiers}::text[]) value offset 0) given
      join suppressions s on s.tenant_id = ${tenantIdOf(tx)} and s.hash = given.hash`.execute(tx)
    return { suppressions: rows[0]!.json }
  },
}
