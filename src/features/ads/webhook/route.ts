/** The public route to which networks post that somebody has submitted a form. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Database } from '../../../kit/db/index.ts'
import type { Log } from '../../../kit/log.ts'
import { Problem } from '../../../kit/problem.ts'
import { rawBody } from '../../../kit/public-body.ts'
import { type PublicRoute, publicRoute, type TokenResource } from '../../../kit/public-route.ts'
import { findSharedObject } from '../../shares/service.ts'
import type { Ads, OpenConnection } from '../ad-connections.ts'
import { updateConnection } from '../queries.ts'
import { connectionKind, toVerifyToken, webhookPath } from '../webhook-links.ts'
import { storeNotices } from './store-notices.ts'

interface WebhookResource extends TokenResource {
  opened: OpenConnection
  verifyToken: string
}

/** A thousand leads have 300 KB. */
const bodyMaxBytes = 1024 * 1024
/** A network calls from few addresses, and sends what has collected at once. */
const limits = { address: 6000, token: 6000 }

export function webhookRoute(ads: Ads, log: Log): PublicRoute {
  return publicRoute<WebhookResource, 'plain', Buffer>({
    path: `${webhookPath}/{token}`,
    kind: 'plain',
    limits,
    findResource: (database, token) => findConnectionByToken(database, ads, token),
    async get({ database, resource: { opened, verifyToken }, query }) {
      const text = opened.network.webhook.challenge(query, verifyToken)
      if (text === null)
        throw new Problem(
          'UNAUTHENTICATED',
          'The verify token is not that of this connection. Copy it again.',
        )
      await database.withTenant(opened, tx =>
        updateConnection(tx, opened.connection.id, { webhook_verified_at: getNow(tx) }),
      )
      return { text }
    },
    post: {
      body: rawBody({ maxBytes: bodyMaxBytes }),
      async handle({ database, resource: { opened }, headers, body }) {
        const { network, credentials, connection } = opened
        if (!network.webhook.verify({ headers, body }, { credentials }))
          throw new Problem('UNAUTHENTICATED', 'The signature is not that of this body and connection.')
        const notices = network.webhook.parse(body)
        if (notices === null)
          log.warn({ connectionId: connection.id }, 'a webhook of an ad network can’t be read')
        if (!notices || notices.length === 0) return { text: '' }
        const dropped = await database.withTenant(opened, tx => storeNotices(tx, ads, network.id, notices))
        if (dropped > 0)
          log.warn(
            { connectionId: connection.id, dropped },
            'leads of pages that are not connected were dropped',
          )
        return { text: '' }
      },
    },
  })
}

async function findConnectionByToken(
  database: Database,
  ads: Ads,
  token: string,
): Promise<WebhookResource | null> {
  const found = await findSharedObject(database, connectionKind, token)
  if (!found) return null
  const { tenantId, objectId } = found
  const opened = await database.readTenant({ tenantId }, tx => ads.find(tx, objectId))
  return opened ? { tenantId, name: `ads ${objectId}`, opened, verifyToken: toVerifyToken(token) } : null
}
