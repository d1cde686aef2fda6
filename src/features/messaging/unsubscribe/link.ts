/** The link with which a person refuses further e-mails: one for each message that answers nobody. */
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { createLinkToken, findShares, replaceLink, revokeShares } from '../../shares/service.ts'

export const unsubscribeKind = 'unsubscribe'
/** Below the base path, beside the API. */
export const unsubscribePath = '/unsubscribe'

export interface UnsubscribeDependencies {
  cipher: Cipher
  /** The public URL with the base path. */
  baseUrl: string
}

/** Returns the link of a message; creates it if there is none. The caller must hold a lock on the conversation. */
export async function getUnsubscribeUrl(
  tx: Tx,
  { cipher, baseUrl }: UnsubscribeDependencies,
  messageId: string,
): Promise<string> {
  // A message that is sent again may have been sent before: its link stays.
  const known = (await findShares(tx, unsubscribeKind, [messageId])).get(messageId)
  const token = known ? await cipher.decrypt(known.token) : createLinkToken()
  if (!known) await replaceLink(tx, cipher, { kind: unsubscribeKind, objectId: messageId }, { token })
  return `${baseUrl}${unsubscribePath}/${token}`
}

/** Ends the links of deleted messages. */
export const revokeUnsubscribeLinks = (tx: Tx, messageIds: string[]): Promise<void> =>
  revokeShares(tx, unsubscribeKind, messageIds)
