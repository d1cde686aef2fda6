/** Connecting a mailbox: what can be wrong has its own code and sentence. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createContext, prepareMail, toBody, toConnection } from '../../../../test/mail-account.ts'
import { ChatError, type ChatFailure } from '../../chat.ts'
import { checkChat } from '../../check-chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { resolveEndpoint, toTlsOptions } from './endpoint.ts'
import { toConnectionFailure } from './failures.ts'
import { email } from './index.ts'

const plain = prepareMail()
const secure = prepareMail({ secure: true })

async function connect(
  credentials: EmailCredentials,
  context = createContext(),
): Promise<ChatFailure | string> {
  try {
    return (await email.connect(credentials, context)).status
  } catch (error) {
    if (error instanceof ChatError) return error.failure
    throw error
  }
}

function withServer(
  credentials: EmailCredentials,
  server: 'smtp' | 'imap',
  changes: Partial<EmailCredentials['smtp']>,
): EmailCredentials {
  return { ...credentials, [server]: { ...credentials[server], ...changes } }
}

test('a mailbox is connected without encryption on loopback, with TLS, and with STARTTLS', async () => {
  expect(await email.connect(plain.credentials, createContext())).toEqual({
    status: 'CONNECTED',
    reason: null,
    quality: null,
    dailyLimit: null,
    tier: null,
    externalId: 'ana@agency.example',
    phone: null,
    name: 'Ana · Agencia Ñ',
    mailboxCursor: expect.stringMatching(/^\d+:0:\d+$/),
  })
  expect(await connect(secure.credentials)).toBe('CONNECTED')
  const upgraded = withServer(withServer(plain.credentials, 'smtp', { security: 'starttls' }), 'imap', {
    security: 'starttls',
  })
  expect(await connect(upgraded)).toBe('CONNECTED')
})

test.each(['smtp', 'imap'] as const)('a wrong password of %s', async server => {
  expect(await connect(withServer(plain.credentials, server, { password: 'wrong' }))).toMatchObject({
    code: 'INVALID_CREDENTIALS',
    message: `The ${server.toUpperCase()} server 127.0.0.1 refuses the user name or the password. Enter them again.`,
    retryable: false,
    scope: 'account',
  })
})

test.each(['smtp', 'imap'] as const)('a port of %s at which nobody listens', async server => {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => listener.once('listening', resolve))
  const { port } = listener.address() as { port: number }
  await new Promise(resolve => listener.close(resolve))
  expect(await connect(withServer(plain.credentials, server, { port }))).toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    message: expect.stringMatching(/can't be reached/),
    retryable: true,
  })
})

test.each(['smtp', 'imap'] as const)('TLS at a port of %s without it', async server => {
  expect(await connect(withServer(plain.credentials, server, { security: 'tls' }))).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/does not offer this encryption/),
  })
})

test('a server of another protocol', async () => {
  const swapped = withServer(plain.credentials, 'smtp', { port: plain.credentials.imap.port })
  expect(await connect(swapped)).toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    message: expect.stringMatching(/answered something else than SMTP/),
  })
})

test('an app password that is required, and passwords that are not allowed', async () => {
  plain.mail.addFault({ kind: 'authentication', times: 1 })
  expect(await connect(plain.credentials)).toMatchObject({
    code: 'INVALID_CREDENTIALS',
    message: expect.stringMatching(/requires an app password/),
  })
  plain.mail.addFault({ kind: 'basicAuthentication', times: 1 })
  expect(await connect(plain.credentials)).toMatchObject({ code: 'PERMISSION_MISSING' })
  const imap = { authenticationFailed: true, responseText: 'Application-specific password required' }
  expect(toConnectionFailure(imap, 'IMAP', 'imap.gmail.com')).toMatchObject({
    message: expect.stringMatching(/requires an app password/),
  })
})

test('a host inside the network is refused by the caller, and its failure is kept', async () => {
  const failure = {
    code: 'FORBIDDEN_HOST',
    message: 'The host is inside a private network.',
    providerCode: null,
    retryable: false,
    retryAfterMs: 0,
    scope: 'account',
  } as const
  const context = createContext({
    resolveHost: async () => {
      throw new ChatError(failure)
    },
  })
  expect(await connect(plain.credentials, context)).toEqual(failure)
})

test('at public addresses only ports of mail servers and only encrypted connections are accepted', async () => {
  const server = { host: 'mail.agency.example', user: 'a', password: 'b' }
  const resolve = (port: number, security: 'tls' | 'none', address: string) =>
    resolveEndpoint({ ...server, port, security }, 'SMTP', { resolveHost: async () => address })
  await expect(resolve(22, 'tls', '93.184.216.34')).rejects.toMatchObject({
    failure: { code: 'FORBIDDEN_HOST' },
  })
  await expect(resolve(993, 'tls', '93.184.216.34')).rejects.toThrow(
    'Port 993 is not one of SMTP. Use 25, 465, or 587.',
  )
  await expect(resolve(465, 'none', '93.184.216.34')).rejects.toMatchObject({
    failure: { code: 'UNSUPPORTED' },
  })
  await expect(resolve(2525, 'none', '10.0.0.5')).rejects.toMatchObject({ failure: { code: 'UNSUPPORTED' } })
  expect(await resolve(2525, 'tls', '10.0.0.5')).toMatchObject({ host: '10.0.0.5', port: 2525 })
  expect(await resolve(465, 'tls', '93.184.216.34')).toMatchObject({
    host: '93.184.216.34',
    tls: { servername: 'mail.agency.example', rejectUnauthorized: true },
  })
  expect(toTlsOptions('localhost', '127.0.0.1')).toMatchObject({ rejectUnauthorized: false })
})

test('health says why an account is logged out, and throws if the server does not answer', async () => {
  expect(await email.checkHealth(plain.connection, createContext())).toMatchObject({
    status: 'CONNECTED',
    reason: null,
  })
  const wrong = toConnection(withServer(plain.credentials, 'imap', { password: 'wrong' }))
  expect(await email.checkHealth(wrong, createContext())).toMatchObject({
    status: 'LOGGED_OUT',
    reason: expect.stringMatching(/refuses the user name or the password/),
  })
  const closed = toConnection(withServer(plain.credentials, 'imap', { port: 1 }))
  await expect(email.checkHealth(closed, createContext())).rejects.toBeInstanceOf(ChatError)
})

test('the contract holds for damaged bodies too', async () => {
  const body = toBody(
    'From: Marta <marta@mail.example>\nSubject: Hola\nMessage-ID: <1@mail.example>\n\nHola\n',
  )
  expect(await checkChat(email, { bodies: [body] })).toEqual([])
})
