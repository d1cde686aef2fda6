/** The notices of an appointment over HTTP. */
import type { Tx } from '../../../kit/db/index.ts'
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { findMessageStates, type MessageState } from '../../messaging/service.ts'
import { getAppointment } from '../appointments/queries.ts'
import { listNotices, type NoticeRow } from './queries.ts'
import { cancelledRefusal, messageDeleted, superseded } from './reasons.ts'
import { Notice, noticeExample } from './schemas.ts'

export const noticeRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/scheduling/appointments/{id}/notices',
    operation: 'listAppointmentNotices',
    tag: 'Scheduling',
    summary: 'List the notices of an appointment to the visitor and the agent, oldest first',
    description:
      'A notice to the visitor becomes a message of their conversation: opt-outs, quotas and budgets apply as to every message. What is not sent says why.',
    scope: 'scheduling:read',
    params: strictObject({ id: id('The appointment.') }),
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(Notice),
    replyExample: { data: [noticeExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getAppointment(tx, params.id)
      const pager = createPager(`notices ${params.id}`, caller.tenantId, query)
      const rows = await listNotices(tx, params.id, { limit: query.limit, after: pager.after })
      const page = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? [page.at(-1)!.id] : null
      return pager.reply({ json: JSON.stringify(await toNotices(tx, page)), last })
    },
  }),
]

async function toNotices(tx: Tx, rows: NoticeRow[]): Promise<Notice[]> {
  const states = await findMessageStates(
    tx,
    rows.flatMap(({ messageId }) => messageId ?? []),
  )
  return rows.map(row => toNotice(row, states.get(row.messageId ?? '')))
}

/** Once it is a message, its state is that of the message. One that a change of the appointment withdrew was skipped. */
function toNotice(row: NoticeRow, message: MessageState | undefined): Notice {
  const { id, kind, recipient, agentUserId, channel, templateId, sequence, messageId } = row
  const own = row.reason === null ? null : { code: row.reason, message: row.explanation ?? '' }
  const isDeleted = messageId !== null && !message
  const reason = message?.failure ?? (isDeleted ? messageDeleted : own)
  const isPointless = [cancelledRefusal, superseded].some(({ code }) => code === message?.failure?.code)
  return {
    id,
    kind,
    recipient,
    agentUserId,
    channel,
    templateId,
    sequence,
    dueAt: row.dueAt?.toISOString() ?? null,
    status: isPointless
      ? 'skipped'
      : isDeleted
        ? 'unknown'
        : ((message?.status as Notice['status'] | undefined) ?? row.status),
    reason: reason && { code: reason.code, message: reason.message },
    messageId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
