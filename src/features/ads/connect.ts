/** Connects a page: its credentials are verified with the network, then stored. */
import type { Caller } from '../../kit/caller.ts'
import { createId, getNow, subtractDays } from '../../kit/clock/clock.ts'
import { type Database, isDatabaseUnavailable, type Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { type InputError, notFound, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import { compile, type Validate } from '../../kit/schema.ts'
import { AdError, type AdNetwork, type AdPage } from '../../plugins/ads.ts'
import { addLink, revokeShares } from '../shares/service.ts'
import type { Ads, OpenConnection } from './ad-connections.ts'
import { connectionStatusChanged } from './events.ts'
import { retryAdLeads } from './lead-queries.ts'
import {
  connectionExists,
  connectionsMax,
  pageMismatch,
  toConnectionProblem,
  tooManyConnections,
} from './problems.ts'
import * as queries from './queries.ts'
import { enqueueRetrieval, enqueueSweep } from './retrieval/enqueue.ts'
import type { AdConnectionChanges, NewAdConnection } from './schemas.ts'
import { changeConnectionStatus } from './status.ts'
import { connectionKind } from './webhook-links.ts'

interface ConnectOptions {
  ads: Ads
  caller: Caller
  database: Database
  signal: AbortSignal
}

/** Verifies credentials with their network. Throws a `Problem` with its reason. */
async function verify(
  { ads, signal }: Pick<ConnectOptions, 'ads' | 'signal'>,
  network: AdNetwork,
  credentials: Record<string, unknown>,
): Promise<AdPage> {
  try {
    return await ads.call(network, signal, context => network.connect(credentials, context))
  } catch (error) {
    throw error instanceof AdError ? toConnectionProblem(error) : error
  }
}

/** Throws a `Problem`. */
export function verifyNew(
  { network: id, credentials }: NewAdConnection,
  options: ConnectOptions,
): Promise<AdPage> {
  return verify(options, options.ads.getNetwork(id, options.caller.environment)!, credentials)
}

/** Verifies new credentials; null: there are none. Throws a `Problem`. */
export async function verifyChanges(
  connectionId: string,
  { credentials }: AdConnectionChanges,
  options: ConnectOptions,
): Promise<AdPage | null> {
  const opened = await options.database.readTenant(options.caller, tx => options.ads.open(tx, connectionId))
  if (!credentials) return null
  throwIfInvalid(checkCredentials(opened.network, credentials))
  return verifyPage(opened, credentials, options)
}

/** Verifies the credentials of a connection. Throws a `Problem`, also if they belong to another page. */
export async function verifyPage(
  { network, connection }: OpenConnection,
  credentials: Record<string, unknown>,
  options: Pick<ConnectOptions, 'ads' | 'signal'>,
): Promise<AdPage> {
  const page = await verify(options, network, credentials)
  if (page.id !== connection.pageId) throw new Problem(pageMismatch, pageMismatch.example)
  return page
}

/** Stores a connected page, and returns its id. Throws 409 AD_PAGE_EXISTS; 422 TOO_MANY_AD_CONNECTIONS. */
export async function storeConnection(
  tx: Tx,
  ads: Ads,
  { network, name, credentials, since }: NewAdConnection,
  page: AdPage,
): Promise<string> {
  if ((await queries.countConnections(tx)) >= connectionsMax)
    throw new Problem(tooManyConnections, tooManyConnections.example)
  const id = createId(tx)
  const pageName = sanitizeText(page.name).slice(0, 200)
  const isInserted = await queries.insertConnection(tx, id, {
    network,
    name: sanitizeText(name ?? pageName),
    page_id: page.id,
    page_name: pageName,
    credentials: ads.encryptCredentials(credentials),
    since: since ? new Date(since) : getNow(tx),
  })
  if (!isInserted) {
    const known = await queries.findConnectionsOfPages(tx, network, [page.id])
    throw new Problem(connectionExists, connectionExists.example, {
      details: { connectionId: known.get(page.id) ?? id },
    })
  }
  await addLink(tx, ads.cipher, { kind: connectionKind, objectId: id })
  await emit(tx, connectionStatusChanged, { connectionId: id, status: 'CONNECTED', previousStatus: null })
  await enqueueSweep(tx, id)
  return id
}

/** Throws 404. */
export async function changeConnection(
  tx: Tx,
  ads: Ads,
  { id, body, page }: { id: string; body: AdConnectionChanges; page: AdPage | null },
): Promise<void> {
  const name = body.name === undefined ? {} : { name: sanitizeText(body.name) }
  if (!page) return queries.updateConnection(tx, id, name)
  await resume(tx, id, {
    ...name,
    page_name: sanitizeText(page.name).slice(0, 200),
    credentials: ads.encryptCredentials(body.credentials!),
  })
}

/** The network has accepted the credentials: what waits is read, and what was lost meanwhile. Throws 404. */
export async function resume(tx: Tx, id: string, changes: queries.ConnectionChanges = {}): Promise<void> {
  const connection = await queries.lockConnection(tx, id)
  if (!connection) throw notFound('ad connection')
  const now = getNow(tx)
  await changeConnectionStatus(tx, connection, 'CONNECTED', null, {
    ...changes,
    failures: 0,
    retry_at: null,
    checked_at: now,
    next_sweep_at: now,
  })
  await retryAdLeads(tx, id, ['waiting'])
  await enqueueRetrieval(tx, id)
  await enqueueSweep(tx, id)
}

/** Ends the webhooks of a page at its network. A page can be disconnected too if the network refuses or fails. */
export async function endWebhooks(connectionId: string, options: ConnectOptions): Promise<void> {
  const { ads, caller, database, signal } = options
  try {
    const { network, credentials } = await database.readTenant(caller, tx => ads.open(tx, connectionId))
    await ads.call(network, signal, context => network.disconnect(credentials, context))
  } catch (error) {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error
  }
}

/** Throws 404. */
export async function disconnect(tx: Tx, id: string): Promise<void> {
  if (!(await queries.lockConnection(tx, id))) throw notFound('ad connection')
  await revokeShares(tx, connectionKind, [id])
  await queries.deleteConnection(tx, id)
}

/** Finds the errors of a body that depend on the network. */
export function checkNewConnection(ads: Ads, body: Partial<NewAdConnection>, now: Date): InputError[] {
  const { network: id, credentials = {}, since } = body
  if (id === undefined) return []
  const networks = ads.list()
  const network = networks.find(each => each.id === id)
  if (!network) {
    const known = networks.map(each => each.id).join(', ')
    return [{ path: '/network', code: 'NOT_ALLOWED', message: `must be one of ${known}` }]
  }
  return [...checkCredentials(network, credentials), ...checkSince(network, since, now)]
}

function checkSince({ label, keptDays }: AdNetwork, since: string | undefined, now: Date): InputError[] {
  if (since === undefined) return []
  const time = new Date(since)
  const path = '/since'
  if (Number.isNaN(time.getTime())) return []
  if (time > now) return [{ path, code: 'NOT_ALLOWED', message: 'must not be in the future' }]
  if (time >= subtractDays(now, keptDays)) return []
  return [
    {
      path,
      code: 'NOT_ALLOWED',
      message: `must be within the last ${keptDays} days, for which ${label} keeps leads`,
    },
  ]
}

const validators = new WeakMap<AdNetwork['credentials'], Validate>()

/** Finds the errors of credentials. Messages contain no value, because values are secret. */
function checkCredentials(network: AdNetwork, credentials: object): InputError[] {
  const validate = validators.get(network.credentials) ?? compile(network.credentials)
  validators.set(network.credentials, validate)
  return validate(credentials).map(({ path, code, message }) => ({
    path: `/credentials${path}`,
    code,
    message,
  }))
}
