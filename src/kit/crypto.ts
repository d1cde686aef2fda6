/** The secrets file, created on the first start, and encryption at rest. */
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
 * Reads the deployment's secrets from `<dataDir>/secrets.json`. The first start creates the file (mode 0600). If
 * several processes start at once, one creates it and the others read it. Throws if the file is damaged, or missing
 * beside an existing database.
 */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true }).catch(error => throwDirectoryError(error, dataDir))
  try {
    return parseSecrets(await readFile(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `${file} is missing, but ${dataDir} holds a database that needs it. Restore the file from your backup.`,
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

function throwDirectoryError(error: NodeJS.ErrnoException, dataDir: string): never {
  const reasons: Record<string, string> = {
    EEXIST: 'it is a file',
    ENOTDIR: 'a part of its path is a file',
    EACCES: 'this user may not create it',
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
    // The error below names the file.
  }
  throw new Error(
    `${file} is damaged. Restore it from your backup: without it, stored secrets cannot be decrypted.`,
  )
}

/** Replaces the encryption key in the secrets file atomically. */
export async function replaceEncryptionKey(dataDir: string, encryptionKey: string): Promise<void> {
  const file = join(dataDir, 'secrets.json')
  const secrets = parseSecrets(await readFile(file, 'utf8'), file)
  await rename(await writeTempFile(file, { ...secrets, encryptionKey }), file)
}

/** Writes a complete file under a temporary name, so that no process reads an incomplete one. Returns its path. */
async function writeTempFile(file: string, secrets: Secrets): Promise<string> {
  const tempFile = `${file}.${randomUUID()}`
  const handle = await open(tempFile, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
  await handle.sync()
  await handle.close()
  await chmod(tempFile, 0o600)
  return tempFile
}

/** Encrypts and digests values with the keyring, see `createCipher`. */
export interface Cipher {
  encrypt(text: string): Buffer
  /** Throws if the bytes were encrypted with an unknown key or were altered. */
  decrypt(bytes: Buffer): Promise<string>
  /** Returns whether the bytes were encrypted with the primary key. */
  isCurrent(bytes: Buffer): boolean
  /** Returns a keyed digest of 32 bytes, which identifies a text without revealing it. */
  digest(text: string): Buffer
  /** Reloads the keyring, after another process has added a key. */
  refresh(): Promise<void>
}

/** The version byte of a value: the old format without the key's name, and the current one with it. */
const versions = { unnamed: 1, named: 2 }
/** The version byte and the name of the key. */
const headBytes = 5

/**
 * Creates a cipher that encrypts with the keyring's primary key. An encrypted value is a version byte, the key's name
 * (4 bytes) and the output of `seal`. Digests are HMAC-SHA256 (RFC 2104). `reload` reads the current keyring; it is
 * called for values with an unknown key, which may have been added since. If it returns null, because the encryption
 * key no longer opens one, the cipher keeps its keyring.
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
        throw new Error('these bytes were not encrypted by this cipher')
      if (!keyring.keys[getKeyName(bytes)]) await refresh()
      const key = keyring.keys[getKeyName(bytes)]
      if (!key) throw new Error(`these bytes were encrypted with an unknown key: ${getKeyName(bytes)}`)
      if (bytes[0] === versions.unnamed) return unseal(toBytes(key), bytes.subarray(1))
      return unseal(toBytes(key), bytes.subarray(headBytes), bytes.subarray(0, headBytes))
    },
    isCurrent: bytes => bytes[0] === versions.named && getKeyName(bytes) === keyring.primary,
    digest: text => createHmac('sha256', toBytes(keyring.digestKey)).update(text).digest(),
    refresh,
  }
}

const toBytes = (key: string) => Buffer.from(key, 'base64')
