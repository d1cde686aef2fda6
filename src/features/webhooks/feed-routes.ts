/** The event feed over HTTP, for clients that poll. */
import { getNow } from '../../kit/clock/clock.ts'
import { readLastPosition } from '../../kit/events/emit.ts'
import { embeddedMaxBytes, messageExample, messageSchema } from '../../kit/events/event-schema.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { createPositionCodec } from '../../kit/page.ts'
import { Problem, type ProblemType } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { commaSeparated, splitNames, strictObject, Type } from '../../kit/schema.ts'
import { leadUpdated } from '../leads/events.ts'
import { type Catalogue, webhookTest } from './events.ts'
import { feedDays, readFeed, readFirstPosition } from './feed.ts'

/** The value of `after` that starts at the current end of the feed. */
const latest = 'latest'

/** The tolerance for a database clock that was set back. */
const clockStepMs = 60_000

const cursorExpired: ProblemType = {
  code: 'CURSOR_EXPIRED',
  status: 410,
  meaning: 'The position in the event feed is older than 30 days, or from before a restore of the database.',
  action: 'Copy everything again, starting with `after=latest`.',
  example: `This position is older than ${feedDays} days, or the database was restored from a backup since. Copy all objects again and continue with after=${latest}.`,
}

export function feedRoute(catalogue: Catalogue): Route {
  // The feed contains no test events.
  const events = [...catalogue.values()].filter(event => event !== webhookTest)
  const eventTypes = events.map(({ type }) => type)

  const FeedQuery = strictObject({
    after: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: `The \`nextAfter\` of the previous page; \`${latest}\`: only events from now on. If omitted, the feed starts with the oldest event of the last ${feedDays} days.`,
      }),
    ),
    types: Type.Optional(
      commaSeparated(eventTypes, {
        description: 'Return only events of these types, separated by commas.',
        examples: ['lead.updated,lead.deleted'],
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'The largest number of items to return.',
    }),
  })

  const Feed = strictObject({
    data: Type.Array(Type.Unsafe<object>(Type.Union(events.map(messageSchema))), {
      description: 'The messages, the same as webhooks send, in the order of the feed.',
    }),
    nextAfter: Type.String({
      description:
        'The position after this page: send it as `after` of the next request, at once or later. An empty page has one too.',
    }),
    hasMore: Type.Boolean({ description: 'true: more events can be read now.' }),
  })

  return route({
    method: 'GET',
    path: '/events',
    operation: 'listEvents',
    tag: 'Webhooks',
    summary: 'List all events in a fixed order',
    description: `For polling instead of webhooks; the feed includes deletions. Store \`nextAfter\` when you have processed a page, and continue from there: no event is ever added before it. An object (\`data.lead\`, …) has its state at the time of reading, never older than the event; it is null if it no longer exists, or has more than ${embeddedMaxBytes / 1024} KiB. Events about an erased person are removed, except \`lead.deleted\`. With \`types\`, a page may be short or empty while \`hasMore\` is true: one page reads at most 10,000 events. \`after\` is valid for ${feedDays} days, with any \`types\`; then the reply is 410 \`CURSOR_EXPIRED\`: copy all objects again and continue from \`after=${latest}\`.`,
    scope: 'webhooks:read',
    query: FeedQuery,
    status: 200,
    reply: Feed,
    replyExample: {
      data: [messageExample(leadUpdated)],
      nextAfter: 'WyJrM2Z4UTl2TDJhQnAiLCI0MiIsIjE3NjIwODEyMDAwMDAiXQ',
      hasMore: false,
    },
    errors: ['INVALID_CURSOR', cursorExpired],
    async handle({ query, caller, tx }) {
      const types = query.types === undefined ? null : splitNames(query.types)
      const positions = createPositionCodec('events', caller.tenantId)
      const { position, madeAt = Infinity } = await readStart(query.after)
      const page = await readFeed(tx, catalogue, { position, types, limit: query.limit })
      // A database restored from a backup assigns the positions after the backup again, to other events.
      if (position > page.last || (page.previousEventAt ?? 0) > madeAt + clockStepMs)
        throw new Problem(cursorExpired, cursorExpired.example)
      const nextAfter = positions.encode([String(page.position), String(Math.ceil(page.readAt))])
      const end = JSON.stringify({ nextAfter, hasMore: page.hasMore })
      return toJsonText(`{"data":[${page.messages.join(',')}],${end.slice(1)}`)

      async function readStart(after: string | undefined): Promise<{ position: number; madeAt?: number }> {
        if (after === undefined) return { position: await readFirstPosition(tx) }
        if (after === latest) return { position: await readLastPosition(tx) }
        const [position, madeAt] = positions.decode(after).map(Number) as [number, number]
        if (madeAt < getNow(tx).getTime() - feedDays * 86_400_000)
          throw new Problem(cursorExpired, cursorExpired.example)
        return { position, madeAt }
      }
    },
  })
}
