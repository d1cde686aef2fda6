/** Why a campaign of lead ads gets nobody: its page was taken away, or its credentials have expired. */
import type { Tx } from '../../../kit/db/index.ts'
import { findConnections } from '../../ads/service.ts'
import { socialAds } from './platforms.ts'
import type { CampaignRow } from './row.ts'
import type { Campaign } from './schemas.ts'
import type { AdsSegmentation } from './segmentation-schemas.ts'

type SourceRow = Pick<CampaignRow, 'id' | 'status' | 'platform' | 'segmentation'>

/** By campaign; those that wait for nothing of their source are missing. */
export async function readSourceWaits(
  tx: Tx,
  rows: readonly SourceRow[],
): Promise<Map<string, Campaign['wait']>> {
  const running = rows.filter(({ status, platform }) => status === 'running' && platform === socialAds)
  if (running.length === 0) return new Map()
  const toConnectionId = ({ segmentation }: SourceRow) => (segmentation as AdsSegmentation).connectionId
  const ids = [...new Set(running.flatMap(row => toConnectionId(row) ?? []))]
  const connections = new Map((await findConnections(tx, ids)).map(connection => [connection.id, connection]))
  return new Map(
    running.flatMap(row => {
      const connection = connections.get(toConnectionId(row) ?? '')
      const wait = explain(connection)
      return wait ? [[row.id, { ...wait, until: null }]] : []
    }),
  )
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
