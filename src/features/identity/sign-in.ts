/** Signing in with a password, and setting one with a token that the operator handed out. */
import { machineNow } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Database } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'
import { endSessionsOf, hashToken, openSession } from '../../kit/session.ts'
import { hashPassword, isPassword, type Waiter } from './password.ts'
import { passwordTokenInvalid, signInFailed } from './problems.ts'
import { findLogin, forgetAttempts, isTokenValid, setPassword, takeAttempt } from './sign-in-queries.ts'

export interface Credentials {
  email: string
  password: string
  workspace: string | null
}

/**
 * Returns the token of a new session. Throws 401 SIGN_IN_FAILED, the same and after the same work for an unknown address and for a
 * wrong password, and 429 while the account is paused.
 */
export async function signIn(
  { outside }: Database,
  cipher: Cipher,
  { email, password, workspace }: Credentials,
  waiter: Waiter,
): Promise<string> {
  const account = cipher.digest(`sign-in ${email.toLowerCase()}`)
  const pauseMs = await takeAttempt(outside, account, machineNow())
  if (pauseMs > 0) throw paused(pauseMs)
  const login = await findLogin(outside, { email, workspace })
  const isRight = await isPassword(password, login?.passwordHash ?? null, waiter)
  const token = login && isRight ? await openSession(outside, login) : null
  if (!token) throw signInRefused()
  await forgetAttempts(outside, account)
  return token
}

/** Throws 400 PASSWORD_TOKEN_INVALID. Ends all sessions of the user. */
export async function choosePassword(
  { outside }: Database,
  { token, password }: { token: string; password: string },
  waiter: Waiter,
): Promise<void> {
  const tokenHash = hashToken(token)
  if (!(await isTokenValid(outside, tokenHash, machineNow()))) throw tokenRefused()
  const passwordHash = await hashPassword(password, waiter)
  await outside.transaction().execute(async tx => {
    const set = await setPassword(tx, { tokenHash, passwordHash, nowMs: machineNow() })
    if (!set) throw tokenRefused()
    // A statement of its own: it sees sessions that were opened while it waited for the password's row.
    await endSessionsOf(tx, set.userId)
  })
}

function signInRefused(): Problem {
  return new Problem(signInFailed, signInFailed.example, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

function tokenRefused(): Problem {
  return new Problem(passwordTokenInvalid, passwordTokenInvalid.example)
}

function paused(pauseMs: number): Problem {
  const seconds = Math.ceil(pauseMs / 1000)
  return new Problem(
    'RATE_LIMITED',
    `There were too many attempts with this e-mail address. Try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
