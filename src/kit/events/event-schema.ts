/** The schema and an example of the message of an event, for the catalogue and the documentation. */

import { oneOf, strictObject, type TObject, Type } from '../schema.ts'
import type { EmbeddedObject, EventDefinition } from './event.ts'

/** Larger objects are omitted, because messages should stay below 20 KB (Standard Webhooks). */
export const embeddedMaxBytes = 16 * 1024

/** The JSON Schema of a message: its envelope, the event's data, and the embedded object. */
export function messageSchema({ type, summary, data, embeds }: Omit<EventDefinition, 'example' | 'object'>) {
  const words = type.split(/[._]/).map(word => word.charAt(0).toUpperCase() + word.slice(1))
  return strictObject(
    {
      id: Type.String({ format: 'uuid', description: 'The id of the event; the same in every attempt.' }),
      type: Type.Unsafe<string>({ type: 'string', const: type, description: 'The kind of event.' }),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
      environment: oneOf(['live', 'test'], { description: 'The environment in which it happened.' }),
      workspaceId: Type.String({ format: 'uuid', description: 'The workspace in which it happened.' }),
      sequence: Type.Integer({
        minimum: 0,
        description:
          'The position among the events of one object, such as a lead: 1, 2, 3, … If an event arrives after one with a higher number, drop it: it is older. 0: an example event.',
      }),
      data: {
        ...(embeds ? addEmbeddedObject(data, embeds) : data),
        description: `What happened: ${summary}.`,
      },
    },
    { title: `${words.join('')}Event`, description: `${summary}.` },
  )
}

function addEmbeddedObject(data: TObject, { name, schema }: EmbeddedObject): TObject {
  return strictObject({
    ...data.properties,
    [name]: Type.Union([schema, Type.Null()], {
      description:
        'The current object, read when the message is sent or listed. It is never older than the event.',
    }),
    objectOmitted: Type.Union([oneOf(['gone', 'too_large']), Type.Null()], {
      description: `Why \`${name}\` is null. \`gone\`: it no longer exists. \`too_large\`: it is larger than ${embeddedMaxBytes / 1024} KiB; retrieve it by its id.`,
    }),
  })
}

/** The JSON Schema of the message, and an example. */
export function toEventSchema(event: EventDefinition): { schema: object; example: object } {
  return {
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...messageSchema(event) },
    example: messageExample(event),
  }
}

/** An example of a sent message. */
export function messageExample({ type, example, embeds }: EventDefinition): Record<string, unknown> {
  return {
    id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
    type,
    timestamp: '2026-11-02T10:00:00.000Z',
    environment: 'live',
    workspaceId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    sequence: 1,
    data: embeds ? { ...example, [embeds.name]: embeds.example, objectOmitted: null } : example,
  }
}
