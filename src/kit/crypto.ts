/** Secrets: the file they are generated in on the first start, and encryption at rest. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface Secrets {
  /** 32 bytes, base64. */
  encryptionKey: string
  databaseSuperuserPassword: string
  databaseOwnerPassword: string
}

/**
 * The deployment's secrets: read from `<dataDir>/secrets.json`, made there (mode 0600) on the first start.
 * Of processes that start at once, one makes the file and the others read it.
 */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  try {
    return parseSecrets(await readFile(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `${file} is gone, and ${dataDir} holds a database that was set up with it. Put back the copy from your backup.`,
    )
  }
  const secrets: Secrets = {
    encryptionKey: randomBytes(32).toString('base64'),
    databaseSuperuserPassword: randomBytes(24).toString('base64url'),
    databaseOwnerPassword: randomBytes(24).toString('base64url'),
  }
  // Written whole under another name, then linked: no process ever reads half a file.
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
  await handle.sync()
  await handle.close()
  await chmod(draft, 0o600)
  await link(draft, file).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return parseSecrets(await readFile(file, 'utf8'), file)
}

function parseSecrets(text: string, file: string): Secrets {
  try {
    const secrets = JSON.parse(text) as Secrets
    const passwords = [secrets.databaseSuperuserPassword, secrets.databaseOwnerPassword]
    if (Buffer.from(secrets.encryptionKey, 'base64').length === 32 && passwords.every(Boolean)) return secrets
  } catch {
    // Told below, with the file's name.
  }
  throw new Error(
    `${file} is damaged. Put back the copy from your backup: without it, stored secrets can't be read.`,
  )
}

export interface Cipher {
  encrypt(text: string): Buffer
  /** Throws if the bytes were made with another key or were altered. */
  decrypt(bytes: Buffer): string
  /** 32 bytes by which a text is known again, and which tell nobody without the key what it may be. */
  digest(text: string): Buffer
  /** Names the key without telling it: the database remembers it and refuses another. */
  fingerprint: string
}

const version = 1

/**
 * AES-256-GCM; a stored value is one version byte, 12 bytes of nonce, 16 of tag, then the text. Digests are HMAC-SHA256
 * (RFC 2104) under a key that HKDF-SHA256 (RFC 5869) derives.
 */
export function createCipher(encryptionKey: string): Cipher {
  const key = Buffer.from(encryptionKey, 'base64')
  const digestKey = Buffer.from(hkdfSync('sha256', key, '', 'aldaba digests', 32))
  return {
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(bytes) {
      if (bytes[0] !== version) throw new Error('these bytes were not made by this cipher')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(13, 29))
      return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8')
    },
    digest: text => createHmac('sha256', digestKey).update(text).digest(),
    fingerprint: createHash('sha256').update('aldaba key fingerprint').update(key).digest('hex').slice(0, 16),
  }
}
