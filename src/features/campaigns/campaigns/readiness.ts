/** What a campaign lacks before it can run. */
import { createFindOpening } from '../../../domain/sequence/window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type InputError, Problem } from '../../../kit/problem.ts'
import { type ChatAccounts, getEnvironment } from '../../accounts/service.ts'
import { findConnections, findForms } from '../../ads/service.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import type { Portals } from '../../platforms/service.ts'
import { findEventType, hasAgents } from '../../scheduling/service.ts'
import { findShares } from '../../shares/service.ts'
import type { Providers } from './account.ts'
import { findMissingOfContact } from './contact-readiness.ts'
import { chooseEmailAccount } from './email-account.ts'
import { findStart, toSendWindow } from './pace.ts'
import { csvImport, isPortal, socialAds, widgetPlatform } from './platforms.ts'
import { campaignNotReady } from './problems.ts'
import { hasWidget } from './queries.ts'
import type { CampaignRow } from './row.ts'
import { checkPortalFilters } from './segmentation.ts'
import type { AdsSegmentation } from './segmentation-schemas.ts'

export interface RecordDependencies {
  portals: Portals
  accounts: Providers & Pick<ChatAccounts, 'list'>
  /** True if the operator has configured an AI endpoint for live. */
  hasAi: boolean
}

/** `path`: a JSON pointer into the campaign. */
type Missing = InputError

/** Throws 422 CAMPAIGN_NOT_READY with everything that the campaign lacks. */
export async function assertReady(tx: Tx, row: CampaignRow, dependencies: RecordDependencies): Promise<void> {
  refuse(await findMissing(tx, row, dependencies))
}

/** A change of a campaign that runs. What it lacked before is no reason to refuse it. Throws 422 CAMPAIGN_NOT_READY. */
export async function assertStillReady(
  tx: Tx,
  before: CampaignRow,
  after: CampaignRow,
  dependencies: RecordDependencies,
): Promise<void> {
  const missing = await findMissing(tx, after, dependencies)
  if (missing.length === 0) return
  const toKey = ({ path, code }: Missing) => `${path} ${code}`
  const known = new Set((await findMissing(tx, before, dependencies)).map(toKey))
  refuse(missing.filter(one => !known.has(toKey(one))))
}

function refuse(missing: Missing[]): void {
  if (missing.length === 0) return
  const message =
    missing.length === 1
      ? `The campaign is not ready. ${missing[0]!.message}`
      : `The campaign is not ready: it lacks ${missing.length} things, see missing.`
  throw new Problem(campaignNotReady, message, { details: { missing } })
}

/** Everything that a campaign lacks before it can run. */
export async function findMissing(
  tx: Tx,
  row: CampaignRow,
  dependencies: RecordDependencies,
): Promise<Missing[]> {
  const contact =
    row.mode === 'extract_and_contact' ? await findMissingOfContact(tx, row, dependencies.accounts) : []
  return [
    ...(await findMissingOfSource(tx, row, dependencies.portals)),
    ...contact,
    ...(await findMissingAi(tx, row, dependencies)),
    ...(await findMissingAgents(tx, row)),
    ...(await findMissingMailbox(tx, row, dependencies)),
    ...(await findClosed(tx, row)),
  ]
}

/** The test environment has the endpoint of the simulator. */
async function findMissingAi(
  tx: Tx,
  { settings }: CampaignRow,
  { hasAi }: RecordDependencies,
): Promise<Missing[]> {
  if (!settings.ai.enabled || hasAi || (await getEnvironment(tx)) === 'test') return []
  const message = 'The deployment has no AI endpoint. Switch AI off, or have the operator set AI_URL.'
  return [{ code: 'AI_NOT_CONFIGURED', path: '/settings/ai/enabled', message }]
}

/** AI offers visits with somebody who receives the person. */
async function findMissingAgents(tx: Tx, { settings: { ai } }: CampaignRow): Promise<Missing[]> {
  const eventType = ai.enabled && ai.eventTypeId !== null ? await findEventType(tx, ai.eventTypeId) : null
  if (eventType === null || (await hasAgents(tx, eventType))) return []
  const message =
    'No agent of the event type has access to the workspace. Invite them again, or choose another event type.'
  return [{ code: 'NO_AGENT_WITH_ACCESS', path: '/settings/ai/eventTypeId', message }]
}

async function findMissingMailbox(
  tx: Tx,
  { settings: { notifications } }: CampaignRow,
  { accounts }: RecordDependencies,
): Promise<Missing[]> {
  if (!notifications || notifications.emails.length === 0) return []
  const chosen = await chooseEmailAccount(tx, accounts, notifications.accountId)
  if (!('code' in chosen)) return []
  return [{ ...chosen, path: `/settings/notifications/${notifications.accountId ? 'accountId' : 'emails'}` }]
}

