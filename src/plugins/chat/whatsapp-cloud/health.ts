/** The state of an account: the phone number at WhatsApp, and what it and the business may send. */
import {
  type AccountHealth,
  type AccountStatus,
  type ChatContext,
  ChatError,
  type ConnectedAccount,
  type Connection,
} from '../../chat.ts'
import { asList, asNumber, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import { type CredentialValues, callGraph, type GraphCall, tryGraph } from './graph.ts'
import { mayAnswer, toLimit, toQuality } from './limits.ts'

const basicFields = 'id,display_phone_number,verified_name,quality_rating,code_verification_status'
const allFields =
  `${basicFields},status,name_status,account_mode,throughput,health_status,messaging_limit_tier,` +
  'whatsapp_business_manager_messaging_limit'
const numbersMax = 1000
const reasonMax = 500

/**
 * Verifies all credentials: the token, that the number belongs to the business account, and the app secret. The health
 * check sets the webhook address: WhatsApp verifies it, and it answers only once the account is stored.
 */
export async function connectAccount(
  credentials: CredentialValues,
  context: ChatContext,
): Promise<ConnectedAccount> {
  const number = await readNumber(credentials, context)
  await assertOwnsNumber(credentials, context)
  const digits = (asText(number.display_phone_number) ?? '').replace(/\D/g, '')
  return {
    ...toHealth(number),
    externalId: credentials.phoneNumberId,
    groupId: credentials.businessAccountId,
    phone: /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null,
    name: asText(number.verified_name),
  }
}

const notSubscribed = {
  status: 'DEGRADED' as const,
  reason:
    'WhatsApp could not verify the webhook address, so no messages arrive. Enter the address and its verify token in the app’s dashboard, under WhatsApp > Configuration.',
}

export async function checkAccount(
  { credentials }: Connection<CredentialValues>,
  context: ChatContext,
): Promise<AccountHealth> {
  try {
    const health = toHealth(await readNumber(credentials, context))
    const isSubscribed = await subscribe(credentials, context)
    return isSubscribed || health.status !== 'CONNECTED' ? health : { ...health, ...notSubscribed }
  } catch (error) {
    const status = error instanceof ChatError ? statusOfFailures[error.failure.code] : undefined
    if (!status) throw error
    return {
      status,
      reason: (error as ChatError).failure.message,
      quality: null,
      dailyLimit: null,
      tier: null,
    }
  }
}

/** Failures that are the state of the account. After any other, its state is unknown. */
const statusOfFailures: Partial<Record<string, AccountStatus>> = {
  INVALID_CREDENTIALS: 'LOGGED_OUT',
  PERMISSION_MISSING: 'LOGGED_OUT',
  ACCOUNT_RESTRICTED: 'RESTRICTED',
  ACCOUNT_BANNED: 'BANNED',
  PAYMENT_REQUIRED: 'DEGRADED',
  // The number was deleted or moved: Graph does not know the id, or none of its fields.
  MESSAGE_REJECTED: 'LOGGED_OUT',
}

/** A version of Graph may lack a field, and then refuses the whole request. */
async function readNumber(
  credentials: CredentialValues,
  context: ChatContext,
): Promise<Record<string, unknown>> {
  const read = (fields: string): GraphCall => ({ path: credentials.phoneNumberId, query: { fields } })
  const outcome = await tryGraph(credentials, read(allFields), context)
  if ('value' in outcome) return outcome.value
  if (outcome.failure.providerCode !== '100') throw new ChatError(outcome.failure)
  return callGraph(credentials, read(basicFields), context)
}

async function assertOwnsNumber(credentials: CredentialValues, context: ChatContext): Promise<void> {
  const { businessAccountId, phoneNumberId } = credentials
  let after: string | null = null
  for (let count = 0; count < numbersMax; ) {
    const page = await callGraph(
      credentials,
      {
        path: `${businessAccountId}/phone_numbers`,
        query: { fields: 'id', limit: '100', ...(after && { after }) },
      },
      context,
    )
    const numbers = asList(page.data)
    if (numbers.some(number => asText(asObject(number)?.id) === phoneNumberId)) return
    count += numbers.length
    after = findNextCursor(page)
    if (after === null || numbers.length === 0) break
  }
  throw new ChatError({
    code: 'INVALID_CREDENTIALS',
    providerCode: null,
    message: `The WhatsApp Business account ${businessAccountId} does not have the phone number ${phoneNumberId}. Check both ids.`,
    retryable: false,
    retryAfterMs: 0,
    scope: 'account',
  })
}

/** The cursor of the next page; null: this one is the last. */
export function findNextCursor(page: Record<string, unknown>): string | null {
  const paging = asObject(page.paging)
  return asText(paging?.next) === null ? null : asText(asObject(paging?.cursors)?.after)
}

/**
 * Lets WhatsApp post the events of the business account to our address, which it verifies at once. Returns whether it
 * accepted the address.
 */
async function subscribe(credentials: CredentialValues, context: ChatContext): Promise<boolean> {
  const { webhook } = context
  if (!webhook) return true
  const path = `${credentials.businessAccountId}/subscribed_apps`
  const { data } = await callGraph(credentials, { path }, context)
  const addresses = asList(data).map(app => asText(asObject(app)?.override_callback_uri))
  if (addresses.includes(webhook.url)) return true
  const body = { override_callback_uri: webhook.url, verify_token: webhook.verifyToken }
  const outcome = await tryGraph(credentials, { path, body }, context)
  if ('value' in outcome) return true
  // Without an address WhatsApp posts to that of the app, but forgets an address that was set.
  if (addresses.every(address => address === null)) await callGraph(credentials, { path, body: {} }, context)
  context.log.warn({ failure: outcome.failure }, 'WhatsApp did not accept the webhook address')
  return false
}

const statuses: Record<string, [AccountStatus, string]> = {
  PENDING: ['LOGGED_OUT', 'The phone number is not registered for the Cloud API yet.'],
  UNVERIFIED: ['LOGGED_OUT', 'The phone number is not verified yet. Verify it in the WhatsApp Manager.'],
  UNREGISTERED: ['LOGGED_OUT', 'The phone number is no longer registered for the Cloud API.'],
  DISCONNECTED: [
    'LOGGED_OUT',
    'The phone number is disconnected. Register it again in the WhatsApp Manager.',
  ],
  OFFLINE: ['LOGGED_OUT', 'The phone number is offline.'],
  DELETED: ['LOGGED_OUT', 'The phone number was deleted at WhatsApp.'],
  MIGRATED: ['LOGGED_OUT', 'The phone number was moved to another WhatsApp account.'],
  FLAGGED: [
    'DEGRADED',
    'WhatsApp has flagged the number: people block or report its messages. Send fewer and better ones.',
  ],
  RATE_LIMITED: ['DEGRADED', 'The number has reached its messaging limit.'],
  WARNED: ['DEGRADED', 'WhatsApp has warned the number. Read why in the WhatsApp Manager.'],
  RESTRICTED: ['RESTRICTED', `WhatsApp has restricted the number for a time. ${mayAnswer}`],
  BANNED: ['BANNED', 'WhatsApp has banned the number. Appeal in Meta Business Support.'],
}

/** Of several states the worst one counts. */
const severity: AccountStatus[] = [
  'CONNECTED',
  'DEGRADED',
  'DISCONNECTED',
  'RESTRICTED',
  'LOGGED_OUT',
  'BANNED',
]

export function toHealth(number: Record<string, unknown>): AccountHealth {
  const findings: [AccountStatus, string][] = []
  const status = lookUp(statuses, asText(number.status))
  if (status) findings.push(status)
  findings.push(...toSendingFindings(asObject(number.health_status)))
  if (asText(number.name_status) === 'DECLINED')
    findings.push(['DEGRADED', 'WhatsApp has declined the display name of the number. Request another one.'])
  if (asText(number.account_mode) === 'SANDBOX')
    findings.push(['DEGRADED', 'This is a test number, which writes only to the numbers on its list.'])
  const worst = findings.reduce<[AccountStatus, string | null]>(
    (found, next) => (severity.indexOf(next[0]) > severity.indexOf(found[0]) ? next : found),
    ['CONNECTED', null],
  )
  const limit =
    toLimit(number.whatsapp_business_manager_messaging_limit) ?? toLimit(number.messaging_limit_tier)
  return {
    status: worst[0],
    reason: worst[1],
    canAnswer:
      worst === statuses.RESTRICTED &&
      findings.every(finding => finding === worst || finding[0] !== 'RESTRICTED'),
    quality: toQuality(number.quality_rating),
    ...(limit ?? { dailyLimit: null, tier: null }),
  }
}

const bannedCodes = [141014, 141015]

/** What WhatsApp says about sending, for the number, its account, the business and the app. */
function toSendingFindings(health: Record<string, unknown> | null): [AccountStatus, string][] {
  return asList(health?.entities)
    .slice(0, 20)
    .flatMap(value => {
      const entity = asObject(value)
      const state = asText(entity?.can_send_message)
      if (state !== 'LIMITED' && state !== 'BLOCKED') return []
      const errors = asList(entity?.errors)
        .slice(0, 5)
        .map(error => asObject(error) ?? {})
      const isBanned = errors.some(error => bannedCodes.includes(asNumber(error.error_code) ?? 0))
      const words = errors.flatMap(error => [
        asText(error.error_description),
        asText(error.possible_solution),
      ])
      const information = asList(entity?.additional_info).slice(0, 5).map(asText)
      const reason = [...words, ...information].filter(text => text !== null).join(' ')
      const status = state === 'LIMITED' ? 'DEGRADED' : isBanned ? 'BANNED' : 'RESTRICTED'
      return [[status, truncate(reason, reasonMax) || 'WhatsApp limits what the account may send.']]
    })
}
