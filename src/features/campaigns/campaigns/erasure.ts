/** Erases people from the texts that agencies write into campaigns. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { containsAny, type ErasedPeople, type Traces } from '../../privacy/service.ts'
import type { CampaignNotifications } from './notification-schemas.ts'
import { findCampaigns, updateCampaign } from './queries.ts'
import { otherTexts, settingsTexts } from './texts.ts'

const erasedText = 'Erased'

/**
 * Handles `erasePersonData`: replaces names, notes and instructions that contain an identifier of the people. Names of people are no
 * reason: a text is the agency's, and other people have the same name.
 */
export async function erasePeopleFromCampaigns(tx: Tx, { identifiers }: ErasedPeople): Promise<Traces> {
  const tenantId = getTenantId(tx)
  const isTheirs = containsAny([], identifiers)
  // A concurrent change has read the texts and would store them again.
  await sql`select from campaigns where tenant_id = ${tenantId} order by id for no key update`.execute(tx)
  const { rows } = await sql<{ id: string; isNamed: boolean; isReason: boolean; texts: string[] }>`
    select c.id, ${isTheirs(sql`c.name`)} as "isNamed", ${isTheirs(sql`c.pause_reason ->> 'message'`)} as "isReason",
      array(select text from ${settingsTexts} stored where ${isTheirs(sql`text`)}) as texts
    from campaigns c where c.tenant_id = ${tenantId} and (${otherTexts(isTheirs)}
      or exists (select from ${settingsTexts} stored where ${isTheirs(sql`text`)}))`.execute(tx)
  const found = new Map(rows.map(row => [row.id, row]))
  for (const { id, settings, pauseReason } of await findCampaigns(tx, [...found.keys()])) {
    const { isNamed, isReason, texts } = found.get(id)!
    await updateCampaign(tx, id, {
      settings: {
        ...settings,
        ai: replaceTexts(settings.ai, texts),
        lawfulBasis: replaceTexts(settings.lawfulBasis, texts),
        notifications: withoutEmails(settings.notifications, texts),
      },
      ...(isNamed ? { name: erasedText } : {}),
      ...(isReason && pauseReason ? { pauseReason: { ...pauseReason, message: erasedText } } : {}),
    })
  }
  return { changed: [...found.keys()] }
}

/** The person gets no more digests. */
const withoutEmails = (
  notifications: CampaignNotifications,
  texts: readonly string[],
): CampaignNotifications =>
  notifications && { ...notifications, emails: notifications.emails.filter(email => !texts.includes(email)) }

const replaceTexts = <T>(value: T, texts: readonly string[]): T =>
  JSON.parse(
    JSON.stringify(value, (_name, each) =>
      typeof each === 'string' && texts.includes(each) ? erasedText : each,
    ),
  )
