/** Quick replies over HTTP: texts that people insert with a shortcut. */
import type { Tx } from '../../../kit/db/index.ts'
import { type JsonText, toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type InputError, notFound, Problem, type ProblemType } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { id, type Static, strictObject, Type, time, visible } from '../../../kit/schema.ts'
import * as queries from './queries.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The quick reply.') })
const countMax = 1000

const shortcutTaken: ProblemType = {
  code: 'SHORTCUT_TAKEN',
  status: 409,
  meaning: 'Another quick reply has this shortcut.',
  action: 'Choose another shortcut, or change the other quick reply.',
  example: 'Another quick reply has the shortcut "visita". Choose another one.',
}

const tooMany = `At most ${countMax} quick replies are allowed. Delete some first.`

const fields = {
  shortcut: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: '^[\\p{Ll}\\p{Lo}\\p{N}_-]+$',
    description: 'What people type after a slash: lower-case letters, digits, `-` and `_`. Unique.',
    examples: ['visita-piso'],
  }),
  text: Type.String({
    maxLength: 4000,
    pattern: visible,
    description: 'The text that is inserted, as it is; not blank. Texts with variables are templates.',
  }),
}

const QuickReply = strictObject(
  {
    id: id('The quick reply.'),
    ...fields,
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
  },
  { title: 'QuickReply' },
)

const NewQuickReply = strictObject(fields, { title: 'NewQuickReply' })
const QuickReplyChanges = strictObject(
  { shortcut: Type.Optional(fields.shortcut), text: Type.Optional(fields.text) },
  { title: 'QuickReplyChanges' },
)

const example: Static<typeof QuickReply> = {
  id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  shortcut: 'visita',
  text: '¿Qué día le iría bien para visitar el piso?',
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}

export const quickReplyRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/quick-replies',
    operation: 'listQuickReplies',
    tag,
    summary: 'List quick replies, by shortcut',
    scope: 'messaging:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(QuickReply),
    replyExample: { data: [example], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('quick-replies', caller.tenantId, query)
      return pager.reply(await queries.listQuickReplies(tx, query.limit, pager.after))
    },
  }),
  route({
    method: 'POST',
    path: '/quick-replies',
    operation: 'createQuickReply',
    tag,
    summary: 'Create a quick reply',
    description: `At most ${countMax} are allowed.`,
    scope: 'messaging:write',
    body: NewQuickReply,
    example: { shortcut: example.shortcut, text: example.text },
    status: 201,
    reply: QuickReply,
    replyExample: example,
    errors: [shortcutTaken, 'QUOTA_EXCEEDED'],
    errorExamples: { QUOTA_EXCEEDED: tooMany },
    check: ({ body }) => checkText(body.text),
    async handle({ body: { shortcut, text }, tx }) {
      await queries.lockQuickReplies(tx)
      if ((await queries.countQuickReplies(tx)) >= countMax) throw new Problem('QUOTA_EXCEEDED', tooMany)
      const created = await queries.insertQuickReply(tx, { shortcut, text: sanitizeText(text) })
      if (!created) throw createTaken(shortcut)
      return getReply(tx, created)
    },
  }),
  route({
    method: 'PATCH',
    path: '/quick-replies/{id}',
    operation: 'updateQuickReply',
    tag,
    summary: 'Change a quick reply',
    description: 'Omitted fields keep their value.',
    scope: 'messaging:write',
    params,
    body: QuickReplyChanges,
    example: { text: '¿Qué día y a qué hora le iría bien?' },
    status: 200,
    reply: QuickReply,
    replyExample: example,
    errors: [shortcutTaken],
    check: ({ body }) => checkText(body.text),
    async handle({ params, body: { shortcut, text }, tx }) {
      await queries.lockQuickReplies(tx)
      if (shortcut !== undefined && (await queries.isShortcutTaken(tx, shortcut, params.id)))
        throw createTaken(shortcut)
      const changes = {
        ...(shortcut === undefined ? {} : { shortcut }),
        ...(text === undefined ? {} : { text: sanitizeText(text) }),
      }
      if (!(await queries.updateQuickReply(tx, params.id, changes))) throw notFound('quick reply')
      return getReply(tx, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/quick-replies/{id}',
    operation: 'deleteQuickReply',
    tag,
    summary: 'Delete a quick reply',
    scope: 'messaging:write',
    params,
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      if (!(await queries.deleteQuickReply(tx, params.id))) throw notFound('quick reply')
      return null
    },
  }),
]

async function getReply(tx: Tx, quickReplyId: string): Promise<JsonText> {
  return toJsonText((await queries.findQuickReply(tx, quickReplyId))!)
}

const createTaken = (shortcut: string) =>
  new Problem(shortcutTaken, `Another quick reply has the shortcut "${shortcut}". Choose another one.`)

/** The text is inserted as it is: a person would receive the variables of a template unresolved. */
function checkText(text: string | undefined): InputError[] {
  if (text === undefined || !/\{\{|\{%/.test(text)) return []
  const message = 'A quick reply has no variables: create a template instead, or remove the double braces.'
  return [{ path: '/text', code: 'VARIABLES_NOT_ALLOWED', message }]
}
