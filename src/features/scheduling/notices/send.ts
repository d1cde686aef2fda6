/** Sends due notices. Each is claimed in the transaction that queues its message, so none is sent twice. */
import { getNow } from '../../../kit/clock/clock.ts'
import { type Database, isDatabaseUnavailable, type Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { missingVariable } from '../../templates/service.ts'
import { findEventType } from '../event-types/queries.ts'
import { enqueueAgentNotice } from './agent-mail.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { findRefusal } from './find-refusal.ts'
import {
  claimNotice,
  type DueNotice,
  listDue,
  type NoticeResult,
  postponeNotice,
  storeResult,
  tryLockAppointment,
} from './queries.ts'
import { internal, type Refusal } from './reasons.ts'
import { queueVisitorMessage } from './visitor-message.ts'

export interface SendOptions {
  database: Database
  tenantId: string
  dependencies: NoticeDependencies
  /** Null: those of all appointments. */
  appointmentId: string | null
  /** Called between two batches. Throws if something else is to be done first. Missing: nothing is. */
  yieldToOthers?(): Promise<void>
}

const batchSize = 50
const retryMinutes = [1, 5, 30, 120]

export async function sendDueNotices(options: SendOptions): Promise<void> {
  const { database, tenantId, appointmentId } = options
  let after: DueNotice | null = null
  for (;;) {
    const due: DueNotice[] = await database.readTenant({ tenantId }, tx =>
      listDue(tx, { appointmentId, after, limit: batchSize }),
    )
    for (const notice of due) await sendOne(options, notice)
    if (due.length < batchSize) return
    await options.yieldToOthers?.()
    after = due.at(-1)!
  }
}

async function sendOne(options: SendOptions, due: DueNotice): Promise<void> {
  const { database, tenantId, dependencies } = options
  const send = (usesTemplate: boolean) =>
    database.withTenant({ tenantId }, tx => sendNotice(tx, due, { dependencies, usesTemplate }))
  try {
    await send(true).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== missingVariable.code) throw error
      // The text of the program needs no variables. If it cannot be sent either, the template is to be completed.
      return send(false).catch((other: unknown) => {
        throw other instanceof Problem ? error : other
      })
    })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (error instanceof Problem && error.status < 500) {
      const refusal = toRefusal(error)
      await database.withTenant({ tenantId }, tx => end(tx, due, { status: 'skipped', refusal }))
      return
    }
    dependencies.log.error({ err: error, noticeId: due.id }, 'a notice could not be sent')
    await database.withTenant({ tenantId }, tx => postpone(tx, due))
  }
}

async function sendNotice(
  tx: Tx,
  due: DueNotice,
  { dependencies, usesTemplate }: { dependencies: NoticeDependencies; usesTemplate: boolean },
): Promise<void> {
  // Before the appointment, as an erasure does: see insert-message.ts for the order of locks.
  await lockLeadWrites(tx)
  const appointment = await tryLockAppointment(tx, due.appointmentId)
  const claimed = appointment && (await claimNotice(tx, due.id))
  if (!claimed) return
  const notice = usesTemplate ? claimed : { ...claimed, templateId: null }
  const refusal = findRefusal(notice, appointment, getNow(tx))
  if (refusal) return storeResult(tx, notice.id, { status: 'skipped', refusal })
  if (notice.recipient === 'agent') return enqueueAgentNotice(tx, notice.id)
  const eventType = (await findEventType(tx, appointment.eventTypeId))!
  const result = await queueVisitorMessage(tx, { notice, appointment, eventType, dependencies })
  await storeResult(tx, notice.id, result)
}

async function end(tx: Tx, { id }: DueNotice, result: NoticeResult): Promise<void> {
  if (await claimNotice(tx, id)) await storeResult(tx, id, result)
}

async function postpone(tx: Tx, { id, attempts }: DueNotice): Promise<void> {
  const minutes = retryMinutes[attempts]
  if (minutes === undefined) return storeResult(tx, id, { status: 'failed', refusal: internal })
  await postponeNotice(tx, id, new Date(getNow(tx).getTime() + minutes * 60_000))
}

/** The reason in privacy, such as `OPTED_OUT`, says more than the code of the problem. */
const toRefusal = ({ code, message, details, errors }: Problem): Refusal => ({
  code: String(details.reason ?? errors?.[0]?.code ?? code),
  message: errors?.[0]?.message ?? message,
})
