/** The digests that were sent to a person, for access requests. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, nullable, strictObject, Type, time } from '../../../kit/schema.ts'

export const digestPersonData: PersonData = {
  fields: {
    searchSubscriptions: Type.Array(
      strictObject({
        campaignId: id('The campaign.'),
        email: Type.String({ description: 'The address.' }),
        mails: Type.Integer({ minimum: 0, description: 'The e-mails that are on record.' }),
        createdAt: time('When the first one was written.'),
        unsubscribedAt: nullable(time('When the person ended them; null: they have not.')),
      }),
      { description: 'The saved searches whose digests an address of the person gets, oldest first.' },
    ),
  },
  example: {
    searchSubscriptions: [
      {
        campaignId: '01980a4e-cccc-7c3e-9d7a-2f6b1c0d9e8f',
        email: 'marta@example.com',
        mails: 12,
        createdAt: '2026-11-02T07:30:00.000Z',
        unsubscribedAt: null,
      },
    ],
  },
  async read(tx, { identifiers }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('campaignId', s.campaign_id, 'email', s.email, 'mails', (
          select count(*) from campaign_digest_mails m
          where m.tenant_id = ${getTenantId(tx)} and m.subscriber_id = s.id),
        'createdAt', aldaba.iso_time(s.created_at), 'unsubscribedAt', aldaba.iso_time(s.unsubscribed_at)) order by s.id), '[]')::text as json
      from campaign_subscribers s
      where s.tenant_id = ${getTenantId(tx)} and s.email = any(${identifiers}::text[])`.execute(tx)
    return { searchSubscriptions: rows[0]!.json }
  },
}
