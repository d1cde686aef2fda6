/** The suppression list over HTTP: opt-outs, exclusion lists, and whom the workspace itself does not want contacted. */
import { type Identifier, identifiersOf } from '../../domain/dedupe/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { jsonText } from '../../kit/json-text.ts'
import { pageOf, pageThrough } from '../../kit/page.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, Type } from '../../kit/schema.ts'
import * as queries from './queries.ts'
import * as schemas from './schemas.ts'
import { findSuppressions, suppress } from './service.ts'

const tag = 'Suppressions'
const { suppressionExample, identifierExample } = schemas

export const suppressionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/suppressions',
    operation: 'listSuppressions',
    tag,
    summary: 'Entries of the suppression list, newest first',
    description: 'Whom they are about is not told: only keyed hashes are kept.',
    scope: 'leads:read',
    query: schemas.SuppressionFilter,
    status: 200,
    reply: pageOf(schemas.Suppression),
    replyExample: { data: [suppressionExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = pageThrough('suppressions', caller.tenantId, query)
      return list.reply(await queries.listSuppressions(tx, query, list.after))
    },
  }),
  route({
    method: 'POST',
    path: '/suppressions',
    operation: 'addSuppressions',
    tag,
    summary: 'Put somebody on the suppression list',
    description:
      'Nobody on it is contacted, whatever basis is recorded. A WhatsApp chat stands for its telephone number as well: that makes two entries. What stands there already, for the same reason, is told and not added again.',
    scope: 'leads:write',
    body: schemas.NewSuppression,
    example: {
      identifiers: [identifierExample],
      ...{ kind: 'manual' as const, channel: null, note: suppressionExample.note },
    },
    status: 201,
    reply: closed({ data: Type.Array(schemas.Suppression) }),
    replyExample: { data: [suppressionExample] },
    async handle({ body, caller, tx }) {
      const read = await readIdentifiers(tx, body.identifiers)
      refuseUnreadable(read)
      const { added, known } = await suppress(tx, read.flat(), {
        ...{ kind: body.kind ?? 'manual', channel: body.channel ?? null, listName: null },
        ...{ note: body.note ?? null, keyId: caller.keyId },
      })
      return jsonText(`{"data":${await queries.readSuppressions(tx, [...added, ...known])}}`)
    },
  }),
  route({
    method: 'POST',
    path: '/suppressions/imports',
    operation: 'importSuppressions',
    tag,
    summary: `Import an exclusion list, up to ${schemas.importMax} identifiers at a time`,
    description:
      'Adds to the list of that name. To bring in a new edition, import all of it, and with the last call remove what no call since the first has brought: so nobody who is on both is off the list for a moment.',
    scope: 'leads:write',
    body: schemas.SuppressionImport,
    example: { listName: 'Lista Robinson', identifiers: [identifierExample], channel: null },
    status: 201,
    reply: schemas.ImportedSuppressions,
    replyExample: { added: 1, known: 0, removed: 0, invalid: [] },
    async handle({ body, caller, tx }) {
      const read = await readIdentifiers(tx, body.identifiers)
      const { added, known } = await suppress(tx, read.flat(), {
        ...{ kind: 'exclusion_list', channel: body.channel ?? null, listName: body.listName },
        ...{ note: null, keyId: caller.keyId },
      })
      await queries.confirmEntries(tx, known)
      const removed = body.removeBefore
        ? await queries.deleteUnconfirmed(tx, body.listName, body.removeBefore)
        : 0
      const invalid = read.flatMap((found, index) => (found.length === 0 ? [{ index }] : []))
      return { added: added.length, known: known.length, removed, invalid }
    },
  }),
  route({
    method: 'POST',
    path: '/suppressions/check',
    operation: 'checkSuppressions',
    tag,
    summary: 'Which of these are on the suppression list',
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
    method: 'DELETE',
    path: '/suppressions/{id}',
    operation: 'removeSuppression',
    tag,
    summary: 'Remove an entry',
    description: 'An opt-out and an erasure are final.',
    scope: 'leads:write',
    params: closed({ id: id('The entry.') }),
    status: 204,
    reply: Type.Null(),
    errors: ['INVALID_TRANSITION'],
    async handle({ params, tx }) {
      const kind = await queries.findSuppressionKind(tx, params.id)
      if (!kind) throw notFound('suppression')
      if (kind === 'opt_out' || kind === 'erased')
        throw new Problem(
          'INVALID_TRANSITION',
          kind === 'erased'
            ? 'This person was erased, which is final: the entry keeps them from being stored again.'
            : 'This person asked not to be contacted, which is final.',
        )
      await queries.deleteSuppression(tx, params.id)
      return null
    },
  }),
]

type Written = { kind: Identifier['kind']; value: string }

/** For each, what it is read as by somebody in the workspace's country: nothing, or one or more. */
async function readIdentifiers(tx: Tx, written: Written[]): Promise<Identifier[][]> {
  const { country } = await tx.selectFrom('workspaces').select('country').executeTakeFirstOrThrow()
  return written.map(({ kind, value }) => identifiersOf({ [`${kind}s`]: [value] }, country))
}

function refuseUnreadable(read: Identifier[][]): void {
  const errors = read.flatMap((found, index) =>
    found.length > 0
      ? []
      : [
          {
            path: `/identifiers/${index}/value`,
            code: 'WRONG_FORMAT',
            message: 'can not be read as what it is said to be',
          },
        ],
  )
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', 'Not every identifier can be read: see errors.', { errors })
}
