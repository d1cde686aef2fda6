/** The previous secrets of a subscription, which sign until they expire. */
import type { Cipher } from '../../kit/crypto.ts'

interface PreviousSecret {
  secret: string
  /** ISO 8601. */
  expiresAt: string
}

/** Limited because a message carries one signature per secret, and servers refuse long headers. */
const previousSecretsMax = 5

/** Decrypts the previous secrets that still sign, newest first. */
export async function decryptPreviousSecrets(
  cipher: Cipher,
  stored: Buffer | null,
  now: Date,
): Promise<string[]> {
  return (await decryptValid(cipher, stored, now)).map(({ secret }) => secret)
}

/**
 * Adds `secret` to the stored previous secrets, to sign until `expiresAt`, and drops the oldest beyond five. Returns
 * the encrypted list; null: none signs.
 */
export async function addPreviousSecret(
  cipher: Cipher,
  stored: Buffer | null,
  { secret, expiresAt, now }: { secret: string; expiresAt: Date; now: Date },
): Promise<Buffer | null> {
  const older = await decryptValid(cipher, stored, now)
  const previous = [{ secret, expiresAt: expiresAt.toISOString() }, ...older].slice(0, previousSecretsMax)
  // No overlap means that the secret leaked: drop all older ones too.
  return expiresAt <= now ? null : cipher.encrypt(JSON.stringify(previous))
}

async function decryptValid(cipher: Cipher, stored: Buffer | null, now: Date): Promise<PreviousSecret[]> {
  if (!stored) return []
  const previous = JSON.parse(await cipher.decrypt(stored)) as PreviousSecret[]
  return previous.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime())
}
