/** Sends mail: signs in to the SMTP server, and knows at every moment if the message may have been accepted. */
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type ChatContext, type ChatFailure, interruptedResult, type SendResult } from '../../chat.ts'
import type { ComposedMail } from './compose.ts'
import type { EmailCredentials } from './credentials.ts'
import { toDeliveryFailure } from './delivery-failure.ts'
import { resolveEndpoint } from './endpoint.ts'
import {
  type ConnectionError,
  createFailure,
  findEnhancedCode,
  toConnectionFailure,
  toServerText,
} from './failures.ts'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 }
const replyMaxBytes = 64 * 1024

export interface SmtpSession {
  /** Sends once. Never throws. */
  send(mail: ComposedMail, recipient: { address: string; messageId: string }): Promise<SendResult>
  close(): void
}

/** Opens a session, signed in. Throws an error for `toConnectionFailure`, or the reason of the signal. */
export async function openSmtp(credentials: EmailCredentials, context: ChatContext): Promise<SmtpSession> {
  const { address, smtp } = credentials
  const { host, port, security, tls } = await resolveEndpoint(smtp, 'SMTP', context)
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    tls,
    name: address.slice(address.lastIndexOf('@') + 1),
    ...timeouts,
    maxResponseSize: replyMaxBytes,
  })
  const close = () => connection.close()
  const run = createRun(connection, context.signal)
  context.signal.addEventListener('abort', close, { once: true })
  const end = () => {
    context.signal.removeEventListener('abort', close)
    close()
  }
  try {
    await run<void>(done => connection.connect(error => done(error ?? null, undefined)))
    await run<unknown>(done => connection.login({ user: smtp.user, pass: smtp.password }, done))
  } catch (error) {
    end()
    throw error
  }
  return {
    send: (mail, recipient) =>
      sendMail({ connection, run, credentials, signal: context.signal }, mail, recipient),
    close: end,
  }
}

type Done<Result> = (error: Error | null, result: Result) => void
type Run = <Result>(start: (done: Done<Result>) => void) => Promise<Result>

/** Runs a step of the connection. It fails with the step, with the connection, or with the signal. */
function createRun(connection: SMTPConnection, signal: AbortSignal): Run {
  let failure: Error | null = null
  let fail = (error: Error): void => {
    failure ??= error
  }
  connection.on('error', (error: Error) => fail(error))
  // The step that ends it fails with the reply of the server.
  connection.on('end', () => setImmediate(() => fail(new Error('the server closed the connection'))))
  return async <Result>(start: (done: Done<Result>) => void) => {
    signal.throwIfAborted()
    if (failure) throw failure
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    fail = error => {
      failure ??= error
      reject(error)
    }
    start((error, result) => (error ? reject(error) : resolve(result)))
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

interface Sending {
  connection: SMTPConnection
  run: Run
  credentials: EmailCredentials
  signal: AbortSignal
}

async function sendMail(
  { connection, run, credentials, signal }: Sending,
  { stream, messageId, bytes }: ComposedMail,
  recipient: { address: string; messageId: string },
): Promise<SendResult> {
  // The server accepts nothing before the last line.
  let isComplete = false
  stream.once('end', () => {
    isComplete = true
  })
  const envelope = {
    from: credentials.address,
    to: [recipient.address],
    size: bytes,
    dsn: { ret: 'HDRS', envid: recipient.messageId, notify: ['FAILURE'] },
  }
  try {
    const { serverMessageId } = await run<{ serverMessageId?: string | undefined }>(done =>
      connection.send(envelope, stream, done),
    )
    return { status: 'sent', providerMessageId: serverMessageId ?? messageId }
  } catch (error) {
    const facts = error as ConnectionError
    const isRefused = (facts.responseCode ?? 0) >= 400
    if (isComplete && !isRefused)
      return {
        status: 'unknown',
        reason: `${credentials.smtp.host} received the message and did not confirm that it accepted it.`,
      }
    if (signal.aborted) return interruptedResult
    return { status: 'failed', failure: toSendFailure(facts, credentials.smtp.host) }
  } finally {
    stream.destroy()
  }
}

function toSendFailure(facts: ConnectionError, host: string): ChatFailure {
  if (facts.code === 'ESTREAM')
    return createFailure('MEDIA_REJECTED', "The file can't be read. Attach it again.", { scope: 'message' })
  if (facts.code === 'EMESSAGE' && facts.responseCode === undefined)
    return toDeliveryFailure({ enhancedCode: '5.3.4', replyCode: 552, command: 'MAIL FROM' })
  if (facts.responseCode === undefined) return toConnectionFailure(facts, 'SMTP', host)
  return toDeliveryFailure({
    enhancedCode: findEnhancedCode(toServerText(facts)) ?? null,
    replyCode: facts.responseCode,
    command: facts.command ?? null,
  })
}
