/** Checks what a campaign refers to: its account, templates, and regions with holidays. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { type InputError, Problem } from '../../../kit/problem.ts'
import { compile, id } from '../../../kit/schema.ts'
import { type AccountRow, findAccounts, sendingStatuses } from '../../accounts/service.ts'
import { findConnections } from '../../ads/service.ts'
import { findEventType, findHolidayErrors } from '../../scheduling/service.ts'
import { findTemplates } from '../../templates/service.ts'
import { findChatAccounts, type Providers } from './account.ts'
import { normalizeEmail } from './complete-notifications.ts'
import { toRegion } from './pace.ts'
import { chatAccountRequired } from './problems.ts'
import { selectCampaigns } from './queries.ts'
import type { CampaignRow } from './row.ts'
import { isDate } from './segmentation.ts'
import type { CampaignSettingsInput } from './settings-schemas.ts'

export interface References {
  accountId?: string | null | undefined
  contactMode?: CampaignRow['contactMode'] | undefined
  /** Its form may be wrong, which is reported elsewhere. */
  segmentation?: Record<string, unknown> | undefined
  settings?: CampaignSettingsInput | undefined
  /** Null: it is new. */
  campaignId: string | null
}

/** The accounts, templates and regions of a request that do not exist or do not fit. `contactMode`: also a stored one. */
export async function findReferenceErrors(
  tx: Tx,
  { accountId, contactMode, segmentation = {}, settings = {}, campaignId }: References,
): Promise<InputError[]> {
  return [
    ...(await findAccountErrors(tx, accountId, contactMode)),
    ...(await findConnectionErrors(tx, segmentation.connectionId)),
    ...(await findTemplateErrors(tx, settings.steps ?? [])),
    ...(await findClosedDayErrors(settings.sendWindow?.holidays ?? [])),
    ...(await findEventTypeErrors(tx, settings.ai?.eventTypeId)),
    ...(await findNotificationErrors(tx, settings.notifications, campaignId)),
  ]
}

async function findAccountErrors(
  tx: Tx,
  accountId: References['accountId'],
  contactMode: References['contactMode'],
): Promise<InputError[]> {
  if (!accountId) return []
  const path = '/accountId'
  const [account] = await findAccounts(tx, [accountId])
  if (!account) return [{ path, code: 'UNKNOWN_ACCOUNT', message: 'There is no account with this id.' }]
  if (!contactMode || account.mode === contactMode) return []
  const message = `is an account of the mode ${account.mode}, and the contact mode is ${contactMode}`
  return [{ path, code: 'WRONG_ACCOUNT', message }]
}

const isId = compile(id('A connection.'))

async function findConnectionErrors(tx: Tx, connectionId: unknown): Promise<InputError[]> {
  if (typeof connectionId !== 'string' || isId(connectionId).length > 0) return []
  if ((await findConnections(tx, [connectionId])).length > 0) return []
  const path = '/segmentation/connectionId'
  return [{ path, code: 'UNKNOWN_AD_CONNECTION', message: 'There is no connection with this id.' }]
}

type SentStep = Partial<NonNullable<CampaignSettingsInput['steps']>[number]>

/** The templates of steps, each with its path in the campaign. */
export const listTemplates = (steps: SentStep[]): { id: string; path: string }[] =>
  steps.flatMap(({ templateId, variants = [] }, index) => {
    const path = `/settings/steps/${index}`
    const others = variants.map((variant, at) => ({
      id: variant.templateId,
      path: `${path}/variants/${at}/templateId`,
    }))
    const own = { id: templateId, path: `${path}/templateId` }
    return [own, ...others].flatMap(({ id, path }) =>
      id === undefined ? [] : { id: id.toLowerCase(), path },
    )
  })

