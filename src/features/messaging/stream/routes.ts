/** The live updates of the inbox over HTTP. */
import { eventStreamRoute, type Route } from '../../../kit/route.ts'
import { createHub, type ReadUpdates } from './hub.ts'
import { streamInbox } from './stream.ts'
import { inboxEvents, readUpdates, type Update, type UpdateDependencies } from './updates.ts'

export function streamRoute(dependencies: UpdateDependencies): Route {
  const readChanged: ReadUpdates<Update> = (tx, changes) => readUpdates(tx, changes, dependencies)
  const hub = createHub(readChanged)
  return eventStreamRoute({
    path: '/conversations/stream',
    operation: 'watchConversations',
    tag: 'Messaging',
    summary: 'Stream what changes in the inbox',
    description: [
      'Messages and conversations as they are now, as soon as they change, whoever changed them. Changes that follow each other closely are sent once.',
      'A client that reconnects sends the last id as `Last-Event-ID` (browsers do so by themselves) and misses nothing of the last day. A client that does not read for a while is disconnected.',
    ].join('\n\n'),
    scope: 'messaging:read',
    events: inboxEvents,
    open: ({ caller, database, signal, lastEventId }) =>
      streamInbox({ database, caller, lastEventId, signal, hub, readUpdates: readChanged }),
  })
}
