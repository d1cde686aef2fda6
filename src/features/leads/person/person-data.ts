/** What is held on a person, for that person (art. 15 and 20 GDPR). */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonText } from '../../../kit/json-text.ts'
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { closed, id, nullable, type Static, Type, time } from '../../../kit/schema.ts'
import { Suppression } from '../../suppressions/schemas.ts'
import { suppressionsJson } from '../../suppressions/service.ts'
import { showContactability } from '../contact/contactability.ts'
import { basisJson } from '../contact/lawful-basis.ts'
import { LawfulBasis, lawfulBasisExample } from '../contact/lawful-basis-schemas.ts'
import { familyOf } from '../history/family.ts'
import { noteJson } from '../history/note-queries.ts'
import { leadJson } from '../queries.ts'
import { Lead, leadExample, Note, noteExample } from '../schemas.ts'
import { findLeadsOfPeople } from './person.ts'

const PersonData = closed(
  {
    exportedAt: time('When this was put together.'),
    identifiers: Type.Array(Type.String(), {
      description: 'Telephones, e-mail addresses and chats that the person is known by.',
    }),
    leads: Type.Array(closed({ lead: Lead, lawfulBasis: nullable(LawfulBasis), notes: Type.Array(Note) }), {
      description: 'Every lead of the person, oldest first; where it was found is in its sources.',
    }),
    absorbed: Type.Array(
      closed({
        lead: Lead,
        lawfulBasis: nullable(LawfulBasis),
        mergedIntoLeadId: id('The lead that has its sources and notes now.'),
      }),
      {
        description:
          'Leads that were made one with these, oldest first, as they are kept so that they can be parted again.',
      },
    ),
    events: Type.Array(
      closed({
        id: id('The event.'),
        type: Type.String(),
        at: time('When it happened.'),
        data: Type.Record(Type.String(), Type.Unknown()),
      }),
      { description: 'What subscribers were told of these leads, oldest first.' },
    ),
    suppressions: Type.Array(Suppression, { description: 'What stands against contacting the person.' }),
  },
  { title: 'PersonData' },
)

const example: Static<typeof PersonData> = {
  exportedAt: '2026-11-02T12:00:00.000Z',
  identifiers: ['+34612345678'],
  leads: [{ lead: leadExample, lawfulBasis: lawfulBasisExample, notes: [noteExample] }],
  absorbed: [],
  events: [],
  suppressions: [],
}

const itsBasis = sql`case when l.lawful_basis is not null then ${basisJson} end`
const oneLead = sql`json_build_object('lead', ${leadJson}, 'lawfulBasis', ${itsBasis},
  'notes', (select coalesce(json_agg(${noteJson} order by n.id), '[]') from notes n where n.lead_id = l.id))`

/** The row of a lead `l` that is kept by a merge `m`. */
const absorbedLead = sql`json_build_object('lead', ${leadJson}, 'lawfulBasis', ${itsBasis}, 'mergedIntoLeadId', m.lead_id)`

const oneEvent = sql`json_build_object('id', e.id, 'type', e.type, 'at', aldaba.iso_time(e.created_at), 'data', e.data)`

/** Everything held on the person of a lead, as JSON; null if there is none. */
async function findPersonData(tx: Tx, leadId: string): Promise<string | null> {
  const leadIds = await findLeadsOfPeople(tx, [leadId])
  if (leadIds.length === 0) return null
  const { rows } = await sql<{ json: string }>`
    ${familyOf(leadIds)}
    select json_build_object(
      'exportedAt', aldaba.iso_time(now()),
      'identifiers', (
        select coalesce(json_agg(distinct value), '[]') from lead_identifiers where lead_id = any(${leadIds}::uuid[])),
      'leads', (select json_agg(${oneLead} order by l.id) from leads l where l.id = any(${leadIds}::uuid[])),
      'absorbed', (
        select coalesce(json_agg(${absorbedLead} order by l.id), '[]')
        from lead_merges m cross join lateral jsonb_populate_record(null::leads, m.absorbed) l
        where m.lead_id in (select id from family) and m.undone_at is null),
      'events', (
        select coalesce(json_agg(${oneEvent} order by e.id), '[]') from events e where e.lead_id in (select id from family)),
      'suppressions', ${suppressionsJson(sql`select value from lead_identifiers where lead_id = any(${leadIds}::uuid[])`)}
    )::text as json`.execute(tx)
  return showContactability(rows[0]!.json)
}

export const personDataRoute: Route = route({
  method: 'GET',
  path: '/leads/{id}/data',
  operation: 'getPersonData',
  tag: 'Leads',
  summary: 'Everything held on the person of a lead',
  description:
    'For people who ask what is known of them: all their leads, found by telephone, e-mail address and chat. Of a lead of an agency, that lead alone. These are the leads that an erasure would remove.',
  scope: 'leads:read',
  params: closed({ id: id('The lead.') }),
  status: 200,
  reply: PersonData,
  replyExample: example,
  async handle({ params, tx }) {
    const json = await findPersonData(tx, params.id)
    if (!json) throw notFound('lead')
    return jsonText(json)
  },
})
