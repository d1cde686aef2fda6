/** The suppression list over HTTP: opt-outs, exclusion lists, and people that the workspace excludes. */
import type { SuppressionKind } from '../../domain/contactability/facts.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { createPager, pageSchema } from '../../kit/page.ts'
import { notFound, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { readAuthor } from '../../kit/writer.ts'
import { exclusionListRoutes } from './exclusion-list-routes.ts'
import { findIdentifierErrors, readIdentifiers, toUnreadableErrors } from './identifier-input.ts'
import { optOut } from './opt-outs.ts'
import * as queries from './queries.ts'
import * as schemas from './schemas.ts'
import { checkPath, findSuppressions, suppress } from './suppression-list.ts'

const tag = 'Suppressions'
const { suppressionExample, identifierExample } = schemas

/** Why entries of these kinds stay. */
const refusals: Partial<Record<SuppressionKind, string>> = {
  opt_out: 'This person opted out, which is final: the entry can not be removed.',
  erased: 'This person was erased, which is final: the entry keeps them from being stored again.',
  marketing: 'This person refused marketing with the provider: only they can accept it again, there.',
}

export const suppressionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/suppressions',
    operation: 'listSuppressions',
    tag,
    summary: 'List the entries of the suppression list, newest first',
    description: 'An entry does not show whom it is about: only keyed hashes are stored.',
    scope: 'leads:read',
    query: schemas.SuppressionFilter,
    status: 200,
    reply: pageSchema(schemas.Suppression),
    replyExample: { data: [suppressionExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('suppressions', caller.tenantId, query)
      return pager.reply(await queries.listSuppressions(tx, query, pager.after))
    },
  }),
  route({
    method: 'POST',
    path: '/suppressions',
    operation: 'addSuppressions',
    tag,
    summary: 'Add people to the suppression list',
    description:
      'Nobody on the list is contacted, even with a lawful basis. A WhatsApp chat also adds its phone number: that makes two entries. An existing entry of the same kind is returned and not added again. An `opt_out` also covers the other identifiers on the person’s leads, with an entry for each, except identifiers of an agency or of more than 20 leads; the event `lead.opted_out` names the leads.',
    scope: 'leads:write',
    body: schemas.NewSuppression,
    example: {
      identifiers: [identifierExample],
      kind: 'manual' as const,
      channel: null,
      note: suppressionExample.note,
    },
    status: 201,
    reply: strictObject({
      data: Type.Array(schemas.Suppression, {
        description: 'The entries for these identifiers, old and new.',
      }),
    }),
    replyExample: { data: [suppressionExample] },
    findErrors: ({ body, read }) => read(tx => findIdentifierErrors(tx, body.identifiers)),
    async handle({ body, caller, tx }) {
      const read = await readIdentifiers(tx, body.identifiers)
      throwIfInvalid(toUnreadableErrors(read))
      const { kind = 'manual', channel = null, note = null } = body
      const { added, existing } =
        kind === 'opt_out'
          ? await optOut(tx, read.flat(), { channel, note }, await readAuthor(tx, caller))
          : await suppress(tx, read.flat(), { kind, channel, listName: null, note, requester: caller })
      return toJsonText(`{"data":${await queries.readSuppressions(tx, [...added, ...existing])}}`)
    },
  }),
  ...exclusionListRoutes,
  route({
    method: 'POST',
    path: checkPath,
    operation: 'checkSuppressions',
    tag,
    summary: 'Check identifiers against the suppression list',
    scope: 'leads:read',
    body: schemas.SuppressionCheck,
    example: { identifiers: [identifierExample] },
    status: 200,
    reply: schemas.CheckedSuppressions,
    replyExample: { data: [{ isValid: true, suppressed: false, suppressions: [] }] },
    async handle({ body, tx }) {
      const read = await readIdentifiers(tx, body.identifiers)
      const found = await findSuppressions(tx, read.flat())
      return {
        data: read.map(identifiers => {
          const suppressions = identifiers
            .flatMap(({ value }) => found.get(value) ?? [])
            .map(each => ({ ...each, addedAt: each.addedAt.toString({ smallestUnit: 'millisecond' }) }))
          return { isValid: identifiers.length > 0, suppressed: suppressions.length > 0, suppressions }
        }),
      }
    },
  }),
  route({
    method: 'GET',
    path: '/suppressions/{id}',
    operation: 'getSuppression',
    tag,
    summary: 'Retrieve an entry of the suppression list',
    scope: 'leads:read',
    params: strictObject({ id: id('The entry.') }),
    status: 200,
    reply: schemas.Suppression,
    replyExample: suppressionExample,
    async handle({ params, tx }) {
      const json = await queries.findSuppression(tx, params.id)
      if (!json) throw notFound('entry')
      return toJsonText(json)
    },
  }),
  route({
    method: 'DELETE',
    path: '/suppressions/{id}',
    operation: 'removeSuppression',
    tag,
    summary: 'Remove an entry from the suppression list',
    description: 'Entries of the kinds `opt_out`, `erased` and `marketing` can not be removed.',
    scope: 'leads:write',
    params: strictObject({ id: id('The entry.') }),
    status: 204,
    reply: Type.Null(),
    errors: ['INVALID_TRANSITION'],
    errorExamples: {
      INVALID_TRANSITION: 'This person opted out, which is final: the entry can not be removed.',
    },
    async handle({ params, tx }) {
      const kind = await queries.findSuppressionKind(tx, params.id)
      if (!kind) throw notFound('entry')
      const refusal = refusals[kind]
      if (refusal) throw new Problem('INVALID_TRANSITION', refusal)
      await queries.deleteSuppression(tx, params.id)
      return null
    },
  }),
]
