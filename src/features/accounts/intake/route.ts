/** The public route to which providers post what arrives. */

import { machineNow } from '../../../kit/clock/clock.ts'
import type { Database } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { rawBody } from '../../../kit/public-body.ts'
import { type PublicRoute, publicRoute, type TokenResource } from '../../../kit/public-route.ts'
import type { ChatWebhook } from '../../../plugins/chat.ts'
import { findSharedObject } from '../../shares/service.ts'
import type { ChatAccounts } from '../chat-accounts.ts'
import { accountKind, toVerifyToken, webhookPath } from '../webhook-links.ts'
import type { BodyBatches } from './body-batches.ts'
import type { ProcessingStarter } from './processing-starter.ts'

interface IntakeResource extends TokenResource {
  accountId: string
  webhook: ChatWebhook<Record<string, unknown>>
  credentials: Record<string, unknown>
  verifyToken: string
}

/** Providers send up to 3 MB. */
const bodyMaxBytes = 4 * 1024 * 1024
/** A provider calls from few addresses, and sends what has collected at once. */
const limits = { address: 60_000, token: 60_000 }

export function intakeRoute(
  accounts: ChatAccounts,
  { batches, starter }: { batches: BodyBatches; starter: ProcessingStarter },
): PublicRoute {
  return publicRoute<IntakeResource, 'plain', Buffer>({
    path: `${webhookPath}/{token}`,
    kind: 'plain',
    limits,
    findResource: cacheLookups((database, token) => findAccountByToken(database, accounts, token)),
    async get({ resource: { webhook, verifyToken }, query }) {
      const text = webhook.challenge?.(query, verifyToken) ?? null
      if (text === null)
        throw new Problem('UNAUTHENTICATED', 'The verify token is not that of this account. Copy it again.')
      return { text }
    },
    post: {
      body: rawBody({ maxBytes: bodyMaxBytes }),
      async handle({ database, resource, headers, body }) {
        const { tenantId, accountId, webhook, credentials, verifyToken } = resource
        if (!webhook.verify({ headers, body }, { credentials, verifyToken }))
          throw new Problem('UNAUTHENTICATED', 'The signature is not that of this body and account.')
        const isNew = await batches.store(database, tenantId, { accountId, body })
        if (isNew) starter.start({ database, tenantId, accountId })
        return { text: '' }
      },
    },
  })
}

async function findAccountByToken(
  database: Database,
  accounts: ChatAccounts,
  token: string,
): Promise<IntakeResource | null> {
  const found = await findSharedObject(database, accountKind, token)
  if (!found) return null
  const { tenantId, objectId: accountId } = found
  const opened = await database.readTenant({ tenantId }, tx => accounts.findConnection(tx, accountId))
  if (!opened?.provider.webhook) return null
  return {
    tenantId,
    name: `chat ${accountId}`,
    accountId,
    webhook: opened.provider.webhook,
    credentials: opened.connection.credentials,
    verifyToken: toVerifyToken(token),
  }
}

/** How long a found account is used without looking again. So long a webhook works after its account has ended. */
const cacheMs = 3000
const cachedMax = 1000

type Find = (database: Database, token: string) => Promise<IntakeResource | null>

/** Remembers found accounts for a moment. Concurrent look-ups of a token share one. */
function cacheLookups(find: Find): Find {
  const cached = new Map<string, { untilMs: number; found: Promise<IntakeResource | null> }>()
  return (database, token) => {
    const known = cached.get(token)
    if (known && known.untilMs > machineNow()) return known.found
    const found = find(database, token)
    cached.delete(token)
    if (cached.size >= cachedMax) cached.delete(cached.keys().next().value!)
    cached.set(token, { untilMs: machineNow() + cacheMs, found })
    const forget = () => {
      if (cached.get(token)?.found === found) cached.delete(token)
    }
    found.then(resource => resource ?? forget(), forget)
    return found
  }
}
