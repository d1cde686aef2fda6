/** What passes between the program and the thread that reads bodies. */
import type { InboundEvent } from '../../chat.ts'

export interface BodyTask {
  body: Uint8Array<ArrayBuffer>
  receivedAtMs: number
}

/** An event whose time is in milliseconds, because an instant can't pass to another thread. */
export type ParsedEvent = InboundEvent extends infer Event
  ? Event extends InboundEvent
    ? Omit<Event, 'at'> & { at: number }
    : never
  : never

export const toParsedEvent = (event: InboundEvent): ParsedEvent => ({
  ...event,
  at: event.at.epochMilliseconds,
})

export const toEvent = (event: ParsedEvent): InboundEvent => ({
  ...event,
  at: Temporal.Instant.fromEpochMilliseconds(event.at),
})