async function findMissingOfSource(tx: Tx, row: CampaignRow, portals: Portals): Promise<Missing[]> {
  const { platform, segmentation } = row
  if (platform === csvImport && 'batchSize' in segmentation && segmentation.batchSize === null)
    return [
      {
        code: 'BATCH_SIZE_MISSING',
        path: '/segmentation/batchSize',
        message: 'Set the number of rows that are taken at a time, 1 to 25.',
      },
    ]
  if (platform === widgetPlatform) return findMissingOfWidget(tx, row.id)
  if (platform === socialAds) return findMissingOfAds(tx, segmentation as AdsSegmentation)
  if (!isPortal(platform)) return []
  const unavailable = portals.findUnavailableReason(platform, await getEnvironment(tx))
  const filters = 'filters' in segmentation ? segmentation.filters : null
  return [
    ...(unavailable ? [{ code: 'PORTAL_UNCONFIGURED', path: '/platform', message: unavailable }] : []),
    ...(filters === null
      ? [
          {
            code: 'FILTERS_MISSING',
            path: '/segmentation/filters',
            message: 'Set the filters of the search.',
          },
        ]
      : portals.find(platform)
        ? checkPortalFilters(portals, platform, filters)
        : []),
  ]
}

async function findMissingOfWidget(tx: Tx, campaignId: string): Promise<Missing[]> {
  const path = '/platform'
  if (!(await hasWidget(tx, campaignId)))
    return [
      {
        code: 'WIDGET_NOT_CONFIGURED',
        path,
        message: 'Configure its form with PUT /campaigns/{id}/widget.',
      },
    ]
  if ((await findShares(tx, widgetPlatform, [campaignId])).has(campaignId)) return []
  const message = 'The key of its form was revoked: make a new one with POST /campaigns/{id}/widget/key.'
  return [{ code: 'WIDGET_NO_KEY', path, message }]
}

async function findMissingOfAds(tx: Tx, { connectionId, formIds }: AdsSegmentation): Promise<Missing[]> {
  const path = '/segmentation/connectionId'
  if (connectionId === null)
    return [
      {
        code: 'AD_CONNECTION_MISSING',
        path,
        message: 'Choose the page whose lead ads are taken: one of GET /ads/connections.',
      },
    ]
  const [connection] = await findConnections(tx, [connectionId])
  if (!connection)
    return [
      {
        code: 'UNKNOWN_AD_CONNECTION',
        path,
        message: 'Choose another page: there is no connection with this id.',
      },
    ]
  if (connection.status === 'EXPIRED')
    return [
      {
        code: 'AD_CONNECTION_EXPIRED',
        path,
        message: `Send new credentials for the page "${connection.name}": the network no longer accepts the old ones.`,
      },
    ]
  const known = await findForms(tx, connectionId, formIds)
  return formIds.flatMap((formId, index) =>
    known.has(formId)
      ? []
      : [
          {
            code: 'UNKNOWN_LEAD_FORM',
            path: `/segmentation/formIds/${index}`,
            message: 'Choose another form: the page has none with this id.',
          },
        ],
  )
}

/** An end that has passed, or a window that does not open before it. */
async function findClosed(tx: Tx, { mode, settings, segmentation }: CampaignRow): Promise<Missing[]> {
  const now = getNow(tx)
  const { schedule, sendWindow } = settings
  const endAt = schedule?.endAt ? new Date(schedule.endAt) : null
  if (endAt && endAt <= now)
    return [
      {
        code: 'END_DATE_PASSED',
        path: '/settings/schedule/endAt',
        message: `Choose a later end: ${schedule!.endAt} has passed.`,
      },
    ]
  if (!sendWindow || mode === 'extract_only') return []
  const start = findStart({ settings, segmentation }, (await getWorkspaceLocale(tx)).timezone)
  const fromMs = Math.max(now.getTime(), start?.getTime() ?? 0)
  const openingMs = createFindOpening(await toSendWindow(sendWindow, fromMs))(fromMs)
  if (openingMs !== null && !(endAt && openingMs >= endAt.getTime())) return []
  const when = endAt ? 'before the end of the campaign' : 'within a year'
  return [
    {
      code: 'WINDOW_NEVER_OPENS',
      path: '/settings/sendWindow',
      message: `Change the days, hours or holidays of the send window: it does not open ${when}.`,
    },
  ]
}
