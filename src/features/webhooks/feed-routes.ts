/** The feed over HTTP: for those who poll. */
import { carriedMaxBytes, messageExample, messageSchema } from '../../kit/event-body.ts'
import { jsonText } from '../../kit/json-text.ts'
import { positionsOf } from '../../kit/page.ts'
import { Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, namesOf, splitNames, Type } from '../../kit/schema.ts'
import { leadUpdated } from '../leads/events.ts'
import { allEvents, webhookTest } from './events.ts'
import { feedDays, firstPosition, latestPosition, readFeed } from './feed.ts'

/** Examples are sent, and not shown here. */
const events = allEvents.filter(event => event !== webhookTest)
const eventTypes = events.map(({ type }) => type)

/** In place of a position: from now on. */
const latest = 'latest'

const FeedQuery = closed({
  after: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: `The \`nextAfter\` of the page before; \`${latest}\`: what happens from now on. Without it: from the oldest event of the last ${feedDays} days.`,
    }),
  ),
  types: Type.Optional(
    namesOf(eventTypes, {
      description: 'Return only events of these types, separated by commas.',
      examples: ['lead.updated,lead.deleted'],
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many to return at most.' }),
})

const Feed = closed({
  data: Type.Array(Type.Unsafe<object>(Type.Union(events.map(messageSchema))), {
    description: 'Messages as webhooks send them, in the order of the feed.',
  }),
  nextAfter: Type.String({
    description:
      'Where this page ends: pass it as `after`, at once or later. It is there even if the page is empty.',
  }),
  hasMore: Type.Boolean({ description: 'Whether there are further events by now.' }),
})

export const feedRoute: Route = route({
  method: 'GET',
  path: '/events',
  operation: 'listEvents',
  tag: 'Webhooks',
  summary: 'Everything that happened, in one order that never changes',
  description: `For those who poll, deletions included. Store \`nextAfter\` once you have handled the page, and go on from there: no event appears before it later. An object (\`data.lead\`, …) is as it is when you read it, never older than the event; it is null if it is gone, or has more than ${carriedMaxBytes / 1024} KiB. Events about an erased person disappear; \`lead.deleted\` stays. With \`types\` a page may be short or empty although \`hasMore\`: 10,000 events are looked at for a page. \`after\` can be used for ${feedDays} days, with any \`types\`; later it is 410 \`CURSOR_EXPIRED\`: copy everything anew, from \`after=${latest}\`.`,
  scope: 'webhooks:read',
  query: FeedQuery,
  status: 200,
  reply: Feed,
  replyExample: {
    data: [messageExample(leadUpdated)],
    nextAfter: 'WyJrM2Z4UTl2TDJhQnAiLCI0MiIsIjE3NjIwODEyMDAwMDAiXQ',
    hasMore: false,
  },
  errors: ['INVALID_CURSOR', 'CURSOR_EXPIRED'],
  async handle({ query, caller, tx }) {
    const types = query.types === undefined ? null : splitNames(query.types)
    const positions = positionsOf('events', caller.tenantId)
    const from = await startOf(query.after)
    const page = await readFeed(tx, { position: from, types, limit: query.limit })
    // A database that was restored from a backup numbers its events anew.
    if (from > page.last) throw expired()
    const nextAfter = positions.encode([String(page.position), String(Date.now())])
    const end = JSON.stringify({ nextAfter, hasMore: page.hasMore })
    return jsonText(`{"data":[${page.messages.join(',')}],${end.slice(1)}`)

    async function startOf(after: string | undefined): Promise<number> {
      if (after === undefined) return firstPosition(tx)
      if (after === latest) return latestPosition(tx)
      const [position, madeAt] = positions.decode(after).map(Number)
      if (madeAt! < Date.now() - feedDays * 86_400_000) throw expired()
      return position!
    }
  },
})

function expired(): Problem {
  return new Problem(
    'CURSOR_EXPIRED',
    `This place in the feed is older than ${feedDays} days, or of a database that was restored since: copy everything anew, and go on with after=${latest}.`,
  )
}
