/** The commands `npx aldaba encryption …`. */
import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Deployment } from '../deployment.ts'
import { withDeployment } from './command.ts'

export function addEncryption(program: Command): void {
  const encryption = program
    .command('encryption')
    .description('rotate the encryption key while processes run: see docs/guides/go-to-production.md')
  encryption
    .command('rotate')
    .description('add a new encryption key beside the current one')
    .action(withDeployment(rotate))
  encryption
    .command('finish')
    .description('encrypt everything with the new key, and remove the former one')
    .action(withDeployment(finish))
}

async function rotate({ database, fingerprint }: Deployment): Promise<void> {
  const [{ beginRotation, withRotationLock }, { replaceEncryptionKey }, { computeFingerprint }] =
    await Promise.all([import('../rotation.ts'), import('../kit/crypto.ts'), import('../kit/keyring.ts')])
  const config = await readConfig()
  const { dataDir, encryptionKey, newEncryptionKey } = config
  if (encryptionKey && !newEncryptionKey)
    throw new Error('Set NEW_ENCRYPTION_KEY to the new key: openssl rand -base64 32.')
  const newKey = newEncryptionKey ?? randomBytes(32).toString('base64')
  await withRotationLock(database, async () => {
    const currentKey = await readEncryptionKey(config)
    await beginRotation(database, { currentKey, newKey })
    if (!encryptionKey) await replaceEncryptionKey(dataDir, newKey)
  })
  console.log(`Two keys are valid now: ${fingerprint} and the new ${computeFingerprint(newKey)}.`)
  console.log(
    encryptionKey
      ? 'Restart every process with the new key as ENCRYPTION_KEY, one after another.'
      : `${dataDir}/secrets.json holds the new key. Copy it to every machine that uses it, then restart every process, one after another.`,
  )
  console.log('Then run: npx aldaba encryption finish')
}

async function finish({ database, cipher, fingerprint }: Deployment): Promise<void> {
  const { finishRotation } = await import('../rotation.ts')
  const newKey = await readEncryptionKey(await readConfig())
  const { rewritten, unreadable } = await finishRotation(database, { cipher, newKey })
  console.log(`${rewritten} values were encrypted again. ${fingerprint} is the only valid key now.`)
  if (unreadable > 0)
    throw new Error(`${unreadable} values cannot be decrypted with any key. They were not changed.`)
}

async function readConfig(): Promise<Config> {
  return (await import('../config.ts')).loadConfig()
}

async function readEncryptionKey({ dataDir, encryptionKey }: Config): Promise<string> {
  return encryptionKey ?? (await (await import('../kit/crypto.ts')).openSecrets(dataDir)).encryptionKey
}
