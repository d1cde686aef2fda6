/** The data about a person in leads, for that person (art. 15 and 20 GDPR). */

import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, nullable, strictObject, Type, time } from '../../../kit/schema.ts'
import { LawfulBasis, lawfulBasisExample } from '../../privacy/schemas.ts'
import { mergeTreeCte } from '../../privacy/service.ts'
import { basisJson } from '../contact/lawful-basis.ts'
import { noteJson } from '../history/note-queries.ts'
import { createLeadSerializer, type LeadJson, leadJsonJoin } from '../queries.ts'
import { Lead, leadExample, Note, noteExample } from '../schemas.ts'

const fields = {
  exportedAt: time('When this export was made.'),
  identifiers: Type.Array(Type.String(), {
    description: 'The phone numbers, e-mail addresses and chats of the person.',
  }),
  leads: Type.Array(
    strictObject({
      lead: Lead,
      lawfulBasis: nullable(LawfulBasis),
      notes: Type.Array(Note, { description: 'The notes on the lead, oldest first.' }),
    }),
    { description: 'Every lead of the person, oldest first; `sources` shows where it was found.' },
  ),
  absorbed: Type.Array(
    strictObject({
      lead: Lead,
      lawfulBasis: nullable(LawfulBasis),
      mergedIntoLeadId: id('The lead that it was merged into, which has its sources and notes now.'),
    }),
    {
      description:
        'Leads that were merged into these, oldest first. They are kept so that the merge can be undone.',
    },
  ),
  events: Type.Array(
    strictObject({
      id: id('The event.'),
      type: Type.String({ description: 'The type of the event, such as `lead.created`.' }),
      at: time('When it happened.'),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'The data of the event.' }),
    }),
    { description: 'The events of these leads, oldest first.' },
  ),
}

export const leadPersonData: PersonData = {
  fields,
  example: {
    exportedAt: '2026-11-02T12:00:00.000Z',
    identifiers: ['+34612345678'],
    leads: [{ lead: leadExample, lawfulBasis: lawfulBasisExample, notes: [noteExample] }],
    absorbed: [],
    events: [],
  },
  async read(tx, { leadIds, identifiers }) {
    const leads = await readLeads(tx, leadIds)
    const absorbed = await readAbsorbed(tx, leadIds)
    const events = await readEvents(tx, leadIds)
    const serialize = createLeadSerializer(tx)
    const toList = (items: PersonLead[]) =>
      `[${items.map(lead => `{"lead":${serialize(lead)},${lead.rest}}`).join(',')}]`
    return {
      exportedAt: JSON.stringify(getNow(tx)),
      identifiers: JSON.stringify(identifiers),
      leads: toList(leads),
      absorbed: toList(absorbed),
      events,
    }
  },
}

interface PersonLead extends LeadJson {
  /** The other fields next to `lead`: JSON as text, without braces. */
  rest: string
}

const basisField = sql`'"lawfulBasis":' || coalesce(case when l.lawful_basis is not null then ${basisJson}::text end, 'null')`

async function readLeads(tx: Tx, leadIds: string[]): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    select lead.json, lead.facts, ${basisField} || ',"notes":' || (
      select coalesce(json_agg(${noteJson} order by n.id), '[]') from notes n
      where n.tenant_id = ${getTenantId(tx)} and n.lead_id = l.id)::text as rest
    from leads l ${leadJsonJoin(tx)}
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[]) order by l.id`.execute(tx)
  return rows
}

/** Absorbed leads, which merges keep. */
async function readAbsorbed(tx: Tx, leadIds: string[]): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    ${mergeTreeCte(tx, leadIds)}
    select lead.json, lead.facts, ${basisField} || ',"mergedIntoLeadId":' || to_json(m.lead_id)::text as rest
    from lead_merges m cross join lateral jsonb_populate_record(null::leads, m.absorbed) l ${leadJsonJoin(tx)}
    where m.tenant_id = ${getTenantId(tx)} and m.lead_id in (select id from merge_tree) and m.undone_at is null order by l.id`.execute(
    tx,
  )
  return rows
}

const eventJson = sql`json_build_object('id', e.id, 'type', e.type, 'at', aldaba.iso_time(e.created_at), 'data', e.data)`

async function readEvents(tx: Tx, leadIds: string[]): Promise<string> {
  const { rows } = await sql<{ json: string }>`
    ${mergeTreeCte(tx, leadIds)}
    select coalesce(json_agg(${eventJson} order by e.id), '[]')::text as json
    from events e where e.tenant_id = ${getTenantId(tx)} and e.lead_id in (select id from merge_tree)`.execute(
    tx,
  )
  return rows[0]!.json
}

/** The identifiers of these leads, sorted. */
export async function findIdentifiers(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct value from lead_identifiers
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) order by value`.execute(tx)
  return rows.map(({ value }) => value)
}
