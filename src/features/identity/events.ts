/** The event of a quota whose threshold is reached. */
import type { Tx } from '../../kit/db/index.ts'
import { emitMany } from '../../kit/events/emit.ts'
import { event } from '../../kit/events/event.ts'
import type { Quota, ReachedQuota } from '../../kit/quota.ts'
import { oneOf, strictObject, Type, time } from '../../kit/schema.ts'

/** Makes the event definition for these quotas. */
export const quotaThresholdReached = (quotas: Quota[]) =>
  event({
    type: 'quota.threshold_reached',
    object: [],
    summary:
      'The use of a quota reached 80 or 100 % of its limit; emitted once a month for each share, and again after the limit is raised',
    data: strictObject({
      name: oneOf(
        quotas.map(({ name }) => name),
        { description: 'The quota.' },
      ),
      limit: Type.Integer({
        minimum: 1,
        description: 'The number of units that the workspace may use in the month.',
      }),
      used: Type.Integer({ minimum: 1, description: 'The number of units used when the event was emitted.' }),
      percent: Type.Unsafe<80 | 100>({
        type: 'integer',
        enum: [80, 100],
        description: 'The share of the limit that was reached.',
      }),
      period: strictObject(
        {
          start: time('The start of the month, in the time zone of the workspace.'),
          end: time('The start of the next month, when the quota is renewed.'),
        },
        { description: 'The month that the quota counts.' },
      ),
    }),
    example: {
      name: 'maxLeadsPerMonth',
      limit: 5000,
      used: 4012,
      percent: 80,
      period: { start: '2026-10-31T23:00:00Z', end: '2026-11-30T23:00:00Z' },
    },
  })

/** Makes the handler that emits the events of reached thresholds. */
export function emitQuotaThresholds(quotas: Quota[]) {
  const definition = quotaThresholdReached(quotas)
  return async (tx: Tx, reached: ReachedQuota[]): Promise<void> => {
    await emitMany(tx, definition, reached)
  }
}
