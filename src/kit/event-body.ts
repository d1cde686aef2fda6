/** What is sent of an event: its schema and an example, for the catalogue and the documentation. */
import type { EventDefinition } from './event.ts'
import { closed, oneOf, Type } from './schema.ts'

/** The message of the contract, with the event's data. */
export function messageSchema({ type, summary, data }: Pick<EventDefinition, 'type' | 'summary' | 'data'>) {
  return closed({
    id: Type.String({ format: 'uuid', description: 'The id of the event; the same in every attempt.' }),
    type: Type.Unsafe<string>({ type: 'string', const: type, description: 'The kind of event.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    environment: oneOf(['live', 'test'], { description: 'The environment in which it happened.' }),
    workspaceId: Type.String({ format: 'uuid', description: 'The workspace in which it happened.' }),
    sequence: Type.Integer({
      minimum: 0,
      description:
        'The position among the events of one object, such as a lead: 1, 2, 3, … Drop an event that arrives after a higher number: it is older. 0: an example.',
    }),
    data: { ...data, description: `What happened: ${summary}.` },
  })
}

/** The JSON Schema of the message, and an example. */
export function eventBody(event: EventDefinition): { schema: object; example: object } {
  return {
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...messageSchema(event) },
    example: messageExample(event),
  }
}

/** A message as it is sent. */
export function messageExample({ type, example }: EventDefinition): object {
  return {
    id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
    type,
    timestamp: '2026-11-02T10:00:00.000Z',
    environment: 'live',
    workspaceId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    sequence: 1,
    data: example,
  }
}
