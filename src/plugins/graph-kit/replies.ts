/** What replies of the Graph API have in common: the object, the error, the wait, and the proof of the caller. */
import { createHmac } from 'node:crypto'
import { type HttpReply, parseRetryAfterMs } from '../../kit/http/client.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { asNumber, asObject } from './json.ts'

const dayMs = 24 * 3_600_000

/** Proves to Graph that the caller knows the app secret, and to us that the secret belongs to the token's app. */
export const toProof = (accessToken: string, appSecret: string): string =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex')

/** Null for what is not a JSON object. */
export function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    return asObject(parseJson(body.toString()))
  } catch {
    return null
  }
}

export const findErrorObject = (body: Buffer): Record<string, unknown> | null =>
  asObject(parseObject(body)?.error)

/** The wait that a reply requests: `Retry-After`, or the minutes until a limited business may call again. At most a day. */
export function parseWaitMs(reply: HttpReply): number {
  return Math.max(parseRetryAfterMs(reply), parseUsageWaitMs(reply))
}

function parseUsageWaitMs({ headers }: HttpReply): number {
  const usage = parseObject(Buffer.from(headers['x-business-use-case-usage'] ?? 'null')) ?? {}
  const minutes = Object.values(usage)
    .flat()
    .map(entry => asNumber(asObject(entry)?.estimated_time_to_regain_access) ?? 0)
  return Math.min(dayMs, Math.max(0, ...minutes) * 60_000)
}
