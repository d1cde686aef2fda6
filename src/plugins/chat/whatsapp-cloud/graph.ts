/** Calls of the Graph API. */
import type { Readable } from 'node:stream'
import type { Static } from 'typebox'

import type { HttpReply } from '../../../kit/http/client.ts'
import { strictObject, Type } from '../../../kit/schema.ts'
import { type ChatContext, ChatError } from '../../chat.ts'
import { parseObject, toProof } from '../../graph-kit/replies.ts'
import { type GraphFailure, toConnectionFailure, toReplyFailure } from './errors.ts'

const id = (title: string, description: string, example: string) =>
  Type.String({ pattern: '^[0-9]{5,30}$', title, description, examples: [example] })

export const Credentials = strictObject({
  phoneNumberId: id(
    'Phone number ID',
    'The id of the phone number, from WhatsApp > API Setup.',
    '106540352242922',
  ),
  businessAccountId: id(
    'WhatsApp Business account ID',
    'The id of the WhatsApp Business account that owns the number.',
    '102290129340398',
  ),
  accessToken: Type.String({
    minLength: 20,
    maxLength: 1000,
    pattern: '^[!-~]+$',
    title: 'Access token',
    description:
      'A permanent token of a system user with whatsapp_business_messaging and whatsapp_business_management.',
    examples: ['EAAGm0PX4ZCpsBAKZCq1ZBexampleexampleexample'],
  }),
  appSecret: Type.String({
    pattern: '^[0-9a-fA-F]{32}$',
    title: 'App secret',
    description: 'The secret of the app, from App settings > Basic. WhatsApp signs its webhooks with it.',
    examples: ['0123456789abcdef0123456789abcdef'],
  }),
})

export type CredentialValues = Static<typeof Credentials>

export interface GraphCall {
  /** Below the base URL, without a slash at the start. Ids in it must be checked by the caller. */
  path: string
  query?: Record<string, string>
  /** Sent as JSON with POST. Without it and without `upload`, the call is a GET. */
  body?: object
  upload?: { stream: Readable; contentType: string; bytes: number }
  headers?: Record<string, string>
  timeoutMs?: number
}

const callTimeoutMs = 20_000
const replyMaxBytes = 2_000_000

/** Sends one request. Throws HttpFailure, or the signal's reason. */
export function requestGraph(
  { accessToken, appSecret }: CredentialValues,
  { path, query = {}, body, upload, headers, timeoutMs = callTimeoutMs }: GraphCall,
  { http, baseUrl, signal }: ChatContext,
): Promise<HttpReply> {
  const parameters = new URLSearchParams({ ...query, appsecret_proof: toProof(accessToken, appSecret) })
  const content = body
    ? { body: JSON.stringify(body), type: 'application/json' }
    : upload && { body: upload.stream, type: upload.contentType }
  return http.fetch(`${baseUrl}/${path}?${parameters}`, {
    method: content ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      ...(content && { 'content-type': content.type }),
      ...(upload && { 'content-length': String(upload.bytes) }),
      ...headers,
    },
    ...(content && { body: content.body }),
    timeoutMs,
    bodyMaxBytes: replyMaxBytes,
    signal,
  })
}

/** Calls Graph and returns its object. Throws ChatError, or the signal's reason. */
export async function callGraph(
  credentials: CredentialValues,
  call: GraphCall,
  context: ChatContext,
): Promise<Record<string, unknown>> {
  const outcome = await tryGraph(credentials, call, context)
  if ('failure' in outcome) throw new ChatError(outcome.failure)
  return outcome.value
}

/** Like `callGraph`, but returns a failure. Throws only the signal's reason. */
export async function tryGraph(
  credentials: CredentialValues,
  call: GraphCall,
  context: ChatContext,
): Promise<{ value: Record<string, unknown> } | GraphFailure> {
  let reply: HttpReply
  try {
    reply = await requestGraph(credentials, call, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return toConnectionFailure(error)
  }
  if (reply.status < 200 || reply.status > 299) return toReplyFailure(reply)
  return { value: parseObject(reply.body) ?? {} }
}
