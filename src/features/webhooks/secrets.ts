import type { Cipher } from '../../kit/crypto.ts'

interface PreviousSecret {
  secret: string
  /** ISO 8601. */
  expiresAt: string
}

/** A message carries a signature for each: servers refuse headers that are too long. */
const previousSecretsMax = 5

/** Those that still sign, the newest first. */
export async function previousSecrets(cipher: Cipher, stored: Buffer | null, now: Date): Promise<string[]> {
  return (await readValid(cipher, stored, now)).map(({ secret }) => secret)
}

/** What is stored once `secret` is a former one too, which signs until then; of more than five the oldest go. */
export async function addPreviousSecret(
  cipher: Cipher,
  stored: Buffer | null,
  { secret, expiresAt, now }: { secret: string; expiresAt: Date; now: Date },
): Promise<Buffer | null> {
  const older = await readValid(cipher, stored, now)
  const former = [{ secret, expiresAt: expiresAt.toISOString() }, ...older].slice(0, previousSecretsMax)
  // A rotation without overlap is for a secret that leaked: none that is older remains either.
  return expiresAt <= now ? null : cipher.encrypt(JSON.stringify(former))
}

async function readValid(cipher: Cipher, stored: Buffer | null, now: Date): Promise<PreviousSecret[]> {
  if (!stored) return []
  const former = JSON.parse(await cipher.decrypt(stored)) as PreviousSecret[]
  return former.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime())
}
