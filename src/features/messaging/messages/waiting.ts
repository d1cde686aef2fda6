/** Why a queued message is not sent now, as JSON. */
import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sendingStatuses } from '../../accounts/service.ts'

const reasons = {
  task: {
    code: 'TASK_OPEN',
    message: 'A person of the agency sends the message by hand: see `GET /messaging/tasks`.',
  },
  paused: {
    code: 'ACCOUNT_PAUSED',
    message: 'Somebody has paused the account. The message is sent when the pause ends.',
  },
  earlier: {
    code: 'EARLIER_MESSAGE',
    message: 'An earlier message of the conversation comes first. Its `waiting` says why it was not sent.',
  },
  outage: {
    code: 'PROVIDER_UNAVAILABLE',
    message: 'The provider does not answer. The account is tried again later.',
  },
  scheduled: {
    code: 'SCHEDULED',
    message: 'A campaign sends the message at this time.',
  },
  limit: {
    code: 'ACCOUNT_LIMIT',
    message: 'The provider accepts no more messages of the account for now.',
  },
}

// Literals: a statement with an object as parameter is planned each time.
const reason = ({ code, message }: { code: string; message: string }, until = sql`null`) =>
  sql`json_build_object('code', ${sql.lit(code)}, 'message', ${sql.lit(message)}, 'until', ${until})`
const ownReason = sql`case when m.wait_reason is not null
  then json_build_object('code', m.wait_reason ->> 'code', 'message', m.wait_reason ->> 'message', 'until', aldaba.iso_time(m.next_attempt_at)) end`
const pauseEnd = sql`aldaba.iso_time(a.paused_until)`
const sends = sql.join(sendingStatuses.map(status => sql.lit(status)))

/** SQL: `waiting` of a message `m`. The account is read for queued messages alone. */
export const waitingJson = (tx: Tx): RawBuilder<unknown> => sql`
  case when m.status = 'queued' and m.claim_token is null then (
    select case
      when a.mode = 'chat-no-api' then ${reason(reasons.task)}
      when m.claimed_at is not null then ${ownReason}
      when a.status not in (${sends}) and not (a.status = 'RESTRICTED' and a.can_answer) then json_build_object('code', 'ACCOUNT_NOT_SENDING', 'message',
        'The account is ' || a.status || ', so it sends nothing. ' || coalesce(a.status_reason, 'Connect it again.'), 'until', null)
      when a.is_paused then ${reason(reasons.paused)}
      when m.next_attempt_at is null then ${reason(reasons.earlier)}
      when a.paused_until > greatest(${sqlNow(tx)}, m.next_attempt_at) then
        case when a.outage_count > 0 then ${reason(reasons.outage, pauseEnd)} else ${reason(reasons.limit, pauseEnd)} end
      when m.next_attempt_at > ${sqlNow(tx)} then
        case when m.wait_reason is null and m.send_at > ${sqlNow(tx)} then ${reason(reasons.scheduled, sql`aldaba.iso_time(m.send_at)`)} else ${ownReason} end end
    from accounts a where a.tenant_id = ${getTenantId(tx)} and a.id = m.account_id) end`
