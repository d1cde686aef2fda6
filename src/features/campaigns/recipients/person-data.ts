/** The campaigns that have written to a person, for subject access requests. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { strictObject, Type } from '../../../kit/schema.ts'
import { recipientJson } from './list-queries.ts'
import { CampaignRecipient, recipientExample } from './schemas.ts'

export const recipientPersonData: PersonData = {
  fields: {
    campaigns: Type.Array(
      strictObject({
        name: Type.String({ description: 'The name of the campaign.' }),
        recipient: CampaignRecipient,
      }),
      {
        description:
          'The campaigns that the leads of the person have joined, with what they got, oldest first.',
      },
    ),
  },
  example: { campaigns: [{ name: 'Sellers in Gràcia', recipient: recipientExample }] },
  async read(tx, { leadIds }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('name', c.name, 'recipient', ${recipientJson(tx)}) order by r.id), '[]')::text as json
      from campaign_recipients r join campaigns c on c.tenant_id = ${getTenantId(tx)} and c.id = r.campaign_id
      where r.tenant_id = ${getTenantId(tx)} and r.lead_id = any(${leadIds}::uuid[])`.execute(tx)
    return { campaigns: rows[0]!.json }
  },
}
