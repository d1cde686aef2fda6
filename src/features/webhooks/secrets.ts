/** Secrets that were rotated: they go on signing beside the new one, so that receivers can change over in their own time. */
import type { Cipher } from '../../kit/crypto.ts'

interface Former {
  secret: string
  /** ISO 8601. */
  until: string
}

/** A message carries a signature for each: servers refuse headers that are too long. */
const formerMax = 5

/** Those that still sign, the newest first. */
export function formerSecrets(cipher: Cipher, stored: Buffer | null): string[] {
  return stillValid(cipher, stored).map(({ secret }) => secret)
}

/** What is stored once `secret` is a former one too, which signs until then; of more than five the oldest go. */
export function withFormer(
  cipher: Cipher,
  stored: Buffer | null,
  { secret, until }: { secret: string; until: Date },
): Buffer | null {
  const former = [{ secret, until: until.toISOString() }, ...stillValid(cipher, stored)].slice(0, formerMax)
  // A rotation without overlap is for a secret that leaked: none that is older remains either.
  return until.getTime() <= Date.now() ? null : cipher.encrypt(JSON.stringify(former))
}

function stillValid(cipher: Cipher, stored: Buffer | null): Former[] {
  if (!stored) return []
  const former = JSON.parse(cipher.decrypt(stored)) as Former[]
  return former.filter(({ until }) => Date.parse(until) > Date.now())
}
