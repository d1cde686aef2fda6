/** The export of all data about a person over HTTP. */
import { toJsonText } from '../../../kit/json-text.ts'
import { type PersonData, readPersonData } from '../../../kit/person-data.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { findLeadsOfPeople } from '../../privacy/service.ts'
import { createLeadNotFound } from '../history/merged-leads.ts'
import { findIdentifiers, leadPersonData } from './person-data.ts'

/** `others`: the data about people that other features hold. */
export function personDataRoute(others: PersonData[]): Route {
  const parts = [leadPersonData, ...others]
  return route({
    method: 'GET',
    path: '/leads/{id}/data',
    operation: 'getPersonData',
    tag: 'Leads',
    summary: 'Retrieve all data about the person of a lead',
    description:
      'For access requests (art. 15 GDPR): all leads of the person, found by phone number, e-mail address and chat, and all other data about them. For a lead of an agency, only that lead. An erasure would remove the same leads.',
    scope: 'leads:read',
    params: strictObject({ id: id('The lead.') }),
    status: 200,
    reply: strictObject(Object.assign({}, ...parts.map(part => part.fields)), { title: 'PersonData' }),
    replyExample: Object.assign({}, ...parts.map(({ example }) => example)),
    // A lead that is merged meanwhile takes its data along.
    readsSnapshot: true,
    async handle({ params, tx }) {
      const leadIds = await findLeadsOfPeople(tx, [params.id])
      if (leadIds.length === 0) throw await createLeadNotFound(tx, params.id)
      const people = { leadIds, identifiers: await findIdentifiers(tx, leadIds) }
      return toJsonText(await readPersonData(tx, parts, people))
    },
  })
}
