/** Calls of the Graph API for lead ads. */
import type { Static } from 'typebox'
import type { HttpReply } from '../../../kit/http/client.ts'
import { strictObject, Type } from '../../../kit/schema.ts'
import type { AdContext } from '../../ads.ts'
import { asObject, asText } from '../../graph-kit/json.ts'
import { parseObject, toProof } from '../../graph-kit/replies.ts'
import { fail, toCallError, toReplyError } from './failures.ts'

export const Credentials = strictObject({
  pageId: Type.String({
    pattern: '^[0-9]{5,30}$',
    title: 'Page ID',
    description: 'The id of the Facebook page whose lead ads are read, from About > Page transparency.',
    examples: ['138124712925158'],
  }),
  accessToken: Type.String({
    minLength: 20,
    maxLength: 1000,
    pattern: '^[!-~]+$',
    title: 'Page access token',
    description:
      'A long-lived token of the page with leads_retrieval, pages_manage_metadata, pages_read_engagement and pages_manage_ads.',
    examples: ['EAAGm0PX4ZCpsBAKZCq1ZBexampleexampleexample'],
  }),
  appSecret: Type.String({
    pattern: '^[0-9a-fA-F]{32}$',
    title: 'App secret',
    description: 'The secret of the app, from App settings > Basic. Meta signs its webhooks with it.',
    examples: ['0123456789abcdef0123456789abcdef'],
  }),
})
export type CredentialValues = Static<typeof Credentials>

export interface GraphCall {
  /** Below the base URL, without a slash at the start. Ids in it must be checked by the caller. */
  path: string
  query?: Record<string, string>
  /** Default: GET. */
  method?: 'GET' | 'POST' | 'DELETE'
}

const callTimeoutMs = 20_000
const replyMaxBytes = 4_000_000

/** Throws AdError, or the signal's reason. */
export async function callGraph(
  { accessToken, appSecret }: CredentialValues,
  { path, query = {}, method = 'GET' }: GraphCall,
  { http, baseUrl, signal }: AdContext,
): Promise<Record<string, unknown>> {
  const parameters = new URLSearchParams({ ...query, appsecret_proof: toProof(accessToken, appSecret) })
  let reply: HttpReply
  try {
    reply = await http.fetch(`${baseUrl}/${path}?${parameters}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
      timeoutMs: callTimeoutMs,
      bodyMaxBytes: replyMaxBytes,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw toCallError(error)
  }
  if (reply.status < 200 || reply.status > 299) throw toReplyError(reply)
  const object = parseObject(reply.body)
  if (!object) throw fail('UNAVAILABLE')
  return object
}

/** One page of a list. Throws AdError if the reply is none: an unreadable list is never an empty one. */
export async function listGraph(
  credentials: CredentialValues,
  call: GraphCall,
  context: AdContext,
): Promise<{ items: Record<string, unknown>[]; after: string | null }> {
  const page = await callGraph(credentials, call, context)
  if (!Array.isArray(page.data)) throw fail('UNAVAILABLE')
  const items = page.data.map(asObject).filter(item => item !== null)
  const paging = asObject(page.paging)
  const after = asText(asObject(paging?.cursors)?.after)
  return { items, after: asText(paging?.next) === null || items.length === 0 ? null : after }
}
