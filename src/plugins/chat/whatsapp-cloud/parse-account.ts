/** Changes of the account: limits, quality, restrictions and bans. */
import type { AccountHealth, AccountStatus, InboundEvent } from '../../chat.ts'
import { asList, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import { type Change, type Emit, parseInstant, parsePhone } from './change.ts'
import { mayAnswer, toLimit } from './limits.ts'

const reasonMax = 500
type Health = Partial<AccountHealth>
type Value = Record<string, unknown>

export function parseAccountField(change: Change, emit: Emit): void {
  const { field, value, at } = change
  const health = readers[field]!(value)
  const externalId = change.externalId ?? findNumber(value) ?? change.groupId
  const name = asText(value.event) ?? asText(value.decision) ?? ''
  const event: InboundEvent = health
    ? { type: 'account_status', externalId, at, health }
    : { type: 'ignored', externalId, at, what: truncate(`${field} ${name}`.trim(), 200) }
  emit(event)
}

/** Some fields name the number by its id, some by its digits. Null: the change concerns the whole business account. */
function findNumber(value: Value): string | null {
  if (asText(value.entity_type) === 'PHONE_NUMBER') return asText(value.entity_id)
  return (parsePhone(value.display_phone_number) ?? parsePhone(value.phone_number))?.value ?? null
}

const state = (status: AccountStatus, reason: string | null): Health => ({
  status,
  reason: reason && truncate(reason, reasonMax),
})

const readers: Record<string, (value: Value) => Health | null> = {
  phone_number_quality_update(value) {
    const limit = toLimit(value.max_daily_conversations_per_business) ?? toLimit(value.current_limit)
    const event = asText(value.event)
    if (event === 'FLAGGED') {
      const reason =
        'WhatsApp has flagged the number: people block or report its messages. Send fewer and better ones.'
      return { ...state('DEGRADED', reason), quality: 'low', ...limit }
    }
    if (event === 'UNFLAGGED') return { ...state('CONNECTED', null), quality: 'medium', ...limit }
    return limit
  },
  phone_number_name_update: value =>
    asText(value.decision) === 'REJECTED'
      ? state(
          'DEGRADED',
          `WhatsApp has rejected the display name. ${asText(value.rejection_reason) ?? ''}`.trim(),
        )
      : null,
  business_capability_update: value =>
    toLimit(value.max_daily_conversations_per_business) ?? toLimit(value.max_daily_conversation_per_phone),
  account_review_update: value =>
    asText(value.decision) === 'REJECTED'
      ? state(
          'RESTRICTED',
          'WhatsApp has rejected the business account after its review. Appeal in the WhatsApp Manager.',
        )
      : null,
  account_alerts(value) {
    const alert = asObject(value.alert_info) ?? value
    const isSevere = asText(alert.alert_severity) === 'CRITICAL' && asText(alert.alert_status) !== 'NONE'
    const words = asText(alert.alert_description) ?? asText(alert.alert_type) ?? 'no reason'
    return isSevere ? state('DEGRADED', `WhatsApp reports: ${words}`) : null
  },
  account_update: value => lookUp(accountEvents, asText(value.event))?.(value) ?? null,
}

const accountEvents: Record<string, (value: Value) => Health | null> = {
  DISABLED_UPDATE: toBan,
  ACCOUNT_RESTRICTION: toRestriction,
  ACCOUNT_VIOLATION(value) {
    const type = asText(asObject(value.violation_info)?.violation_type)
    return state(
      'DEGRADED',
      `WhatsApp reports a violation of its policies${type ? ` (${type})` : ''}. Read it in the WhatsApp Manager.`,
    )
  },
  ACCOUNT_DELETED: () => state('LOGGED_OUT', 'The WhatsApp Business account was deleted.'),
  ACCOUNT_OFFBOARDED: () =>
    state(
      'LOGGED_OUT',
      'The number was disconnected, because its phone or its registration changed. Connect it again.',
    ),
  ACCOUNT_RECONNECTED: () => state('CONNECTED', null),
  PARTNER_REMOVED: () =>
    state('LOGGED_OUT', 'The WhatsApp Business account is no longer shared with the app. Share it again.'),
  PARTNER_APP_UNINSTALLED: () =>
    state('LOGGED_OUT', 'The app was removed from the WhatsApp Business account.'),
}

function toBan(value: Value): Health | null {
  const ban = asObject(value.ban_info)
  const date = asText(ban?.waba_ban_date)
  const when = date ? ` (${truncate(date, 50)})` : ''
  switch (asText(ban?.waba_ban_state)) {
    case 'REINSTATE':
      return state('CONNECTED', null)
    case 'SCHEDULE_FOR_DISABLE':
      return state('DEGRADED', `WhatsApp will disable the account${when}. Appeal in Meta Business Support.`)
    default:
      return state('BANNED', `WhatsApp has disabled the account${when}. Appeal in Meta Business Support.`)
  }
}

const firstMessages = 'RESTRICTED_BIZ_INITIATED_MESSAGING'
const answers = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING'

/** What an account may not do. Only the first two concern messages. */
const forbidden: Record<string, string> = {
  [firstMessages]: 'write to people who have not written',
  [answers]: 'answer people',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'add phone numbers',
}

function toRestriction(value: Value): Health | null {
  const restrictions = asList(value.restriction_info)
    .slice(0, 20)
    .map(item => asObject(item) ?? {})
  const find = (type: string) => restrictions.find(item => asText(item.restriction_type) === type)
  const stopped = find(answers) ?? find(firstMessages)
  const shown = stopped ?? restrictions[0]
  const stated = asText(shown?.expiration)
  const end = parseInstant(stated) ?? parseInstant(Date.parse(stated ?? '') / 1000)
  const until = end?.toString() ?? stated
  const type = asText(shown?.restriction_type) ?? 'unknown'
  const what = lookUp(forbidden, type)
  const canAnswer = type === firstMessages
  const words = `WhatsApp has restricted the account${what ? `: it may not ${what}` : ` (${type})`}${until ? ` until ${until}` : ''}.`
  // A list without a known restriction on messages concerns calls, new numbers or templates.
  const status = stopped || restrictions.length === 0 ? 'RESTRICTED' : 'DEGRADED'
  return {
    ...state(status, canAnswer ? `${words} ${mayAnswer}` : words),
    canAnswer,
    ...(canAnswer && end ? { restrictedUntil: end.toString() } : {}),
  }
}
