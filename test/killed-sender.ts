/**
 * A process that kills itself while it sends the due messages of an account: `node test/killed-sender.ts <database>
 * <tenant> <account> <moment> <file>`. The file lists what its provider was handed.
 */
import { appendFileSync } from 'node:fs'
import { createChatAccounts } from '../src/features/accounts/service.ts'
import { messageOutbox } from '../src/features/messaging/sending/outbox.ts'
import { createCipher } from '../src/kit/crypto.ts'
import { openDatabase } from '../src/kit/db/index.ts'
import { toIdentifierKey } from '../src/kit/identifier-hash.ts'
import { deriveKeyring } from '../src/kit/keyring.ts'
import { createLog } from '../src/kit/log.ts'
import { createMetrics } from '../src/kit/metrics.ts'
import { createFakeProvider } from './chat-provider.ts'

const [databaseUrl, tenantId, accountId, moment, file] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]

async function killAt(currentMoment: string): Promise<void> {
  if (currentMoment !== moment) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

const fake = createFakeProvider()
fake.send = async (_connection, { id }) => {
  appendFileSync(file, `${id}\n`)
  return { status: 'sent', providerMessageId: id }
}
const keyring = deriveKeyring(Buffer.alloc(32, 7).toString('base64'))
const accounts = createChatAccounts({
  providers: [fake],
  simulateProvider: provider => provider,
  cipher: createCipher(keyring, async () => keyring),
  http: null as never,
  resolveHost: async host => host,
  urls: {},
  baseUrl: '',
  log: createLog('silent'),
})
const outbox = messageOutbox({
  accounts,
  blobs: null as never,
  unsubscribe: { cipher: null as never, baseUrl: '' },
  metrics: createMetrics(async () => 0),
  claimLeaseMs: 90_000,
})
const database = openDatabase(databaseUrl, { identifierKey: toIdentifierKey(keyring), onError: () => {} })
const claim = await database.withTenant({ tenantId }, tx =>
  outbox.claim(tx, accountId, { excludedIds: [], limit: 10 }),
)
await killAt('after the claim')
for (const item of claim.items) await outbox.send(claim.target!, item, new AbortController().signal, database)
await killAt('after it was sent')