/** Handles `templateEnding`: the names of the campaigns that would go on without it. */
export async function listCampaignsSending(
  tx: Tx,
  { templateId }: { templateId: string },
): Promise<string[]> {
  const campaigns = await selectCampaigns(
    tx,
    sql`status in ('running', 'paused') and mode = 'extract_and_contact' and strpos(lower(settings ->> 'steps'), ${templateId}) > 0`,
    sql`order by id`,
  )
  return campaigns.map(({ name }) => name)
}

async function findTemplateErrors(tx: Tx, steps: SentStep[]): Promise<InputError[]> {
  const named = listTemplates(steps)
  if (named.length === 0) return []
  const known = new Set(
    (await findTemplates(tx, [...new Set(named.map(({ id }) => id))])).map(({ id }) => id),
  )
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ path }) => ({ path, code: 'UNKNOWN_TEMPLATE', message: 'There is no template with this id.' }))
}

async function findClosedDayErrors(holidays: string[]): Promise<InputError[]> {
  const errors: InputError[] = []
  for (const [index, holiday] of holidays.entries()) {
    const path = `/settings/sendWindow/holidays/${index}`
    const region = toRegion(holiday)
    if (region) errors.push(...(await findHolidayErrors(region, path)).map(error => ({ ...error, path })))
    else if (!isDate(holiday))
      errors.push({
        path,
        code: 'WRONG_FORMAT',
        message: 'must be a date that exists, a country or a region',
      })
  }
  return errors
}

async function findEventTypeErrors(tx: Tx, eventTypeId: string | null | undefined): Promise<InputError[]> {
  if (!eventTypeId || (await findEventType(tx, eventTypeId))) return []
  const path = '/settings/ai/eventTypeId'
  return [{ path, code: 'UNKNOWN_EVENT_TYPE', message: 'There is no event type with this id.' }]
}

async function findNotificationErrors(
  tx: Tx,
  sent: CampaignSettingsInput['notifications'],
  campaignId: string | null,
): Promise<InputError[]> {
  const path = '/settings/notifications'
  const { accountId, emails = [] } = sent ?? {}
  const errors: InputError[] = []
  if (accountId && (await findAccounts(tx, [accountId])).length === 0)
    errors.push({
      path: `${path}/accountId`,
      code: 'UNKNOWN_ACCOUNT',
      message: 'There is no account with this id.',
    })
  if (campaignId === null || emails.length === 0) return errors
  const { rows } = await sql<{ email: string }>`
    select email from campaign_subscribers
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and unsubscribed_at is not null
      and email = any(${emails.map(normalizeEmail)}::text[])`.execute(tx)
  const message =
    'has unsubscribed from these e-mails; only the person can subscribe again, with the link in one of them'
  for (const [index, email] of emails.entries())
    if (rows.some(row => row.email === normalizeEmail(email)))
      errors.push({ path: `${path}/emails/${index}`, code: 'UNSUBSCRIBED', message })
  return errors
}

/** Throws 422 CHAT_ACCOUNT_REQUIRED unless the account that is named, or any one, can send for the mode `chat`. */
export async function assertChatAccount(
  tx: Tx,
  providers: Providers,
  { accountId, contactMode }: Pick<CampaignRow, 'accountId' | 'contactMode'>,
): Promise<void> {
  if (contactMode !== 'chat') return
  if (accountId === null) {
    if ((await findChatAccounts(tx, providers, contactMode)).length > 0) return
    throw new Problem(chatAccountRequired, chatAccountRequired.example)
  }
  const [account] = await findAccounts(tx, [accountId])
  if (account && sendingStatuses.includes(account.status)) return
  throw new Problem(
    chatAccountRequired,
    `The contact mode chat needs a connected account, and "${account!.displayName}" is ${account!.status}. ${adviseOn(account!)}`,
  )
}

function adviseOn({ status }: Pick<AccountRow, 'status'>): string {
  if (status === 'DISCONNECTED') return 'Name another one.'
  return `${status === 'RESTRICTED' ? 'Wait until it may send again' : 'Connect it again'}, or name another one.`
}
