/** The users of the workspace over HTTP, to whom leads and conversations are assigned. */
import { createPager, pageQuery, pageSchema } from '../../kit/page.ts'
import { route } from '../../kit/route.ts'
import { strictObject } from '../../kit/schema.ts'
import { listUsers } from './queries.ts'
import { Assignee, userExample } from './schemas.ts'

export const usersRoute = route({
  method: 'GET',
  path: '/users',
  operation: 'listUsers',
  tag: 'Identity',
  summary: 'List the users of the workspace, by name',
  description:
    'To whom conversations (`assignedUserId`) and leads (`ownerUserId`) are assigned, and who receives visitors (`ownerAgentUserId`).',
  scope: 'any',
  query: strictObject(pageQuery),
  status: 200,
  reply: pageSchema(Assignee),
  replyExample: { data: [{ id: userExample.id, name: userExample.name, active: true }], nextCursor: null },
  errors: ['INVALID_CURSOR'],
  async handle({ query, caller, tx }) {
    const pager = createPager('users', caller.tenantId, query)
    return pager.reply(await listUsers(tx, query.limit, pager.after))
  },
})
