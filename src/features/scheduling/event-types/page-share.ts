/** The routes that publish the booking page of an event type, and take it back. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { newShareSchema, shareSchema } from '../../shares/schemas.ts'
import {
  findShares,
  type ShareDependencies,
  type SharedKind,
  shareRoutes,
  toShare,
  toShareOptions,
} from '../../shares/service.ts'
import { noEmailAccount } from '../problems.ts'
import { findEmailAccount } from './email-account.ts'
import { type EventTypeRow, getEventType, lockEventTypes } from './queries.ts'

export const eventTypeKind = 'event-type'
export const pagePath = '/book'

const shared: SharedKind = { kind: eventTypeKind, collection: 'scheduling/event-types', pagePath }

const BookingPageShare = shareSchema({ title: 'BookingPageShare', subject: 'the booking page' })
const NewBookingPageShare = newShareSchema('NewBookingPageShare')

export const bookingShareRoutes = (dependencies: ShareDependencies): Route[] =>
  shareRoutes(
    shared,
    {
      tag: 'Scheduling',
      scope: 'scheduling:write',
      operations: { share: 'shareBookingPage', revoke: 'revokeBookingPage' },
      subject: 'the booking page of an event type',
      note: 'Visitors book on it without a key. It is also `links.page` of the event type. With `?embed=1`, sites of `config.bookingPage.allowedOrigins` may show it in a frame.',
      params: strictObject({ id: id('The event type.') }),
      body: NewBookingPageShare,
      reply: BookingPageShare,
      example: {
        url: 'https://api.example.com/book/6wq0Yf3xLJc1kTt8mZ4pVbN2sRhG7uEd',
        createdAt: '2026-11-02T10:00:00.000Z',
        expiresAt: null,
        views: 12,
        lastViewedAt: '2026-11-03T09:30:00.000Z',
      },
      errors: [noEmailAccount],
      lock: lockForShare,
      assertShareable: assertCodesCanBeSent,
    },
    dependencies,
  )

async function lockForShare(tx: Tx, id: string): Promise<EventTypeRow> {
  await lockEventTypes(tx)
  return getEventType(tx, id)
}

/** Throws 422 NO_EMAIL_ACCOUNT if visitors need a code by e-mail and no account can send it. */
async function assertCodesCanBeSent(tx: Tx, eventType: Pick<EventTypeRow, 'config'>): Promise<void> {
  if (!eventType.config.bookingPage.requireCode || (await findEmailAccount(tx, eventType))) return
  throw new Problem(noEmailAccount, noEmailAccount.example)
}

/** A change of a published event type. Throws 422 NO_EMAIL_ACCOUNT if no account sends the codes that it begins to require. */
export async function assertCodesStillSent(
  tx: Tx,
  before: EventTypeRow,
  after: Pick<EventTypeRow, 'config'>,
): Promise<void> {
  const isSame =
    before.config.bookingPage.requireCode &&
    before.config.notices.emailAccountId === after.config.notices.emailAccountId
  if (isSame || !(await findShares(tx, eventTypeKind, [before.id])).has(before.id)) return
  await assertCodesCanBeSent(tx, after)
}

/** The addresses of booking pages by event type. One that is not published is missing. */
export async function readPageUrls(
  tx: Tx,
  eventTypeIds: string[],
  dependencies: ShareDependencies,
): Promise<Map<string, string>> {
  const shares = await findShares(tx, eventTypeKind, eventTypeIds)
  const options = toShareOptions(shared, dependencies)
  const urls = [...shares].map(async ([id, share]) => [id, (await toShare(share, options))!.url] as const)
  return new Map(await Promise.all(urls))
}

/** Null: visitors can't book on it. */
export async function findPageUrl(
  tx: Tx,
  { id, deletedAt, config }: Pick<EventTypeRow, 'id' | 'deletedAt' | 'config'>,
  dependencies: ShareDependencies,
): Promise<string | null> {
  if (deletedAt !== null || !config.bookingPage.isPublished) return null
  return (await readPageUrls(tx, [id], dependencies)).get(id) ?? null
}
