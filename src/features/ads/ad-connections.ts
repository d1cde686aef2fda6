/** The ad networks of this deployment: opens a connection for calls. */
import type { Cipher } from '../../kit/crypto.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Environment } from '../../kit/key.ts'
import { notFound } from '../../kit/problem.ts'
import { type AdContext, AdError, type AdNetwork, triedAgain } from '../../plugins/ads.ts'
import { type ConnectionRow, findConnections, getEnvironment } from './queries.ts'

export interface AdsOptions {
  networks: AdNetwork[]
  /** Makes the network of the test environment, which opens no connections. */
  simulateNetwork(network: AdNetwork): AdNetwork
  cipher: Cipher
  /** For the networks' own addresses. */
  http: HttpClient
  /** Base URLs of the operator, by network id. */
  urls: Record<string, string>
  /** The public URL with the base path. */
  baseUrl: string
}

type Credentials = Record<string, unknown>

/** A connection that was read for a piece of work. */
export interface OpenConnection {
  connection: ConnectionRow
  network: AdNetwork
  credentials: Credentials
  tenantId: string
}

export interface Ads {
  /** All networks, as they are in live. */
  list(): AdNetwork[]
  /** Returns the network; undefined if the program has none with this id. */
  getNetwork(networkId: string, environment: Environment): AdNetwork | undefined
  /** Opens a connection with its decrypted credentials; undefined: there is none, or its network is gone. */
  find(tx: Tx, connectionId: string): Promise<OpenConnection | undefined>
  /** The same. Throws 404. */
  open(tx: Tx, connectionId: string): Promise<OpenConnection>
  /** Calls a network within a timeout. Throws AdError, also if it does not answer in time; the reason of the signal. */
  call<T>(network: AdNetwork, signal: AbortSignal, call: (context: AdContext) => Promise<T>): Promise<T>
  encryptCredentials(credentials: object): Buffer
  cipher: Cipher
  baseUrl: string
}

const callTimeoutMs = 30_000

/** Creates the ad networks of this deployment. Throws if two have the same id. */
export function createAds(options: AdsOptions): Ads {
  const { networks, cipher, http, urls, baseUrl } = options
  const byId = new Map(networks.map(network => [network.id, network]))
  if (byId.size < networks.length) throw new Error('Two ad networks have the same id.')
  const simulated = new Map(networks.map(network => [network.id, options.simulateNetwork(network)]))
  const getNetwork = (id: string, environment: Environment) =>
    (environment === 'test' ? simulated : byId).get(id)

  const find = async (tx: Tx, connectionId: string): Promise<OpenConnection | undefined> => {
    const [connection] = await findConnections(tx, [connectionId])
    const network = connection && getNetwork(connection.network, await getEnvironment(tx))
    if (!connection || !network) return undefined
    const credentials = JSON.parse(await cipher.decrypt(connection.credentials)) as Credentials
    return { connection, network, credentials, tenantId: getTenantId(tx) }
  }

  return {
    cipher,
    baseUrl,
    list: () => networks,
    getNetwork,
    find,
    async open(tx, connectionId) {
      const opened = await find(tx, connectionId)
      if (!opened) throw notFound('ad connection')
      return opened
    },
    async call(network, signal, call) {
      const timeout = AbortSignal.timeout(callTimeoutMs)
      try {
        return await call({
          http,
          baseUrl: urls[network.id] ?? network.baseUrl,
          signal: AbortSignal.any([signal, timeout]),
        })
      } catch (error) {
        if (error instanceof AdError || !timeout.aborted || signal.aborted) throw error
        const message = `${network.label} did not answer within ${callTimeoutMs / 1000} s. ${triedAgain}`
        throw new AdError('UNAVAILABLE', message, { cause: error })
      }
    },
    encryptCredentials: credentials => cipher.encrypt(JSON.stringify(credentials)),
  }
}
