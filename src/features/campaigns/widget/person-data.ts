/** The consents that a person gave in widgets, for subject access requests. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql } from '../../../kit/db/index.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, strictObject, Type, time } from '../../../kit/schema.ts'

export const widgetPersonData: PersonData = {
  fields: {
    widgetConsents: Type.Array(
      strictObject({
        campaignId: id('The campaign of the form.'),
        text: Type.String({ description: 'What the person agreed to, as it was shown.' }),
        version: Type.String({ description: 'The version of the text.' }),
        language: Type.String({ description: 'Its language.' }),
        pageUrl: Type.String({ description: 'The page with the form.' }),
        key: Type.String({ description: 'The key of the widget.' }),
        agreedAt: time('When the form was sent.'),
      }),
      { description: 'The consents that the person gave in forms on sites of the agency, oldest first.' },
    ),
  },
  example: {
    widgetConsents: [
      {
        campaignId: '01980a4e-8888-7c3e-9d7a-2f6b1c0d9e8f',
        text: 'I agree that Agencia Norte uses these details to contact me by phone.',
        version: '1',
        language: 'en',
        pageUrl: 'https://agency.example/sell',
        key: '6wq0Yf3xLJc1kTt8mZ4pVbN2sRhG7uEd',
        agreedAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { leadIds }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(jsonb_build_object('campaignId', campaign_id) || consent order by id), '[]')::text as json
      from widget_submissions
      where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
    return { widgetConsents: rows[0]!.json }
  },
}
