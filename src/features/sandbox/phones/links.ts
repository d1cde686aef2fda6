/** The links that open phones: shares of the kind `sandbox-phone`. */
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { findShares, toShare } from '../../shares/service.ts'

export const phoneKind = 'sandbox-phone'
/** Below the base path, beside the API. */
export const phonePath = '/phone'

/** The URL of a phone that has a link. */
export async function readPhoneUrl(
  tx: Tx,
  phoneId: string,
  { cipher, baseUrl }: { cipher: Cipher; baseUrl: string },
): Promise<string> {
  const share = (await findShares(tx, phoneKind, [phoneId])).get(phoneId)
  return (await toShare(share, { cipher, baseUrl: baseUrl + phonePath }))!.url
}
