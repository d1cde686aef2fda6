/** Signs in with a password, and sets a password with a token from the operator. */
import { machineNow } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Database } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'
import { endUserSessions, hashToken, openSession } from '../../kit/session.ts'
import { hashPassword, verifyPassword, type WaitingClient } from './password.ts'
import { passwordTokenInvalid, signInFailed } from './problems.ts'
import { deleteAttempts, findLogin, isTokenValid, recordAttempt, setPassword } from './sign-in-queries.ts'

export interface Credentials {
  email: string
  password: string
  workspace: string | null
}

/**
 * Returns the token of a new session. Throws 401 SIGN_IN_FAILED, equal in reply and duration for an unknown address and
 * for a wrong password, and 429 while the account is paused.
 */
export async function signIn(
  { unscoped }: Database,
  cipher: Cipher,
  { email, password, workspace }: Credentials,
  client: WaitingClient,
): Promise<string> {
  const account = cipher.digest(`sign-in ${email.toLowerCase()}`)
  const pauseMs = await recordAttempt(unscoped, account, machineNow())
  if (pauseMs > 0) throw toPausedProblem(pauseMs)
  const login = await findLogin(unscoped, { email, workspace })
  const isRight = await verifyPassword(password, login?.passwordHash ?? null, client)
  const token = login && isRight ? await openSession(unscoped, login) : null
  if (!token) throw signInProblem()
  await deleteAttempts(unscoped, account)
  return token
}

/** Sets the password of the token's user and ends all their sessions. Throws 400 PASSWORD_TOKEN_INVALID. */
export async function resetPassword(
  { unscoped }: Database,
  { token, password }: { token: string; password: string },
  client: WaitingClient,
): Promise<void> {
  const tokenHash = hashToken(token)
  if (!(await isTokenValid(unscoped, tokenHash, machineNow()))) throw tokenProblem()
  const passwordHash = await hashPassword(password, client)
  await unscoped.transaction().execute(async tx => {
    const set = await setPassword(tx, { tokenHash, passwordHash, nowMs: machineNow() })
    if (!set) throw tokenProblem()
    // A separate statement: it sees sessions opened while `setPassword` waited for the row lock.
    await endUserSessions(tx, set.userId)
  })
}

function signInProblem(): Problem {
  return new Problem(signInFailed, signInFailed.example, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

function tokenProblem(): Problem {
  return new Problem(passwordTokenInvalid, passwordTokenInvalid.example)
}

function toPausedProblem(pauseMs: number): Problem {
  const seconds = Math.ceil(pauseMs / 1000)
  return new Problem(
    'RATE_LIMITED',
    `Too many attempts with this e-mail address. Try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
