/** What the simulated Telegram does on request over HTTP. */
import { strictObject, Type } from '../../kit/schema.ts'
import { createControlRoutes, read, shownMax } from '../control-routes.ts'
import type { BotState } from './bot-api.ts'
import type { TelegramFaults } from './faults.ts'

const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))
const Faults = strictObject({
  rateLimited: share,
  unavailable: share,
  replyLost: share,
  latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  repeated: share,
  late: share,
  lost: share,
})
const Message = strictObject({
  from: Type.Integer({ minimum: 1, maximum: 2 ** 52 }),
  text: Type.String({ minLength: 1, maxLength: 4096 }),
})

export function createTelegramControl({
  state,
  say,
  setFaults,
}: {
  state: Pick<BotState, 'received' | 'webhook' | 'lastError'>
  say(personId: number, content: { text: string }): Promise<number>
  setFaults(faults: TelegramFaults): void
}) {
  return createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: {
        webhook: state.webhook.url,
        lastError: state.lastError,
        received: state.received
          .slice(-shownMax)
          .map(({ file, ...message }) => ({ ...message, fileBytes: file?.length ?? null })),
      },
    }),
    'POST /faults': read(Faults, faults => {
      setFaults(faults)
      return { status: 201, body: faults }
    }),
    'DELETE /faults'() {
      setFaults({})
      return { status: 200, body: {} }
    },
    'POST /messages': read(Message, async ({ from, text }) => ({
      status: 201,
      body: { id: await say(from, { text }) },
    })),
  })
}
