import type { Cipher } from '../../kit/crypto.ts'

interface Former {
  secret: string
  /** ISO 8601. */
  until: string
}

/** A message carries a signature for each: servers refuse headers that are too long. */
const formerMax = 5

/** Those that still sign, the newest first. */
export async function formerSecrets(cipher: Cipher, stored: Buffer | null, now: Date): Promise<string[]> {
  return (await stillValid(cipher, stored, now)).map(({ secret }) => secret)
}

/** What is stored once `secret` is a former one too, which signs until then; of more than five the oldest go. */
export async function withFormer(
  cipher: Cipher,
  stored: Buffer | null,
  { secret, until, now }: { secret: string; until: Date; now: Date },
): Promise<Buffer | null> {
  const older = await stillValid(cipher, stored, now)
  const former = [{ secret, until: until.toISOString() }, ...older].slice(0, formerMax)
  // A rotation without overlap is for a secret that leaked: none that is older remains either.
  return until <= now ? null : cipher.encrypt(JSON.stringify(former))
}

async function stillValid(cipher: Cipher, stored: Buffer | null, now: Date): Promise<Former[]> {
  if (!stored) return []
  const former = JSON.parse(await cipher.decrypt(stored)) as Former[]
  return former.filter(({ until }) => Date.parse(until) > now.getTime())
}
