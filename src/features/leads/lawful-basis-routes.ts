/** The lawful basis of a lead over HTTP. */
import { jsonText } from '../../kit/json-text.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, Type } from '../../kit/schema.ts'
import { findLawfulBasis, recordLawfulBasis, withdrawLawfulBasis } from './lawful-basis.ts'
import {
  LawfulBasis,
  lawfulBasisExample,
  NewLawfulBasis,
  newLawfulBasisExample,
} from './lawful-basis-schemas.ts'

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
    summary: 'Why the person of a lead may be contacted, with its proof',
    scope: 'leads:read',
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, tx }) {
      const json = await findLawfulBasis(tx, params.id)
      if (!json) throw nothing()
      return jsonText(json)
    },
  }),
  route({
    ...shared,
    method: 'PUT',
    operation: 'recordLawfulBasis',
    summary: 'Record why the person of a lead may be contacted',
    description:
      'A lead that was read from a portal has no basis until this. It takes the place of what was recorded. An opt-out stands above it.',
    scope: 'leads:write',
    body: NewLawfulBasis,
    example: newLawfulBasisExample,
    status: 200,
    reply: LawfulBasis,
    replyExample: lawfulBasisExample,
    async handle({ params, body, caller, tx }) {
      if (!(await recordLawfulBasis(tx, params.id, body, caller.keyId))) throw notFound('lead')
      return jsonText((await findLawfulBasis(tx, params.id))!)
    },
  }),
  route({
    ...shared,
    method: 'DELETE',
    operation: 'withdrawLawfulBasis',
    summary: 'Withdraw the lawful basis',
    description:
      'For consent that is withdrawn. Of somebody who does not want to hear from you at all, add an opt-out.',
    scope: 'leads:write',
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      if (!(await withdrawLawfulBasis(tx, params.id))) throw nothing()
      return null
    },
  }),
]
