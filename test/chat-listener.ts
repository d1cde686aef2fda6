/** A feature of a test that handles what the providers of accounts pass on, as messaging does. */
import { chatEventsReceived, type ReceivedChatEvents } from '../src/features/accounts/hooks.ts'
import type { Tx } from '../src/kit/db/index.ts'
import type { Feature } from '../src/kit/feature.ts'
import { on } from '../src/kit/hook.ts'

export const createChatListener = (handle: (tx: Tx, data: ReceivedChatEvents) => Promise<void>): Feature => ({
  name: 'listener',
  routes: [],
  jobs: [],
  events: [],
  hooks: [on(chatEventsReceived, handle)],
})
