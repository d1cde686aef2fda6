/** Opens the INBOX of an account over IMAP. It is opened for reading only: nothing is marked, moved or deleted. */
import { ImapFlow } from 'imapflow'
import { type ChatContext, ChatError } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { resolveEndpoint } from './endpoint.ts'
import { toConnectionFailure } from './failures.ts'

export const inboxFolder = 'INBOX'
/** The program reads only the headers and the text of a larger message. */
export const mailMaxBytes = 25 * 1024 * 1024

const megabyte = 1024 * 1024
const limits = {
  maxLiteralSize: mailMaxBytes + megabyte,
  maxResponseSize: mailMaxBytes + 2 * megabyte,
  // A list of the numbers of a million messages.
  maxLineLength: 8 * megabyte,
  maxResponseTokens: 100_000,
}
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 15_000,
  // Servers end IDLE after 30 minutes at most; many routers end silent connections after 5.
  maxIdleTime: 4 * 60_000,
  socketTimeout: 5 * 60_000,
}
const idleDelayMs = 100

/**
 * Signs in, calls `use`, and closes the connection. Ends when the signal is aborted: then it throws its reason. Throws
 * ChatError for every failure of the server.
 */
export async function withImap<Result>(
  { imap }: EmailCredentials,
  context: ChatContext,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const { signal } = context
  signal.throwIfAborted()
  let client: ImapFlow | null = null
  const close = () => client?.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    client = await createClient(imap, context)
    signal.throwIfAborted()
    await client.connect()
    return await use(client)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof ChatError
      ? error
      : new ChatError(toConnectionFailure(error, 'IMAP', imap.host), { cause: error })
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

async function createClient(server: EmailCredentials['imap'], context: ChatContext): Promise<ImapFlow> {
  const { host, port, security, tls } = await resolveEndpoint(server, 'IMAP', context)
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    tls,
    auth: { user: server.user, pass: server.password },
    logger: false,
    autoIdleDelay: idleDelayMs,
    disableCompression: true,
    ...timeouts,
    ...limits,
  })
  // The pending command fails as well.
  client.on('error', () => {})
  return client
}
