/** Tasks over HTTP: people open the link of a message, send it, and tick it off. */
import { createPager, pageSchema } from '../../../kit/page.ts'
import { throwIfInvalid } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { findUserErrors } from '../../identity/service.ts'
import { notContactable } from '../../privacy/service.ts'
import { noticeMissing, textTooLong } from '../problems.ts'
import { finishTask, lockOpenTask } from './end-tasks.ts'
import { campaignHolds, noLink, openTask } from './open-task.ts'
import { assignTask, getTask, listTasks } from './queries.ts'
import { OpenedTask, Task, TaskChanges, TaskFilter, taskExample } from './schemas.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The task.') })

const endedMessage = 'The task has ended: it is done. Send the message again if it still matters.'

export const taskRoutes = (accounts: Pick<ChatAccounts, 'getProvider'>): Route[] => [
  route({
    method: 'GET',
    path: '/messaging/tasks',
    operation: 'listMessageTasks',
    tag,
    summary: 'List the messages that people send by hand, the oldest first',
    description:
      'Accounts of the mode `chat-no-api` send nothing by themselves: each of their messages is a task. Somebody opens its link, sends the text, and ticks it off.',
    scope: 'messaging:read',
    query: TaskFilter,
    status: 200,
    reply: pageSchema(Task),
    replyExample: { data: [taskExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = createPager('messaging/tasks', caller.tenantId, query)
      const tasks = await listTasks(tx, query, list.after)
      const page = tasks.slice(0, query.limit)
      const last = page.at(-1)
      return list.reply({
        json: JSON.stringify(page),
        last: last && tasks.length > page.length ? [last.createdAt, last.id] : null,
      })
    },
  }),
  route({
    method: 'PATCH',
    path: '/messaging/tasks/{id}',
    operation: 'updateMessageTask',
    tag,
    summary: 'Assign a task, or tick it off',
    description:
      '`done`: the message is `sent`. `skipped`: it has failed, and the quota is refunded. A task that has ended does not change.',
    scope: 'messaging:write',
    params,
    body: TaskChanges,
    example: { status: 'done' },
    status: 200,
    reply: Task,
    replyExample: { ...taskExample, status: 'done', endedAt: '2026-11-02T10:05:00.000Z' },
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: endedMessage },
    async handle({ params, body: { status, assignedUserId }, tx }) {
      await getTask(tx, params.id)
      throwIfInvalid(await findUserErrors(tx, assignedUserId, '/assignedUserId'))
      await lockOpenTask(tx, params.id)
      if (assignedUserId !== undefined) await assignTask(tx, params.id, assignedUserId)
      if (status) await finishTask(tx, params.id, status)
      return getTask(tx, params.id)
    },
  }),
  route({
    method: 'POST',
    path: '/messaging/tasks/{id}/open',
    operation: 'openMessageTask',
    tag,
    summary: 'Get the link of a task',
    description:
      'Call it when somebody is about to send the message: it is checked now if the person may be contacted, and the text gets the privacy notice if they have not received it. The link opens the conversation in the program of the provider, with the text filled in. It may be requested again.',
    scope: 'messaging:write',
    params,
    status: 200,
    reply: OpenedTask,
    replyExample: {
      task: { ...taskExample, status: 'opened', openedAt: '2026-11-02T10:04:00.000Z' },
      link: 'https://wa.me/34612345678?text=Buenos%20d%C3%ADas',
    },
    errors: ['INVALID_TRANSITION', notContactable, campaignHolds, noticeMissing, textTooLong, noLink],
    errorExamples: { INVALID_TRANSITION: endedMessage },
    async handle({ params, tx }) {
      const link = await openTask(tx, params.id, accounts)
      return { task: await getTask(tx, params.id), link }
    },
  }),
]
