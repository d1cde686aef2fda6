/**
 * Why nobody comes into a campaign: the page of its lead ads was taken away, or its credentials have expired; no site may show its
 * form, or the form has no key; the quota of leads is used up.
 */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { findConnections } from '../../ads/service.ts'
import { getWorkspaceLocale, readLeadQuota } from '../../leads/service.ts'
import { findShares } from '../../shares/service.ts'
import { socialAds, widgetPlatform } from './platforms.ts'
import type { CampaignRow } from './row.ts'
import type { Campaign } from './schemas.ts'
import type { AdsSegmentation } from './segmentation-schemas.ts'
import { formatTime, toZone } from './wait.ts'

type SourceRow = Pick<CampaignRow, 'id' | 'status' | 'platform' | 'segmentation' | 'settings'>
type SourceWait = NonNullable<Campaign['wait']>

/** By campaign; those that wait for nothing of their source are missing. */
export async function readSourceWaits(
  tx: Tx,
  rows: readonly SourceRow[],
): Promise<Map<string, Campaign['wait']>> {
  const running = rows.filter(({ status }) => status === 'running')
  const ofSource = (source: string) => running.filter(({ platform }) => platform === source)
  return new Map([
    ...(await readQuotaWaits(tx, [...ofSource(socialAds), ...ofSource(widgetPlatform)])),
    ...(await readAdsWaits(tx, ofSource(socialAds))),
    ...(await readWidgetWaits(
      tx,
      ofSource(widgetPlatform).map(({ id }) => id),
    )),
  ])
}

/** What becomes of people whom nobody knows, until the quota is renewed. */
const overQuota: Partial<Record<string, string>> = {
  [socialAds]: 'Whoever sends one of its forms becomes a lead then',
  [widgetPlatform]: 'Until then its form only takes people whom you know',
}

async function readQuotaWaits(tx: Tx, running: SourceRow[]): Promise<[string, SourceWait][]> {
  if (running.length === 0) return []
  const { remaining, resetsAt: until } = await readLeadQuota(tx)
  if (remaining !== 0) return []
  const { timezone } = await getWorkspaceLocale(tx)
  return running.map(({ id, platform, settings }) => {
    const renewed = formatTime(new Date(until), getNow(tx), toZone(settings, timezone))
    const message = `The quota of new leads of this month is used up; it is renewed ${renewed}. ${overQuota[platform]}.`
    return [id, { code: 'QUOTA_EXCEEDED', message, until }]
  })
}

async function readAdsWaits(tx: Tx, running: SourceRow[]): Promise<[string, SourceWait][]> {
  if (running.length === 0) return []
  const toConnectionId = ({ segmentation }: SourceRow) => (segmentation as AdsSegmentation).connectionId
  const ids = [...new Set(running.flatMap(row => toConnectionId(row) ?? []))]
  const connections = new Map((await findConnections(tx, ids)).map(connection => [connection.id, connection]))
  return running.flatMap((row): [string, SourceWait][] => {
    const wait = explain(connections.get(toConnectionId(row) ?? ''))
    return wait ? [[row.id, { ...wait, until: null }]] : []
  })
}

/** A form that no site may show has its own page, so it is no matter once people have come. */
async function readWidgetWaits(tx: Tx, ids: string[]): Promise<[string, SourceWait][]> {
  if (ids.length === 0) return []
  const tenantId = getTenantId(tx)
  const [keys, { rows }] = await Promise.all([
    findShares(tx, widgetPlatform, ids),
    sql<{ id: string }>`
      select campaign_id as id from widgets w
      where tenant_id = ${tenantId} and campaign_id = any(${ids}::uuid[]) and allowed_origins = '{}' and not exists (
        select from campaign_recipients r where r.tenant_id = ${tenantId} and r.campaign_id = w.campaign_id)`.execute(
      tx,
    ),
  ])
  return [
    ...rows.map(({ id }): [string, SourceWait] => [id, noOrigins]),
    ...ids.filter(id => !keys.has(id)).map((id): [string, SourceWait] => [id, noKey]),
  ]
}

const noOrigins: SourceWait = {
  code: 'WIDGET_NO_ORIGINS',
  message: 'No site may show its form. Send the sites as allowedOrigins with PUT /campaigns/{id}/widget.',
  until: null,
}

const noKey: SourceWait = {
  code: 'WIDGET_NO_KEY',
  message:
    'The key of its form was revoked, so nobody can send it. Make a new one with POST /campaigns/{id}/widget/key.',
  until: null,
}

function explain(connection: { name: string; status: string } | undefined) {
  if (!connection)
    return {
      code: 'UNKNOWN_AD_CONNECTION',
      message: 'Its page is no longer connected. Choose another one in segmentation.connectionId.',
    }
  if (connection.status !== 'EXPIRED') return null
  return {
    code: 'AD_CONNECTION_EXPIRED',
    message: `Send new credentials for the page "${connection.name}": the network no longer accepts the old ones.`,
  }
}
