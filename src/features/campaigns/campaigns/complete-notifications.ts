/** Completes and checks the notifications of a search. */
import { parseEmail } from '../../../domain/contact/email.ts'
import type { InputError } from '../../../kit/problem.ts'
import { checkTimezone, toTimezone } from '../../../kit/time-zone.ts'
import {
  type CampaignNotifications,
  type CampaignNotificationsInput,
  changeTypes,
  type Notifications,
} from './notification-schemas.ts'

const path = '/settings/notifications'

const defaults: Notifications = {
  changes: [...changeTypes],
  emails: [],
  language: null,
  accountId: null,
  digest: null,
}

/** As identifiers of people are compared. */
export const normalizeEmail = (email: string): string => parseEmail(email) ?? email.trim().toLowerCase()

/** Omitted fields have their default, or keep their value. `timezone`: that of the workspace. */
export function completeNotifications(
  sent: CampaignNotificationsInput | undefined,
  timezone: string,
  base: CampaignNotifications,
): CampaignNotifications {
  if (sent === undefined) return base
  if (sent === null) return null
  const { digest, emails, accountId, ...rest } = sent
  const known = base ?? defaults
  return {
    ...known,
    ...rest,
    emails: emails?.map(normalizeEmail) ?? known.emails,
    accountId: accountId === undefined ? known.accountId : (accountId?.toLowerCase() ?? null),
    digest: digest
      ? toDigest({ days: [1, 2, 3, 4, 5, 6, 7], timezone, ...known.digest, ...digest })
      : digest === undefined
        ? known.digest
        : null,
  }
}

const toDigest = (digest: NonNullable<Notifications['digest']>) => ({
  ...digest,
  days: digest.days.toSorted(),
  timezone: toTimezone(digest.timezone) ?? digest.timezone,
})

/** Rules about the values of a request alone. Invalid values are missing, nested ones too. */
export function checkNotifications(sent: CampaignNotificationsInput | undefined): InputError[] {
  const { emails = [], digest } = sent ?? {}
  const seen = new Set<string>()
  const repeated = emails.flatMap((email, index) => {
    const normalized = normalizeEmail(email)
    if (!seen.has(normalized)) {
      seen.add(normalized)
      return []
    }
    return [{ path: `${path}/emails/${index}`, code: 'DUPLICATE', message: 'is in the list twice' }]
  })
  return [...checkTimezone(digest?.timezone, `${path}/digest/timezone`), ...repeated]
}
