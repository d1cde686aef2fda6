/** The entries of the suppression list about a person, for the export of personal data. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import { hashIdentifiers } from '../../kit/db/hash-identifiers.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { Type } from '../../kit/schema.ts'
import { suppressionJson } from './queries.ts'
import { Suppression, suppressionExample } from './schemas.ts'

export const suppressionPersonData: PersonData = {
  fields: {
    suppressions: Type.Array(Suppression, {
      description: 'The entries of the suppression list for the person.',
    }),
  },
  example: { suppressions: [suppressionExample] },
  async read(tx, { identifiers }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(${suppressionJson} order by s.id), '[]')::text as json
      from suppressions s where s.tenant_id = ${getTenantId(tx)} and s.hash = any(${hashIdentifiers(tx, identifiers)}::bytea[])`.execute(
      tx,
    )
    return { suppressions: rows[0]!.json }
  },
}
