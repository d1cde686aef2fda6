/** The lawful basis of a lead over HTTP. */
import type { Tx } from '../../../kit/db/index.ts'
import { toETag } from '../../../kit/etag.ts'
import { type JsonText, toJsonText } from '../../../kit/json-text.ts'
import { Problem } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import {
  LawfulBasis,
  lawfulBasisExample,
  NewLawfulBasis,
  newLawfulBasisExample,
} from '../../privacy/schemas.ts'
import { validateBasis } from '../../privacy/service.ts'
import { findVersion } from '../record/lead-row.ts'
import { findLawfulBasis, recordLawfulBasis, withdrawLawfulBasis } from './lawful-basis.ts'

const common = {
  path: '/leads/{id}/lawful-basis',
  tag: 'Leads',
  params: strictObject({ id: id('The lead.') }),
}
const basisNotFound = () =>
  new Problem('NOT_FOUND', 'There is no lead with this id, or no lawful basis is recorded for it.')

export const lawfulBasisRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    operation: 'getLawfulBasis',
    summary: 'Retrieve the lawful basis of a lead, with its proof',
    description: 'The `ETag` of the reply is that of the lead.',
    scope: 'leads:read',
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, tx }) {
      const found = await findBasisReply(tx, params.id)
      if (!found) throw basisNotFound()
      return found
    },
  }),
  route({
    ...common,
    method: 'PUT',
    operation: 'recordLawfulBasis',
    summary: 'Record the lawful basis of a lead',
    description:
      'It states why the person may be contacted. A lead from a portal has no basis until one is recorded here. The new basis replaces the recorded one; the timeline keeps both. An opt-out has priority over any basis. To record a basis on many leads, use `PATCH /leads`.',
    scope: 'leads:write',
    matchesETag: true,
    body: NewLawfulBasis,
    example: newLawfulBasisExample,
    check: ({ body, hasErrorsAt, now }) => validateBasis(body, now, { hasErrorsAt }),
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, body, caller, ifMatch, tx }) {
      await recordLawfulBasis(tx, params.id, body, { author: await readAuthor(tx, caller), ifMatch })
      return (await findBasisReply(tx, params.id))!
    },
  }),
  route({
    ...common,
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
      const author = await readAuthor(tx, caller)
      if (!(await withdrawLawfulBasis(tx, params.id, { author, ifMatch }))) throw basisNotFound()
      return null
    },
  }),
]

async function findBasisReply(tx: Tx, leadId: string): Promise<JsonText | null> {
  const version = await findVersion(tx, leadId)
  const json = version && (await findLawfulBasis(tx, leadId))
  return json ? toJsonText(json, { ETag: toETag(version) }) : null
}
