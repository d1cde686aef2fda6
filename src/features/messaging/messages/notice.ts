/** The privacy notice in the first message to a person who did not give their data themselves (art. 14 GDPR). */
import { isIP } from 'node:net'
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import { formatNotice, hasNotice } from '../../../domain/messaging/privacy-notice.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import type { ChatProvider, MediaKind, TemplateReference } from '../../../plugins/chat.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import type { MessageKind } from '../message-types.ts'
import { noticeMissing } from '../problems.ts'
import { assertTextFits } from './message-input.ts'

export interface Notice {
  notice: string
  /** The link to the whole notice; null: there is none. */
  url: string | null
}

export interface NoticeRequest {
  leadId: string | null
  isAnswer: boolean
  /** The language of the message; null: it is not known. */
  language: string | null
}

/** Like `findNotices`, for one message. */
export async function findNotice(
  tx: Tx,
  leadId: string | null,
  request: Omit<NoticeRequest, 'leadId'>,
): Promise<Notice | null> {
  const [notice = null] = await findNotices(tx, [{ ...request, leadId }])
  return notice
}

/**
 * Returns the notices that messages to people who have not received it must have, in the order of the requests; null: it
 * needs none. An answer needs none if the person has written first and nobody else gave their data.
 */
export async function findNotices(tx: Tx, requests: NoticeRequest[]): Promise<(Notice | null)[]> {
  const facts = await readFacts(tx, [...new Set(requests.flatMap(({ leadId }) => leadId ?? []))])
  const needed = requests.map(({ leadId, isAnswer }) => {
    const found = leadId === null ? undefined : facts.get(leadId)
    return found && (found.isFromOthers || !isAnswer) ? found : null
  })
  if (needed.every(found => found === null)) return needed.map(() => null)
  const { url, texts } = await readSetting(tx, privacyNotice)
  return needed.map((found, index) => {
    if (!found) return null
    const { agency, country, sourceUrl } = found
    const options = { agency, source: toHost(sourceUrl), url, texts, fallback: toMessageLanguage(country) }
    return { url, notice: formatNotice(requests[index]!.language, options) }
  })
}

interface Facts {
  leadId: string
  agency: string
  country: string
  /** Not all of the data come from the person. */
  isFromOthers: boolean
  /** The address of the first listing; null: there is none. */
  sourceUrl: string | null
}

async function readFacts(tx: Tx, leadIds: string[]): Promise<Map<string, Facts>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<Facts>`
    select given.id as "leadId", w.name as agency, w.country, s."isFromOthers", s."sourceUrl"
    from workspaces w cross join unnest(${leadIds}::uuid[]) as given (id) cross join lateral (
      select coalesce(bool_or(platform not in ('inbound', 'booking', 'widget', 'social_ads')), true) as "isFromOthers",
        (array_agg(url order by is_primary desc, first_seen_at) filter (where url is not null))[1] as "sourceUrl"
      from lead_sources where tenant_id = ${getTenantId(tx)} and lead_id = given.id) s
    where w.id = aldaba.current_workspace()`.execute(tx)
  return new Map(rows.map(row => [row.leadId, row]))
}

/** A bare address, such as that of a simulated portal, names no site. */
function toHost(url: string | null): string | null {
  const host = url === null ? undefined : URL.parse(url)?.hostname
  return host && !isIP(host.replace(/^\[|\]$/g, '')) ? host.replace(/^www\./, '') : null
}

/** The language of a message that was made from a template. */
export const toLanguage = (content: NoticeCarrier['content']): string | null =>
  (content.template as TemplateReference | undefined)?.language ?? null

/** A message as far as a notice depends on it. */
export interface NoticeCarrier {
  kind: MessageKind
  text: string | null
  content: Record<string, unknown>
  /** The kind of its file; null: it has none. */
  mediaKind: MediaKind | null
}

const textKinds: readonly MessageKind[] = ['text', 'template', 'buttons', 'list']
const captionedKinds: readonly MediaKind[] = ['image', 'video', 'document']

/**
 * Returns the text of a message with the notice. Throws 422: NOTICE_MISSING if the message can't have it, TEXT_TOO_LONG
 * if it has no room for it.
 */
export function addNotice(
  provider: Pick<ChatProvider, 'label' | 'capabilities'>,
  { kind, text, content, mediaKind }: NoticeCarrier,
  notice: Notice,
): string {
  if (text !== null && hasNotice(text, notice)) return text
  const template = content.template as TemplateReference | undefined
  if (template?.providerName)
    throw new Problem(
      noticeMissing,
      notice.url === null
        ? 'The person has not received the privacy notice, and an approved template can’t be extended. Set the link of the notice in the setting privacyNotice, and send a template whose text has this link.'
        : `The person has not received the privacy notice, and an approved template can’t be extended. Send a template whose text has the link ${notice.url}.`,
    )
  const canCarry = mediaKind ? captionedKinds.includes(mediaKind) : textKinds.includes(kind)
  if (!canCarry) throw new Problem(noticeMissing, noticeMissing.example)
  const full = text ? `${text}\n\n${notice.notice}` : notice.notice
  assertTextFits(provider, full, { isCaption: mediaKind !== null })
  return full
}
