/**
 * The data that valuations hold about a person, for subject access requests. Found by identifiers only, because other
 * people may have the same name.
 */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { id, nullable, strictObject, Type, time } from '../../kit/schema.ts'
import { containsAny } from '../privacy/service.ts'

export const valuationPersonData: PersonData = {
  fields: {
    valuations: Type.Array(
      strictObject({
        id: id('The valuation.'),
        name: nullable(Type.String({ description: 'The name of the valuation.' })),
        address: nullable(Type.String({ description: 'The address of the property.' })),
        createdAt: time('When it was created.'),
      }),
      {
        description:
          'The valuations with a phone number, e-mail address or chat of the person in the name or the address, oldest first.',
      },
    ),
  },
  example: {
    valuations: [
      {
        id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
        name: 'For marta@example.com',
        address: 'Carrer de Mallorca 210',
        createdAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { identifiers }) {
    const isTheirs = containsAny([], identifiers)
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'address', v.address,
        'createdAt', aldaba.iso_time(v.created_at)) order by v.id), '[]')::text as json
      from valuations v
      where v.tenant_id = ${getTenantId(tx)} and (${isTheirs(sql`v.name`)} or ${isTheirs(sql`v.address`)})`.execute(
      tx,
    )
    return { valuations: rows[0]!.json }
  },
}
