/**
 * A process that kills itself while it sends the due messages of an account: `node test/killed-sender.ts <database>
 * <tenant> <account> <moment> <file>`. The file lists what its provider was handed.
 */
import { appendFileSync } from 'node:fs'
import { openDatabase } from '../src/kit/db/index.ts'
import { bindHooks } from '../src/kit/hook.ts'
import { toIdentifierKey } from '../src/kit/identifier-hash.ts'
import { deriveKeyring } from '../src/kit/keyring.ts'
import { createCampaignTrial } from './campaign-trial.ts'
import { createFakeProvider } from './chat-provider.ts'
import { createMessageOutbox } from './message-outbox.ts'

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
const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const outbox = createMessageOutbox([fake], { encryptionKey, claimLeaseMs: 90_000 })
const database = openDatabase(databaseUrl, {
  identifierKey: toIdentifierKey(deriveKeyring(encryptionKey)),
  onError: () => {},
})
bindHooks(database, [createCampaignTrial().feature])
const claim = await database.withTenant({ tenantId }, tx =>
  outbox.claim(tx, accountId, { excludedIds: [], limit: 10 }),
)
await killAt('after the claim')
const { signal } = new AbortController()
for (const item of claim.items)
  await outbox.send(claim.target!, item, { database, stopping: signal, forceStop: signal })
await killAt('after it was sent')
