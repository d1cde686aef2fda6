/** The API schemas of tasks: messages that a person sends by hand. */
import { pageQuery } from '../../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'

const taskStatuses = ['open', 'opened', 'done', 'expired', 'skipped'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const Task = strictObject(
  {
    id: id('The task. It is the id of its message.'),
    conversationId: id('The conversation.'),
    accountId: id('The account.'),
    leadId: nullable(id('The lead that the message is about; null: the conversation has none.')),
    contactName: nullable(Type.String({ description: 'The name of the lead; null: not known.' })),
    text: nullable(Type.String({ description: 'The text to send; null: the message has none.' })),
    subject: nullable(
      Type.String({ description: 'The subject of the e-mail; null: it continues a thread, or is none.' }),
    ),
    assignedUserId: nullable(id('The user who sends it; null: nobody in particular.')),
    status: oneOf(taskStatuses, {
      description:
        '`opened`: somebody opened its link. `done`: the message was sent. `skipped`, `expired`: it was not.',
    }),
    expiresAt: time('When it expires: then the message fails.'),
    openedAt: nullable(time('When its link was first opened; null: never.')),
    endedAt: nullable(time('When it was done, skipped, or expired; null: it is still to be done.')),
    createdAt: time('When the message was queued.'),
  },
  { title: 'MessageTask', description: 'A message of a `chat-no-api` account, which a person sends.' },
)
export type Task = Static<typeof Task>

export const taskExample: Task = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  accountId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
  contactName: 'Marta Ruiz',
  text: 'Buenos días, Marta. ¿Le va bien el jueves a las 18:00?',
  subject: null,
  assignedUserId: null,
  status: 'open',
  expiresAt: '2026-11-05T10:00:00.000Z',
  openedAt: null,
  endedAt: null,
  createdAt: '2026-11-02T10:00:00.000Z',
}

export const TaskFilter = strictObject({
  ...pageQuery,
  status: Type.Optional(
    oneOf(taskStatuses, { description: 'Only those with this status. Omitted: those still to be done.' }),
  ),
  assignedUserId: Type.Optional(id('Only those of this user.')),
})
export type TaskFilter = Static<typeof TaskFilter>

export const TaskChanges = strictObject(
  {
    assignedUserId: Type.Optional(nullable(id('The user who sends it; null: nobody in particular.'))),
    status: Type.Optional(
      oneOf(['done', 'skipped'], {
        description: '`done`: you have sent the message. `skipped`: it is not sent, and fails.',
      }),
    ),
  },
  { title: 'MessageTaskChanges', description: 'Omitted fields keep their value.' },
)

export const OpenedTask = strictObject(
  {
    task: Task,
    link: Type.String({
      description: 'Opens the conversation in the program of the provider, with the text filled in.',
    }),
  },
  { title: 'OpenedMessageTask', description: 'A task whose link was opened.' },
)
