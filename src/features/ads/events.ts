/** The event of connections with ad networks. */
import { type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject } from '../../kit/schema.ts'
import { connectionPayloadExample } from './examples.ts'
import { findConnections } from './queries.ts'
import { toPayloads } from './reply.ts'
import { AdConnectionWithoutWebhook, connectionStatuses } from './schemas.ts'

export const connectionStatusChanged = event({
  type: 'ad_connection.status_changed',
  object: ['connectionId'],
  summary: 'A page at an ad network was connected, cannot be read any more, or can be read again',
  data: strictObject({
    connectionId: id('The connection.'),
    status: oneOf(connectionStatuses, { description: 'The new status.' }),
    previousStatus: nullable(
      oneOf(connectionStatuses, { description: 'The status before; null: it was connected.' }),
    ),
  }),
  example: { connectionId: connectionPayloadExample.id, status: 'EXPIRED', previousStatus: 'CONNECTED' },
  embeds: {
    name: 'adConnection',
    schema: AdConnectionWithoutWebhook,
    example: connectionPayloadExample,
    async read(tx, ids, maxBytes) {
      const payloads = await toPayloads(tx, await findConnections(tx, ids))
      const texts = payloads.map(payload => [payload.id, JSON.stringify(payload)] as const)
      return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
    },
  },
})

export const adEvents: EventDefinition[] = [connectionStatusChanged]
