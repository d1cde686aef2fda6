/** The configuration: defaults, accepted values, and a report of all wrong values at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from './config.ts'
import { ConfigError } from './config-error.ts'

function findProblems(env: Record<string, string>): string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

it('has defaults for everything', () => {
  expect(loadConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    databaseUrl: null,
    databaseDirectUrl: null,
    basePaths: [''],
    publicUrl: 'http://127.0.0.1:3000',
    role: 'all',
    logLevel: 'info',
    encryptionKey: null,
    newEncryptionKey: null,
    portalUrls: {},
    chatUrls: {},
    adUrls: {},
    calendarUrls: {},
    calendarClients: {},
    portalsDir: null,
    simulatorData: null,
    allowedPrivateRanges: [],
    trustedProxies: [],
    blobsS3: null,
    blobBytesMax: 10e9,
    mapTiles: null,
    mapAttribution: null,
    routingUrl: null,
    ai: null,
  })
})

it('treats an empty or blank variable as absent', () => {
  const names = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'BASE_PATH', 'PUBLIC_URL', 'ROLE', 'LOG_LEVEL']
  const others = [
    'DATABASE_DIRECT_URL',
    'ENCRYPTION_KEY',
    'NEW_ENCRYPTION_KEY',
    'PORTAL_URLS',
    'CHAT_URLS',
    'AD_URLS',
    'CALENDAR_URLS',
    'CALENDAR_CLIENTS',
    'PORTALS_DIR',
    'SIMULATOR_DATA',
    'ALLOWED_PRIVATE_RANGES',
    'TRUSTED_PROXIES',
    'BLOBS_S3_URL',
    'BLOBS_MAX_GB',
    'MAP_TILES',
    'MAP_ATTRIBUTION',
    'ROUTING_URL',
    'AI_URL',
    'AI_KEY',
    'AI_MODEL',
  ]
  for (const empty of ['', '  '])
    expect(loadConfig(Object.fromEntries([...names, ...others].map(name => [name, empty])))).toEqual(
      loadConfig({}),
    )
})

it('reads every variable', () => {
  const directory = mkdtempSync(join(tmpdir(), 'aldaba-config-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const csv = join(directory, 'listings.csv')
  writeFileSync(csv, '')
  const encryptionKey = Buffer.alloc(32, 1).toString('base64')
  expect(
    loadConfig({
      HOST: '::',
      PORT: ' 8080 ',
      DATA_DIR: 'somewhere/else',
      DATABASE_URL: 'postgresql://user:secret@db:5432/aldaba?sslmode=require',
      DATABASE_DIRECT_URL: 'postgres://user:secret@primary:5432/aldaba',
      BASE_PATH: ', /v1 ,/api/v2,/v1',
      PUBLIC_URL: 'https://leads.example/',
      ROLE: 'worker',
      LOG_LEVEL: 'debug',
      ENCRYPTION_KEY: encryptionKey,
      NEW_ENCRYPTION_KEY: encryptionKey,
      PORTAL_URLS: 'portal_a=https://portal.example/?a=b, portal_b=http://localhost:4000',
      CHAT_URLS: 'telegram=https://proxy.example/telegram/, whatsapp_cloud=http://localhost:4001',
      AD_URLS: 'meta=http://localhost:4003/v25.0',
      CALENDAR_URLS: 'google=http://localhost:4002/',
      CALENDAR_CLIENTS: 'google=1.apps:GO%2Ca, microsoft=c:~s:t',
      PORTALS_DIR: directory,
      SIMULATOR_DATA: csv,
      ALLOWED_PRIVATE_RANGES: '127.0.0.1/32, fd00::/8',
      TRUSTED_PROXIES: '10.0.0.0/8',
      BLOBS_S3_URL: 'https://AKIA:a%2Fb%25@s3.example:9000/files/aldaba/?region=eu-south-2',
      BLOBS_MAX_GB: '2.5',
      MAP_TILES: csv,
      MAP_ATTRIBUTION: '© Institut Cartogràfic',
      ROUTING_URL: 'http://osrm:5000/spain/',
      AI_URL: 'https://ai.example/v1/',
      AI_KEY: 'sk-1',
      AI_MODEL: 'small:7b',
    }),
  ).toEqual({
    host: '::',
    port: 8080,
    dataDir: resolve('somewhere/else'),
    databaseUrl: 'postgresql://user:secret@db:5432/aldaba?sslmode=require',
    databaseDirectUrl: 'postgres://user:secret@primary:5432/aldaba',
    basePaths: ['', '/v1', '/api/v2'],
    publicUrl: 'https://leads.example',
    role: 'worker',
    logLevel: 'debug',
    encryptionKey,
    newEncryptionKey: encryptionKey,
    portalUrls: { portal_a: 'https://portal.example/?a=b', portal_b: 'http://localhost:4000' },
    chatUrls: { telegram: 'https://proxy.example/telegram', whatsapp_cloud: 'http://localhost:4001' },
    adUrls: { meta: 'http://localhost:4003/v25.0' },
    calendarUrls: { google: 'http://localhost:4002' },
    calendarClients: {
      google: { id: '1.apps', secret: 'GO,a' },
      microsoft: { id: 'c', secret: '~s:t' },
    },
    portalsDir: directory,
    simulatorData: csv,
    allowedPrivateRanges: ['127.0.0.1/32', 'fd00::/8'],
    trustedProxies: ['10.0.0.0/8'],
    blobsS3: {
      endpoint: 'https://s3.example:9000',
      bucket: 'files/aldaba',
      region: 'eu-south-2',
      accessKeyId: 'AKIA',
      secretAccessKey: 'a/b%',
    },
    blobBytesMax: 2.5e9,
    mapTiles: csv,
    mapAttribution: '© Institut Cartogràfic',
    routingUrl: 'http://osrm:5000/spain',
    ai: { url: 'https://ai.example/v1', key: 'sk-1', model: 'small:7b' },
  })
})

it.each([
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
  ['leads.local', 'http://leads.local:3000'],
])('listening on %s has the public URL %s', (host, publicUrl) => {
  expect(loadConfig({ HOST: host }).publicUrl).toBe(publicUrl)
})

const wrong: [name: string, value: string][] = [
  ['HOST', 'two words'],
  ['HOST', 'http://127.0.0.1'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['PORT', '8e1'],
  ['DATABASE_URL', 'mysql://db/aldaba'],
  ['DATABASE_URL', 'aldaba'],
  ['BASE_PATH', 'v1'],
  ['BASE_PATH', '/v1/'],
  ['BASE_PATH', '/v 1'],
  ['BASE_PATH', '/:id'],
  ['PUBLIC_URL', 'leads.example'],
  ['PUBLIC_URL', 'ftp://leads.example'],
  ['ROLE', 'both'],
  ['ROLE', 'ALL'],
  ['LOG_LEVEL', 'loud'],
  ['ENCRYPTION_KEY', 'c2hvcnQ='],
  ['ENCRYPTION_KEY', '0'.repeat(64)],
  ['PORTAL_URLS', 'https://portal.example'],
  ['PORTAL_URLS', 'portal_a='],
  ['PORTAL_URLS', 'portal_a=portal.example'],
  ['PORTAL_URLS', 'Portal A=https://portal.example'],
  ['PORTAL_URLS', 'portal_a=https://portal.example/es'],
  ['AD_URLS', 'meta'],
  ['CALENDAR_URLS', 'google'],
  ['CALENDAR_CLIENTS', 'google=id'],
  ['CALENDAR_CLIENTS', 'google=id:100%'],
  ['CALENDAR_CLIENTS', 'google=a:b,google=c:d'],
  ['PORTALS_DIR', '/does/not/exist.csv'],
  ['SIMULATOR_DATA', '/does/not/exist.csv'],
  ['ALLOWED_PRIVATE_RANGES', '10.0.0.0'],
  ['TRUSTED_PROXIES', 'loopback'],
  ['ALLOWED_PRIVATE_RANGES', '10.0.0.0/8,all'],
  ['BLOBS_S3_URL', 's3.example/bucket'],
  ['BLOBS_S3_URL', 's3://id:secret@s3.example/bucket'],
  ['BLOBS_S3_URL', 'https://s3.example/bucket'],
  ['BLOBS_S3_URL', 'https://id:secret@s3.example'],
  ['BLOBS_S3_URL', 'https://id:100%@s3.example/bucket'],
  ['BLOBS_S3_URL', 'https://id:secret@s3.example/bucket?regoin=x'],
  ['BLOBS_MAX_GB', '0'],
  ['BLOBS_MAX_GB', 'much'],
  ['MAP_TILES', '/does/not/exist.pmtiles'],
  ['MAP_TILES', 'https://tiles.example/{z}/{x}.mvt'],
  ['MAP_ATTRIBUTION', 'x'.repeat(121)],
  ['ROUTING_URL', 'osrm:5000'],
  ['ROUTING_URL', 'http://user:pass@osrm:5000'],
  ['ROUTING_URL', 'https://osrm.example/?key=7'],
  ['AI_URL', 'https://user:pass@ai.example/v1'],
  ['AI_KEY', 'two words'],
  ['AI_MODEL', 'two words'],
]

it.each(wrong)('refuses %s=%s and says what it should be', (name, value) => {
  expect(findProblems({ [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name}=.* should be .{10,}`)),
  ])
})

it.each(['https://maps.example/iberia.pmtiles', 'http://tiles:8080/data/v3/{z}/{x}/{y}.pbf?key=7'])(
  'accepts MAP_TILES=%s',
  url => {
    expect(loadConfig({ MAP_TILES: url }).mapTiles).toBe(url)
  },
)

it('reports every wrong value at once', () => {
  const all = Object.fromEntries(wrong)
  const reported = findProblems(all).map(problem => problem.split('=')[0])
  expect(reported.toSorted()).toEqual(Object.keys(all).sort())
  expect(() => loadConfig(all)).toThrow(/^Aldaba can't start with this configuration:\n {2}HOST=/)
})

it.each(['api', 'worker'])('requires DATABASE_URL for ROLE=%s', role => {
  expect(findProblems({ ROLE: role })).toEqual([
    `ROLE=${role} needs DATABASE_URL: the embedded database belongs to one process`,
  ])
  expect(findProblems({ ROLE: role, DATABASE_URL: 'postgres://db/aldaba' })).toEqual([])
})

it('requires AI_MODEL for AI_URL', () => {
  expect(findProblems({ AI_URL: 'https://ai.example/v1' })).toEqual([
    'AI_URL needs AI_MODEL: the model of campaigns that name none',
  ])
})

describe('a secret in a wrong value', () => {
  it.each([
    ['DATABASE_URL', 'mysql://user:hunter2@db/aldaba'],
    ['DATABASE_URL', 'user:hunter2@db/aldaba'],
    ['DATABASE_URL', 'mysql://user:hunt@er2:hunter2@db/aldaba'],
    ['PUBLIC_URL', 'ftp://user:hunter2@leads.example'],
    ['PORTAL_URLS', 'portal_a=ftp://user:hunter2@portal.example'],
    ['PORTAL_URLS', 'portal_a=https://portal.example/path?token=hunter2'],
    ['DATABASE_URL', 'mysql://db/aldaba?password=hunter2'],
    ['ENCRYPTION_KEY', 'hunter2'],
    ['CALENDAR_CLIENTS', 'google=hunter2'],
    ['NEW_ENCRYPTION_KEY', 'hunter2'],
    ['MAP_TILES', 'https://tiles.example/{z}.mvt?key=hunter2'],
    ['ROUTING_URL', 'https://user:hunter2@osrm.example'],
    ['AI_URL', 'https://user:hunter2@ai.example'],
    ['AI_KEY', 'hunter2 '.repeat(2)],
  ])('is not reported: %s', (name, value) => {
    const [problem] = findProblems({ [name]: value })
    expect(problem).toMatch(new RegExp(`^${name}=`))
    expect(problem).not.toMatch(/hunt|er2/)
  })
})
