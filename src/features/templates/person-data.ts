/** The data that templates hold about a person, for access requests: texts with one of their identifiers. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { id, strictObject, Type, time } from '../../kit/schema.ts'
import { containsAny } from '../privacy/service.ts'

export const templatePersonData: PersonData = {
  fields: {
    templates: Type.Array(
      strictObject({
        id: id('The template.'),
        name: Type.String({ description: 'Its name.' }),
        texts: Type.Array(Type.String(), {
          description: 'The texts of its versions that contain an identifier of the person.',
        }),
        createdAt: time('When it was created.'),
      }),
      {
        description:
          'The message templates with a phone number, e-mail address or chat of the person in their name or texts, oldest first.',
      },
    ),
  },
  example: {
    templates: [
      {
        id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
        name: 'Call Marta',
        texts: ['Call marta@example.com.'],
        createdAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { identifiers }) {
    const tenantId = getTenantId(tx)
    const isTheirs = containsAny([], identifiers)
    const { rows } = await sql<{ json: string }>`
      with found as (
        select v.template_id as id, json_agg(distinct text) as texts from template_versions v
        cross join lateral (
          select v.body as text
          union all select value #>> '{}' from jsonb_path_query(
            jsonb_build_array(v.variables, v.parts), 'strict $.** ? (@.type() == "string" || @.type() == "number")') value) stored
        where v.tenant_id = ${tenantId} and ${isTheirs(sql`text`)} group by v.template_id)
      select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'texts', coalesce(found.texts, '[]'),
        'createdAt', aldaba.iso_time(t.created_at)) order by t.id), '[]')::text as json
      from templates t left join found on found.id = t.id
      where t.tenant_id = ${tenantId} and (found.id is not null or ${isTheirs(sql`t.name`)})`.execute(tx)
    return { templates: rows[0]!.json }
  },
}
