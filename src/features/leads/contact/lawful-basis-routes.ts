import type { Tx } from '../../../kit/db/index.ts'
import { eTagOf } from '../../../kit/etag.ts'
import { type JsonText, jsonText } from '../../../kit/json-text.ts'
import { Problem } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { closed, id, Type } from '../../../kit/schema.ts'
import { authorOf } from '../../../kit/writer.ts'
import {
  LawfulBasis,
  lawfulBasisExample,
  NewLawfulBasis,
  newLawfulBasisExample,
} from '../../privacy/schemas.ts'
import { errorsOfBasis } from '../../privacy/service.ts'
import { findVersion } from '../record/lead-row.ts'
import { findLawfulBasis, recordLawfulBasis, withdrawLawfulBasis } from './lawful-basis.ts'

const shared = {
  path: '/leads/{id}/lawful-basis',
  tag: 'Leads',
  params: closed({ id: id('The lead.') }),
}
const nothing = () =>
  new Problem('NOT_FOUND', 'There is no lead with this id, or no lawful basis is recorded on it.')

export const lawfulBasisRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    operation: 'getLawfulBasis',
    summary: 'Get the lawful basis of a lead, with its proof',
    description: 'The `ETag` of the reply is the one of the lead.',
    scope: 'leads:read',
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, tx }) {
      const shown = await showBasis(tx, params.id)
      if (!shown) throw nothing()
      return shown
    },
  }),
  route({
    ...shared,
    method: 'PUT',
    operation: 'recordLawfulBasis',
    summary: 'Record the lawful basis of a lead',
    description:
      'It states why the person may be contacted. A lead from a portal has no basis until one is recorded here. The new basis replaces the recorded one; the timeline keeps both. An opt-out has priority over any basis. To record a basis on many leads, use `PATCH /leads`.',
    scope: 'leads:write',
    matchesETag: true,
    body: NewLawfulBasis,
    example: newLawfulBasisExample,
    check: ({ body, isFaulty, now }) => errorsOfBasis(body, now, { isFaulty }),
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, body, caller, ifMatch, tx }) {
      await recordLawfulBasis(tx, params.id, body, { author: await authorOf(tx, caller), ifMatch })
      return (await showBasis(tx, params.id))!
    },
  }),
  route({
    ...shared,
    method: 'DELETE',
    operation: 'withdrawLawfulBasis',
    summary: 'Withdraw the lawful basis of a lead',
    description:
      'Use it when consent is withdrawn. An import does not restore an older basis. If the person does not want to be contacted at all, add an opt-out to the suppression list.',
    scope: 'leads:write',
    matchesETag: true,
    status: 204,
    reply: Type.Null(),
    async handle({ params, caller, ifMatch, tx }) {
      const author = await authorOf(tx, caller)
      if (!(await withdrawLawfulBasis(tx, params.id, { author, ifMatch }))) throw nothing()
      return null
    },
  }),
]

async function showBasis(tx: Tx, leadId: string): Promise<JsonText | null> {
  const version = await findVersion(tx, leadId)
  const json = version && (await findLawfulBasis(tx, leadId))
  return json ? jsonText(json, { ETag: eTagOf(version) }) : null
}
