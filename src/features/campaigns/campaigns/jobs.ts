/** Reacts to events of other features. */
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { accountStatusChanged } from '../../accounts/events.ts'
import type { Providers } from './account.ts'
import { pauseByAccount } from './pause-by-account.ts'

export const pauseWhenAccountStops = (providers: Providers) =>
  defineEventHandler({
    name: 'pause-campaigns-of-account',
    on: [accountStatusChanged],
    handle: (tx, { data: { accountId } }) => pauseByAccount(tx, providers, accountId),
  })
