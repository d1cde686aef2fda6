/** The data that campaigns hold about a person in their texts, for access requests. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, strictObject, Type, time } from '../../../kit/schema.ts'
import { containsAny } from '../../privacy/service.ts'
import { otherTexts, settingsTexts } from './texts.ts'

export const campaignPersonData: PersonData = {
  fields: {
    campaignTexts: Type.Array(
      strictObject({
        id: id('The campaign.'),
        name: Type.String({ description: 'Its name.' }),
        texts: Type.Array(Type.String(), {
          description: 'The texts of its settings that contain an identifier of the person.',
        }),
        createdAt: time('When it was created.'),
      }),
      {
        description:
          'The campaigns with a phone number, e-mail address or chat of the person in their name or texts, oldest first.',
      },
    ),
  },
  example: {
    campaignTexts: [
      {
        id: '01980a4e-cccc-7c3e-9d7a-2f6b1c0d9e8f',
        name: 'Owners in Gràcia',
        texts: ['Marta (marta@example.com) knows the house.'],
        createdAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { identifiers }) {
    const isTheirs = containsAny([], identifiers)
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name,
        'texts', array(select text from ${settingsTexts} stored where ${isTheirs(sql`text`)}),
        'createdAt', aldaba.iso_time(c.created_at)) order by c.id), '[]')::text as json
      from campaigns c where c.tenant_id = ${getTenantId(tx)} and (${otherTexts(isTheirs)}
        or exists (select from ${settingsTexts} stored where ${isTheirs(sql`text`)}))`.execute(tx)
    return { campaignTexts: rows[0]!.json }
  },
}
