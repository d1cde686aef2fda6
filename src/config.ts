/** The validated configuration. This is the only file that reads environment variables. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from './config-error.ts'
import {
  parseBasePaths,
  parseBaseUrl,
  parseDatabaseUrl,
  parseGb,
  parseHttpUrl,
  parseKey,
  parseMapTiles,
  parsePort,
  parseProviderUrls,
  parseRanges,
  parseWord,
} from './config-parsers.ts'
import {
  type AiEndpoint,
  checkPortalUrls,
  hasDecodableCredentials,
  type ProviderClient,
  parseClients,
  parsePortalUrls,
} from './config-providers.ts'

export type Role = 'all' | 'api' | 'worker'

export interface Config {
  host: string
  port: number
  dataDir: string
  /** Connection string of a PostgreSQL server; null for the embedded one in `dataDir`. */
  databaseUrl: string | null
  /** Direct connection to the same server for sessions, if `databaseUrl` points to a pooler; null without a pooler. */
  databaseDirectUrl: string | null
  /** Prefixes under which the whole API is served; `''` is the root. Never empty. */
  basePaths: string[]
  /** The URL at which people and other machines reach this service, without a trailing slash. */
  publicUrl: string
  role: Role
  logLevel: LogLevel
  /**
   * Base64 of the 32-byte key that encrypts secrets at rest; null if it is generated in `dataDir` on the first start.
   */
  encryptionKey: string | null
  /** The key that replaces `encryptionKey` in `aldaba encryption rotate`, in the same format. */
  newEncryptionKey: string | null
  /**
   * Base URL of each portal in the live environment, with the credentials if the portal requires them
   * (`https://id:secret@host`). A portal without a URL is not configured there.
   */
  portalUrls: Record<string, string>
  /** Base URLs of chat providers in live, by provider id, instead of the providers' own. */
  chatUrls: Record<string, string>
  /** Base URLs of ad networks in live, by network id, instead of the networks' own. */
  adUrls: Record<string, string>
  /** Base URLs of calendar providers in live, by provider id, instead of the providers' own. */
  calendarUrls: Record<string, string>
  /** How the deployment is registered with calendar providers, by provider id. */
  calendarClients: Record<string, ProviderClient>
  /** Folder of additional portal definitions; null if there are none. */
  portalsDir: string | null
  /** CSV file of listings for the built-in simulator; null if it generates its own. */
  simulatorData: string | null
  /** CIDR blocks inside the deployment's network that webhooks may reach. */
  allowedPrivateRanges: string[]
  /** CIDR blocks of reverse proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** The bucket that stores files; null if they are stored in `dataDir`. */
  blobsS3: S3Bucket | null
  /** Maximum number of bytes that the files of an environment of a workspace may have in total. */
  blobBytesMax: number
  /** The path or URL of a PMTiles file, or the URL of a tile server with `{z}`, `{x}` and `{y}`; null: no streets. */
  mapTiles: string | null
  /** Whom maps name as the source of their data; null: what the tiles say. */
  mapAttribution: string | null
  /** Base URL of an OSRM server, which knows driving times; null: they are estimated. */
  routingUrl: string | null
  /** The AI endpoint of live environments; null: none. */
  ai: AiEndpoint | null
}

