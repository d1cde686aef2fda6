/** The forms of ads that a person submitted, for that person. */
import type { PersonData } from '../../kit/person-data.ts'
import { Type } from '../../kit/schema.ts'
import { adLeadExample } from './examples.ts'
import { listAdLeadsOfPeople } from './lead-queries.ts'
import { toAdLead } from './reply.ts'
import { AdLead } from './schemas.ts'

export const adPersonData: PersonData = {
  fields: {
    adLeads: Type.Array(AdLead, {
      description: 'The forms of ads that the person submitted; the answers are in the leads.',
    }),
  },
  example: { adLeads: [adLeadExample] },
  read: async (tx, { leadIds }) => ({
    adLeads: JSON.stringify((await listAdLeadsOfPeople(tx, leadIds)).map(toAdLead)),
  }),
}
