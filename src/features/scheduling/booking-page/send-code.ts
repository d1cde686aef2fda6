/** Sends codes by the e-mail account of the workspace. The address is unproven, so neither a lead nor a conversation is created. */
import { randomUUID } from 'node:crypto'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { type ChatAccounts, getEnvironment } from '../../accounts/service.ts'

const name = 'send-booking-code'
const sendMaxMs = 30_000
const attemptsMax = 3

export interface CodeMail {
  email: string
  subject: string
  text: string
}

/** Returns false if nothing leaves the program, because the environment is test. */
export async function queueCode(tx: Tx, cipher: Cipher, accountId: string, mail: CodeMail): Promise<boolean> {
  if ((await getEnvironment(tx)) === 'test') return false
  const sealed = cipher.encrypt(JSON.stringify(mail)).toString('base64')
  await enqueue(tx, name, { accountId, sealed }, { maxAttempts: attemptsMax })
  return true
}

interface SendCodeDependencies {
  accounts: Pick<ChatAccounts, 'findConnection' | 'createContext'>
  cipher: Cipher
}

export const sendCode = ({ accounts, cipher }: SendCodeDependencies) =>
  job<{ accountId: string; sealed: string }>({
    name,
    workerPool: 'remote',
    async run({ accountId, sealed }, { database, tenantId, signal, log }) {
      const opened = await database.readTenant({ tenantId }, tx => accounts.findConnection(tx, accountId))
      if (!opened) return
      const { email, subject, text } = JSON.parse(
        await cipher.decrypt(Buffer.from(sealed, 'base64')),
      ) as CodeMail
      const context = accounts.createContext(
        opened,
        AbortSignal.any([signal, AbortSignal.timeout(sendMaxMs)]),
      )
      const result = await opened.provider.send(
        opened.connection,
        {
          id: randomUUID(),
          to: [{ kind: 'email', value: email }],
          content: { kind: 'text', text },
          replyTo: null,
          thread: { subject, references: [] },
          unsubscribeUrl: null,
          automatic: 'generated',
        },
        context,
      )
      if (result.status !== 'failed') return
      log.warn({ code: result.failure.code }, 'a code for a booking was not sent')
      if (result.failure.retryable) throw new Error(`The code was not sent: ${result.failure.code}`)
    },
  }) as JobDefinition<never>
