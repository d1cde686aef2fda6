/** Password hashes: Argon2id with the minimum of OWASP's Password Storage Cheat Sheet, 19 MiB and two passes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from '../../kit/fair-queue.ts'

const deriveKey = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/**
 * Runs two hashes at a time, each 40 ms on a thread. That leaves two of the four threads that Node.js has for files and
 * DNS. Client addresses take turns, so that many requests from one address do not block others.
 */
const hashQueue = createFairQueue({
  name: 'sign-ins',
  capacity: 2,
  waitingMax: { all: 200, tenant: 40, key: 40 },
  waitMaxMs: 10_000,
  retryAfterSeconds: 5,
})

/** A client in the queue, identified by its address. */
export interface WaitingClient {
  address: string
  disconnected: AbortSignal
}

/** Hashes a password to a PHC string. Throws 429 or 503 if too many clients wait. */
export async function hashPassword(password: string, client: WaitingClient): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost, client)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

/** Returns true if the password matches the stored hash. With null it takes the same time and returns false. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  client: WaitingClient,
): Promise<boolean> {
  const { salt, hash, ...params } = parse(stored ?? dummyHash)
  const derived = await derive(password, salt, params, client)
  return timingSafeEqual(derived, hash) && stored !== null
}

const dummyHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(Buffer.alloc(saltBytes))}$${base64(Buffer.alloc(hashBytes))}`

/** Normalizes to NFKC, so that a password is equal on every keyboard (NIST SP 800-63B-4, section 3.1.1.2). */
function derive(
  password: string,
  nonce: Buffer,
  params: typeof cost,
  { address, disconnected }: WaitingClient,
): Promise<Buffer> {
  const message = password.normalize('NFKC')
  const work = () => deriveKey('argon2id', { message, nonce, ...params, tagLength: hashBytes })
  return hashQueue.run({ tenantId: address }, work, { signal: disconnected })
}

function parse(stored: string) {
  const [, memory, passes, parallelism, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)!
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash!, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
