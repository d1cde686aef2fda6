/** The key of a widget: it names the widget in the pages of a site, and is not secret. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  createLinkToken,
  findShares,
  replaceLink,
  revokeShares,
  type ShareDependencies,
} from '../../shares/service.ts'
import { widgetPlatform } from '../campaigns/platforms.ts'

export type WidgetDependencies = ShareDependencies

export const widgetKind = widgetPlatform
export const widgetPath = '/widget'

/** Null: there is none, so the form is closed. */
export async function findKey(
  tx: Tx,
  campaignId: string,
  { cipher }: WidgetDependencies,
): Promise<string | null> {
  const share = (await findShares(tx, widgetKind, [campaignId])).get(campaignId)
  return share ? cipher.decrypt(share.token) : null
}

/** A former key ends at once. */
export const replaceKey = (tx: Tx, campaignId: string, { cipher }: WidgetDependencies): Promise<void> =>
  replaceLink(tx, cipher, { kind: widgetKind, objectId: campaignId }, { token: createLinkToken() })

export const revokeKey = (tx: Tx, campaignId: string): Promise<void> =>
  revokeShares(tx, widgetKind, [campaignId])

export function toWidgetUrls(key: string, { baseUrl }: WidgetDependencies) {
  const pageUrl = `${baseUrl}${widgetPath}/${key}`
  return { pageUrl, scriptUrl: `${pageUrl}/widget.js` }
}
