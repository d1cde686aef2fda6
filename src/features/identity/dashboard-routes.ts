/** Routes of the dashboard to sign in and out. */

import { type AnonymousRoute, anonymousRoute } from '../../kit/anonymous-route.ts'
import type { Cipher } from '../../kit/crypto.ts'
import { type Route, route } from '../../kit/route.ts'
import { Type } from '../../kit/schema.ts'
import { endSession, endUserSessions, sessionCookie } from '../../kit/session.ts'
import { isSecureUrl } from '../../kit/session-caller.ts'
import {
  NewPassword,
  NewSession,
  newPasswordExample,
  newSessionExample,
  Session,
  sessionExample,
} from './dashboard-schemas.ts'
import { passwordTokenInvalid, signInFailed } from './problems.ts'
import { getSession } from './queries.ts'
import { resetPassword, signIn } from './sign-in.ts'

const tag = 'Sessions'

interface Dependencies {
  cipher: Cipher
  publicUrl: string
}

/** The routes that need no session. */
export const signInRoutes = ({ cipher, publicUrl }: Dependencies): AnonymousRoute[] => [
  anonymousRoute({
    path: '/session',
    operation: 'signIn',
    tag,
    summary: 'Sign in',
    description:
      'Sets the session cookie. The fifth failed attempt with an e-mail address and each further one are followed by a pause, which doubles each time up to five minutes.',
    body: NewSession,
    example: newSessionExample,
    status: 204,
    reply: Type.Null(),
    errors: [signInFailed],
    async handle({ body: { email, password, workspace = null }, database, address, disconnected }) {
      const token = await signIn(database, cipher, { email, password, workspace }, { address, disconnected })
      return {
        reply: null,
        headers: { 'Set-Cookie': sessionCookie(token, { isSecure: isSecureUrl(publicUrl) }) },
      }
    },
  }),
  anonymousRoute({
    path: '/password',
    operation: 'setPassword',
    tag,
    summary: 'Set a password with a token',
    description: 'The token works once. All sessions of the user end.',
    body: NewPassword,
    example: newPasswordExample,
    status: 204,
    reply: Type.Null(),
    errors: [passwordTokenInvalid],
    async handle({ body, database, address, disconnected }) {
      await resetPassword(database, body, { address, disconnected })
      return { reply: null }
    },
  }),
]

/** The routes that need a session. */
export const sessionRoutes = ({ publicUrl }: Pick<Dependencies, 'publicUrl'>): Route[] => {
  const signedOut = {
    json: 'null',
    headers: { 'Set-Cookie': sessionCookie(null, { isSecure: isSecureUrl(publicUrl) }) },
  }
  return [
    route({
      method: 'GET',
      path: '/session',
      operation: 'getSession',
      tag,
      summary: 'Retrieve the current session',
      scope: 'any',
      status: 200,
      reply: Session,
      replyExample: sessionExample,
      handle: ({ caller, tx }) => getSession(tx, { id: caller.keyId, userId: caller.userId! }),
    }),
    route({
      method: 'DELETE',
      path: '/session',
      operation: 'signOut',
      tag,
      summary: 'Sign out',
      scope: 'any',
      status: 204,
      reply: Type.Null(),
      async handle({ caller, tx }) {
        await endSession(tx, caller.keyId)
        return signedOut
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions',
      operation: 'signOutEverywhere',
      tag,
      summary: 'Sign out on every device',
      scope: 'any',
      status: 204,
      reply: Type.Null(),
      async handle({ caller, tx }) {
        await endUserSessions(tx, caller.userId!)
        return signedOut
      },
    }),
  ]
}