/** A bucket of an S3-compatible service with path-style URLs: `<endpoint>/<bucket>/<key>`. */
export interface S3Bucket {
  /** Without a trailing slash. */
  endpoint: string
  /** May be followed by a prefix: `bucket/aldaba`. */
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** Reads the environment. Throws ConfigError naming every wrong value. An empty variable counts as absent. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = []
  const read = <T>(
    name: string,
    fallback: T,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T => {
    const text = env[name]?.trim()
    if (!text && name !== 'BASE_PATH') return fallback
    const value = parse(text ?? '')
    if (value !== undefined) return value
    problems.push(`${name}=${redact(name, text ?? '')} should be ${expected}`)
    return fallback
  }

  const host = read(
    'HOST',
    '127.0.0.1',
    text => (/^[\w.:-]+$/.test(text) ? text : undefined),
    'an address to listen on, such as 127.0.0.1 or 0.0.0.0',
  )
  const port = read('PORT', 3000, parsePort, 'a port from 0 to 65535')
  const portalUrls = read(
    'PORTAL_URLS',
    [],
    parsePortalUrls,
    'a comma-separated list such as portal_a=https://portal.example, without paths',
  )
  problems.push(...checkPortalUrls(portalUrls))
  const chatUrls = read(
    'CHAT_URLS',
    {},
    parseProviderUrls,
    'a comma-separated list such as whatsapp_cloud=https://proxy.example, each provider once',
  )
  const adUrls = read(
    'AD_URLS',
    {},
    parseProviderUrls,
    'a comma-separated list such as meta=https://proxy.example, each network once',
  )
  const calendarUrls = read(
    'CALENDAR_URLS',
    {},
    parseProviderUrls,
    'a comma-separated list such as google=https://proxy.example, each provider once',
  )
  const calendarClients = read(
    'CALENDAR_CLIENTS',
    {},
    parseClients,
    'a comma-separated list such as google=ID:SECRET, percent-encoded, each provider once',
  )
  const aiUrl = read(
    'AI_URL',
    null,
    parseBaseUrl,
    'the base URL of an OpenAI-compatible endpoint without credentials or a query, such as https://api.openai.com/v1',
  )
  const aiKey = read('AI_KEY', null, parseWord, 'a key without spaces')
  const aiModel = read('AI_MODEL', null, parseWord, 'the name of a model without spaces')
  if (aiUrl && !aiModel) problems.push('AI_URL needs AI_MODEL: the model of campaigns that name none')
  const config: Config = {
    host,
    port,
    dataDir: resolve(read('DATA_DIR', 'data', text => text, 'a directory')),
    databaseUrl: read(
      'DATABASE_URL',
      null,
      parseDatabaseUrl,
      'a PostgreSQL URL such as postgres://user:password@host:5432/database',
    ),
    databaseDirectUrl: read(
      'DATABASE_DIRECT_URL',
      null,
      parseDatabaseUrl,
      'the PostgreSQL URL of the server itself, if DATABASE_URL points to a pooler',
    ),
    basePaths: read(
      'BASE_PATH',
      [''],
      parseBasePaths,
      'a comma-separated list of paths, each empty or such as /v1',
    ),
    publicUrl: read('PUBLIC_URL', `http://${toUrlHost(host)}:${port}`, parseHttpUrl, 'an http or https URL'),
    role: read<Role>('ROLE', 'all', text => oneOf(['all', 'api', 'worker'], text), 'all, api or worker'),
    logLevel: read<LogLevel>(
      'LOG_LEVEL',
      'info',
      text => oneOf(logLevels, text),
      `one of ${logLevels.join(', ')}`,
    ),
    encryptionKey: read('ENCRYPTION_KEY', null, parseKey, expectedKey),
    newEncryptionKey: read('NEW_ENCRYPTION_KEY', null, parseKey, expectedKey),
    portalUrls: Object.fromEntries(portalUrls),
    chatUrls,
    adUrls,
    calendarUrls,
    calendarClients,
    portalsDir: read(
      'PORTALS_DIR',
      null,
      text => (existsSync(text) ? resolve(text) : undefined),
      'a folder that exists',
    ),
    simulatorData: read(
      'SIMULATOR_DATA',
      null,
      text => (existsSync(text) ? resolve(text) : undefined),
      'a file that exists',
    ),
    allowedPrivateRanges: read('ALLOWED_PRIVATE_RANGES', [], parseRanges, expectedRanges),
    trustedProxies: read('TRUSTED_PROXIES', [], parseRanges, expectedRanges),
    blobsS3: read(
      'BLOBS_S3_URL',
      null,
      parseBucket,
      'the URL of a bucket with percent-encoded credentials, such as https://id:secret@s3.example/bucket?region=eu-west-1',
    ),
    blobBytesMax:
      bytesInGb *
      read(
        'BLOBS_MAX_GB',
        10,
        parseGb,
        'the GB of files that an environment may store, from 0.001 to 1000000',
      ),
    mapTiles: read(
      'MAP_TILES',
      null,
      parseMapTiles,
      'a PMTiles file that exists, its URL, or the URL of a tile server such as https://tiles.example/{z}/{x}/{y}.mvt',
    ),
    mapAttribution: read(
      'MAP_ATTRIBUTION',
      null,
      text => (text.length <= 120 ? text : undefined),
      'at most 120 characters',
    ),
    routingUrl: read(
      'ROUTING_URL',
      null,
      parseBaseUrl,
      'the URL of an OSRM server without credentials or a query, such as http://osrm:5000',
    ),
    ai: aiUrl && aiModel ? { url: aiUrl, key: aiKey, model: aiModel } : null,
  }
  if (config.role !== 'all' && !config.databaseUrl) {
    problems.push(`ROLE=${config.role} needs DATABASE_URL: the embedded database belongs to one process`)
  }
  if (config.databaseDirectUrl && !config.databaseUrl) {
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL: it is a direct connection to the same database')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function oneOf<T extends string>(values: readonly T[], text: string): T | undefined {
  return values.find(value => value === text)
}

const expectedRanges = 'a comma-separated list of CIDR blocks, such as 127.0.0.1/32,10.0.0.0/8'
const expectedKey = '32 bytes in base64 (openssl rand -base64 32)'

const bytesInGb = 1e9

/** Names of buckets and prefixes are limited to characters that need no percent-encoding. */
function parseBucket(text: string): S3Bucket | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hash || !hasDecodableCredentials(text)) return undefined
  const bucket = url.pathname.replace(/^\/|\/$/g, '')
  const { username, password, searchParams } = url
  const names = [...searchParams.keys()]
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(bucket) || !username || !password) return undefined
  if (names.some(name => name !== 'region') || names.length > 1) return undefined
  return {
    endpoint: url.origin,
    bucket,
    region: searchParams.get('region') || 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
}

function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Removes secrets from a wrong value, which may be logged: everything before an `@` or after a `?` may be a password.
 */
function redact(name: string, text: string): string {
  return /ENCRYPTION_KEY$|^BLOBS_S3_URL$|^CALENDAR_CLIENTS$|^AI_KEY$/.test(name)
    ? '…'
    : text.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…')
}
