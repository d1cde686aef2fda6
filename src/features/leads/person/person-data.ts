/** What is held on a person, for that person (art. 15 and 20 GDPR). */

import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonText } from '../../../kit/json-text.ts'
import { type Route, route } from '../../../kit/route.ts'
import { closed, id, nullable, type Static, Type, time } from '../../../kit/schema.ts'
import { Suppression } from '../../privacy/schemas.ts'
import { familyOf, findLeadsOfPeople, suppressionsJson } from '../../privacy/service.ts'
import { basisJson } from '../contact/lawful-basis.ts'
import { LawfulBasis, lawfulBasisExample } from '../contact/lawful-basis-schemas.ts'
import { leadNotFound } from '../history/family.ts'
import { noteJson } from '../history/note-queries.ts'
import { createLeadWriter, leadRead, type ReadLead } from '../queries.ts'
import { Lead, leadExample, Note, noteExample } from '../schemas.ts'

const PersonData = closed(
  {
    exportedAt: time('When this export was made.'),
    identifiers: Type.Array(Type.String(), {
      description: 'The phone numbers, e-mail addresses and chats of the person.',
    }),
    leads: Type.Array(
      closed({
        lead: Lead,
        lawfulBasis: nullable(LawfulBasis),
        notes: Type.Array(Note, { description: 'The notes on the lead, oldest first.' }),
      }),
      { description: 'Every lead of the person, oldest first; its `sources` say where it was found.' },
    ),
    absorbed: Type.Array(
      closed({
        lead: Lead,
        lawfulBasis: nullable(LawfulBasis),
        mergedIntoLeadId: id('The lead that has its sources and notes now.'),
      }),
      {
        description:
          'Leads that were merged into these, oldest first. They are kept so that the merge can be undone.',
      },
    ),
    events: Type.Array(
      closed({
        id: id('The event.'),
        type: Type.String({ description: 'The type of the event, such as `lead.created`.' }),
        at: time('When it happened.'),
        data: Type.Record(Type.String(), Type.Unknown(), { description: 'The data of the event.' }),
      }),
      { description: 'The events of these leads, oldest first.' },
    ),
    suppressions: Type.Array(Suppression, {
      description: 'The entries of the suppression list for the person.',
    }),
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

/** A lead, and what else is told of it: JSON as text, without the braces. */
interface PersonLead extends ReadLead {
  rest: string
}

const itsBasis = sql`'"lawfulBasis":' || coalesce(case when l.lawful_basis is not null then ${basisJson}::text end, 'null')`

async function readLeads(tx: Tx, leadIds: string[]): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    select lead.json, lead.facts, ${itsBasis} || ',"notes":' || (
      select coalesce(json_agg(${noteJson} order by n.id), '[]') from notes n where n.lead_id = l.id)::text as rest
    from leads l ${leadRead} where l.id = any(${leadIds}::uuid[]) order by l.id`.execute(tx)
  return rows
}

/** The leads that merges keep. */
async function readAbsorbed(tx: Tx, leadIds: string[]): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    ${familyOf(leadIds)}
    select lead.json, lead.facts, ${itsBasis} || ',"mergedIntoLeadId":' || to_json(m.lead_id)::text as rest
    from lead_merges m cross join lateral jsonb_populate_record(null::leads, m.absorbed) l ${leadRead}
    where m.lead_id in (select id from family) and m.undone_at is null order by l.id`.execute(tx)
  return rows
}

const oneEvent = sql`json_build_object('id', e.id, 'type', e.type, 'at', aldaba.iso_time(e.created_at), 'data', e.data)`

/** Get all data about the person of a lead, as JSON; null if there is none. */
async function findPersonData(tx: Tx, leadId: string): Promise<string | null> {
  const leadIds = await findLeadsOfPeople(tx, [leadId])
  if (leadIds.length === 0) return null
  const leads = await readLeads(tx, leadIds)
  const absorbed = await readAbsorbed(tx, leadIds)
  const { rows } = await sql<{ json: string }>`
    ${familyOf(leadIds)}
    select json_build_object(
      'exportedAt', aldaba.iso_time(now()),
      'identifiers', (
        select coalesce(json_agg(distinct value), '[]') from lead_identifiers where lead_id = any(${leadIds}::uuid[])),
      'events', (
        select coalesce(json_agg(${oneEvent} order by e.id), '[]') from events e where e.lead_id in (select id from family)),
      'suppressions', ${suppressionsJson(sql`select value from lead_identifiers where lead_id = any(${leadIds}::uuid[])`)}
    )::text as json`.execute(tx)
  const write = createLeadWriter()
  const list = (some: PersonLead[]) => some.map(lead => `{"lead":${write(lead)},${lead.rest}}`).join(',')
  return `${rows[0]!.json.slice(0, -1)},"leads":[${list(leads)}],"absorbed":[${list(absorbed)}]}`
}

export const personDataRoute: Route = route({
  method: 'GET',
  path: '/leads/{id}/data',
  operation: 'getPersonData',
  tag: 'Leads',
  summary: 'Get all data about the person of a lead',
  description:
    'For access requests (art. 15 GDPR): all leads of the person, found by phone number, e-mail address and chat. For a lead of an agency, only that lead. An erasure would remove the same leads.',
  scope: 'leads:read',
  params: closed({ id: id('The lead.') }),
  status: 200,
  reply: PersonData,
  replyExample: example,
  async handle({ params, tx }) {
    const json = await findPersonData(tx, params.id)
    if (!json) throw await leadNotFound(tx, params.id)
    return jsonText(json)
  },
})
