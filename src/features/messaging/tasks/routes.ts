/** Tasks over HTTP: people open the link of a message, send it, and tick it off. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import { Problem, type ProblemType, throwIfInvalid } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { findUserErrors } from '../../identity/service.ts'
import { assertContactable, notContactable } from '../../privacy/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { getConversation, lockConversations } from '../conversations/queries.ts'
import { selectRecipients, toContactIdentifiers } from '../identities.ts'
import { isAnswerTo } from '../is-answer.ts'
import { findOutgoing } from '../messages/outgoing-rows.ts'
import { finishTask } from './end-tasks.ts'
import { assignTask, getTask, isOpen, listTasks, markOpened } from './queries.ts'
import { OpenedTask, Task, TaskChanges, TaskFilter, taskExample } from './schemas.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The task.') })

const noLink: ProblemType = {
  code: 'NO_LINK',
  status: 422,
  meaning: 'There is no link to the person: no phone is known, or the provider has no links.',
  action: 'Add the phone of the person to the lead, or skip the task.',
  example: 'There is no link to this person, because no phone is known. Skip the task.',
}

const endedMessage = 'The task has ended: it is done. Send the message again if it still matters.'

type Accounts = Pick<ChatAccounts, 'getProvider'>

export const taskRoutes = (accounts: Accounts): Route[] => [
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
      'Call it when somebody is about to send the message: it is checked now if the person may be contacted. The link opens the conversation in the program of the provider, with the text filled in. It may be requested again.',
    scope: 'messaging:write',
    params,
    status: 200,
    reply: OpenedTask,
    replyExample: {
      task: { ...taskExample, status: 'opened', openedAt: '2026-11-02T10:04:00.000Z' },
      link: 'https://wa.me/34612345678?text=Buenos%20d%C3%ADas',
    },
    errors: ['INVALID_TRANSITION', notContactable, noLink],
    errorExamples: { INVALID_TRANSITION: endedMessage },
    async handle({ params, tx }) {
      const link = await createLink(tx, params.id, accounts)
      await lockOpenTask(tx, params.id)
      await markOpened(tx, params.id)
      return { task: await getTask(tx, params.id), link }
    },
  }),
]

/** Locks the conversation of a task. Throws 404; 409 INVALID_TRANSITION for a task that has ended. */
async function lockOpenTask(tx: Tx, taskId: string): Promise<void> {
  await shareLeads(tx)
  await lockConversations(tx, [(await getTask(tx, taskId)).conversationId])
  const task = await getTask(tx, taskId)
  if (isOpen(task) && task.expiresAt > getNow(tx).toISOString()) return
  const end = isOpen(task) ? 'expired' : task.status
  throw new Problem(
    'INVALID_TRANSITION',
    `The task has ended: it is ${end}. Send the message again if it still matters.`,
  )
}

/**
 * Checks that the person may be contacted, which takes the lock that opt-outs take too, and returns the link. Throws
 * 422 NOT_CONTACTABLE and NO_LINK.
 */
async function createLink(tx: Tx, taskId: string, accounts: Accounts): Promise<string> {
  const { conversationId, accountId, leadId, text, subject } = await getTask(tx, taskId)
  const [message] = await findOutgoing(tx, [taskId])
  const { identities, lastInboundAt } = await getConversation(tx, conversationId)
  const provider = getAccountProvider(accounts, await assertAccount(tx, accountId))
  await assertContactable(tx, leadId, provider.channel, {
    isAnswer: isAnswerTo(tx, { campaignId: message!.campaignId, lastInboundAt }),
    identifiers: toContactIdentifiers(identities),
  })
  const to = selectRecipients(identities, provider.capabilities, getNow(tx))
  const link = provider.createLink?.(to, text ?? '', subject)
  if (!link) throw new Problem(noLink, noLink.example)
  return link
}
