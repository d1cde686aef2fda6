/** Secrets: the file they are generated in on the first start, and encryption at rest. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Keyring, seal, unseal } from './keyring.ts'

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
  await mkdir(dataDir, { recursive: true }).catch(error => explainDirectory(error, dataDir))
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
  const tempFile = await writeTempFile(file, secrets)
  await link(tempFile, file).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(tempFile)
  return parseSecrets(await readFile(file, 'utf8'), file)
}

function explainDirectory(error: NodeJS.ErrnoException, dataDir: string): never {
  const reasons: Record<string, string> = {
    EEXIST: 'it is a file',
    ENOTDIR: 'a part of its path is a file',
    EACCES: 'this user may not make it',
    EROFS: 'its file system is read-only',
  }
  const reason = reasons[error.code ?? '']
  throw reason
    ? new Error(
        `DATA_DIR=${dataDir} can't be used: ${reason}. Set it to a directory that this user may write to.`,
        {
          cause: error,
        },
      )
    : error
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

/** Writes another encryption key into the file of secrets, whole or not at all. */
export async function replaceEncryptionKey(dataDir: string, encryptionKey: string): Promise<void> {
  const file = join(dataDir, 'secrets.json')
  const secrets = parseSecrets(await readFile(file, 'utf8'), file)
  await rename(await writeTempFile(file, { ...secrets, encryptionKey }), file)
}

/** Under another name, whole: no process ever reads half a file. Returns that name. */
async function writeTempFile(file: string, secrets: Secrets): Promise<string> {
  const tempFile = `${file}.${randomUUID()}`
  const handle = await open(tempFile, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
  await handle.sync()
  await handle.close()
  await chmod(tempFile, 0o600)
  return tempFile
}

export interface Cipher {
  encrypt(text: string): Buffer
  /** Throws if the bytes were made with an unknown key or were altered. */
  decrypt(bytes: Buffer): Promise<string>
  /** Whether the bytes were made with the key that encrypts now. */
  isCurrent(bytes: Buffer): boolean
  /** 32 bytes by which a text is known again, and which tell nobody without the key what it may be. */
  digest(text: string): Buffer
  /** Reads the keyring anew: another process has added a key. */
  refresh(): Promise<void>
}

/** Values that do not name their key, as all did before it could be rotated, and those that do. */
const versions = { unnamed: 1, named: 2 }
const headBytes = 5

/**
 * Encrypts with the keyring's primary key; a stored value is one version byte, the four of its key's name, and what `seal`
 * makes. Digests are HMAC-SHA256 (RFC 2104). `reload` reads the keyring as it is now: a value may be encrypted with a key that
 * was added since. If it returns null, because the encryption key opens none any more, the known one stays.
 */
export function createCipher(
  initial: Keyring,
  reload: () => Promise<Keyring | null> = async () => null,
): Cipher {
  let keyring = initial
  let reloading: Promise<void> | undefined
  const refresh = () => {
    reloading ??= reload()
      .then(current => {
        keyring = current ?? keyring
      })
      .finally(() => {
        reloading = undefined
      })
    return reloading
  }
  const toHeader = (name: string) => Buffer.concat([Buffer.of(versions.named), Buffer.from(name, 'hex')])
  const getKeyName = (bytes: Buffer) =>
    bytes[0] === versions.unnamed ? keyring.unnamed : bytes.subarray(1, headBytes).toString('hex')
  return {
    encrypt(text) {
      const head = toHeader(keyring.primary)
      return Buffer.concat([head, seal(toBytes(keyring.keys[keyring.primary]!), text, head)])
    },
    async decrypt(bytes) {
      if (bytes[0] !== versions.unnamed && bytes[0] !== versions.named)
        throw new Error('these bytes were not made by this cipher')
      if (!keyring.keys[getKeyName(bytes)]) await refresh()
      const key = keyring.keys[getKeyName(bytes)]
      if (!key) throw new Error(`these bytes were made with a key that is not known: ${getKeyName(bytes)}`)
      if (bytes[0] === versions.unnamed) return unseal(toBytes(key), bytes.subarray(1))
      return unseal(toBytes(key), bytes.subarray(headBytes), bytes.subarray(0, headBytes))
    },
    isCurrent: bytes => bytes[0] === versions.named && getKeyName(bytes) === keyring.primary,
    digest: text => createHmac('sha256', toBytes(keyring.digestKey)).update(text).digest(),
    refresh,
  }
}

const toBytes = (key: string) => Buffer.from(key, 'base64')
