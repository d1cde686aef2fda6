/**
 * The data that sheets hold about a person, for subject access requests: the sheets of their listings, and those with
 * one of their identifiers. Names find nothing, because other people may have the same one.
 */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { id, nullable, strictObject, Type, time } from '../../kit/schema.ts'
import { containsAny } from '../privacy/service.ts'
import { storedTexts } from './stored-texts.ts'

export const fichaPersonData: PersonData = {
  fields: {
    fichas: Type.Array(
      strictObject({
        id: id('The sheet.'),
        sourceUrl: Type.String({ description: 'The URL of the listing.' }),
        title: nullable(Type.String({ description: 'The title of the sheet.' })),
        address: nullable(Type.String({ description: 'The address of the property.' })),
        texts: Type.Array(Type.String(), {
          description: 'The texts of its versions that contain an identifier of the person.',
        }),
        createdAt: time('When it was requested.'),
      }),
      {
        description:
          'The sheets of listings of leads of the person, and those with a phone number, e-mail address or chat of the person in a text, oldest first.',
      },
    ),
  },
  example: {
    fichas: [
      {
        id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
        sourceUrl: 'https://portal-a.example/inmueble/166310033/',
        title: 'Piso en venta en Carrer de Mallorca',
        address: 'Carrer de Mallorca, 214',
        texts: ['Write to marta@example.com.'],
        createdAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { leadIds, identifiers }) {
    const tenantId = getTenantId(tx)
    const isTheirs = containsAny([], identifiers)
    const { rows } = await sql<{ json: string }>`
      with found as (
        select id, json_agg(distinct text) as texts from (${storedTexts(tenantId)} offset 0) stored
        where ${isTheirs(sql`text`)} group by id)
      select coalesce(json_agg(json_build_object('id', f.id, 'sourceUrl', f.source_url,
        'title', v.content -> 'property' ->> 'title', 'address', v.content -> 'property' ->> 'address',
        'texts', coalesce(found.texts, '[]'), 'createdAt', aldaba.iso_time(f.created_at)) order by f.id), '[]')::text as json
      from fichas f
      left join found on found.id = f.id
      left join ficha_versions v on v.tenant_id = f.tenant_id and v.ficha_id = f.id and v.version = f.version
      where f.tenant_id = ${tenantId} and (f.lead_id = any(${leadIds}::uuid[]) or found.id is not null)`.execute(
      tx,
    )
    return { fichas: rows[0]!.json }
  },
}
