/** The webhook of lead ads: object `page`, field `leadgen`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isSignatureValid } from '../../../kit/http/hub-signature.ts'
import { isTooDeep } from '../../../kit/json-limits.ts'
import type { AdNotice, AdWebhook } from '../../ads.ts'
import { asList, asObject, asText } from '../../graph-kit/json.ts'
import type { CredentialValues } from './graph.ts'

/** Meta sends up to 1,000 changes at once. */
const noticesMax = 2000

export const webhook: AdWebhook<CredentialValues> = {
  challenge(query, verifyToken) {
    const token = query.get('hub.verify_token') || null
    const challenge = query.get('hub.challenge')
    const isRight = query.get('hub.mode') === 'subscribe' && token !== null && isSame(token, verifyToken)
    return isRight && challenge !== null && challenge.length <= 1000 ? challenge : null
  },
  verify: ({ headers, body }, { credentials }) =>
    isSignatureValid(body, headers['x-hub-signature-256'], credentials.appSecret),
  parse(body) {
    const object = parseBody(body.toString())
    if (object?.object !== 'page' || !Array.isArray(object.entry)) return null
    return object.entry.flatMap(toNotices).slice(0, noticesMax)
  },
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** Ids may be numbers that no double can hold: they are read as they are written. */
function parseBody(text: string): Record<string, unknown> | null {
  const keepDigits = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? source : value
  try {
    return isTooDeep(text) ? null : asObject(JSON.parse(text, keepDigits as never))
  } catch {
    return null
  }
}

function toNotices(item: unknown): AdNotice[] {
  const entry = asObject(item)
  return asList(entry?.changes).flatMap(change => {
    const { field, value } = asObject(change) ?? {}
    const fields = field === 'leadgen' ? asObject(value) : null
    const pageId = toId(fields?.page_id) ?? toId(entry?.id)
    const [formId, leadId] = [toId(fields?.form_id), toId(fields?.leadgen_id)]
    return pageId && formId && leadId ? [{ pageId, formId, leadId, content: null }] : []
  })
}

function toId(value: unknown): string | null {
  const text = asText(value)
  return text !== null && /^\d{1,30}$/.test(text) ? text : null
}
