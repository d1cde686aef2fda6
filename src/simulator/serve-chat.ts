/** The simulated chat providers as the command serves them: on ports in a row, with a mailbox. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { controlPath } from './control-routes.ts'
import { type MailControl, serveMailControl } from './mail/control.ts'
import { startSimulatedMail } from './mail/index.ts'
import { startTelegram } from './telegram/index.ts'
import { startWhatsapp } from './whatsapp/index.ts'

export interface ServedChat {
  /** By provider: its address, and what connects an account to it. */
  providers: Record<'whatsapp' | 'telegram' | 'mail', { address: string; credentials: object }>
  /** By provider, the address of its control. */
  controls: Record<string, string>
  close(): Promise<void>
}

/** The number of its ports. */
export const chatPortsCount = 5

/** A port that is in use, and 0, is replaced by a free one. */
export async function serveChat({ ports, seed }: { ports: number[]; seed: number }): Promise<ServedChat> {
  const [whatsappPort = 0, telegramPort = 0, ...mailPorts] = ports
  const whatsapp = await startWhatsapp({ port: whatsappPort, seed, hasReplyWindow: true })
  const telegram = await startTelegram({ port: telegramPort, seed })
  const { address, credentials, control, close } = await serveMailbox(mailPorts)
  return {
    providers: {
      whatsapp: { address: whatsapp.url, credentials: whatsapp.credentials },
      telegram: { address: telegram.url, credentials: { token: telegram.token } },
      mail: { address, credentials },
    },
    controls: {
      whatsapp: `${new URL(whatsapp.url).origin}${controlPath}`,
      telegram: `${telegram.url}${controlPath}`,
      mail: `${control.url}${controlPath}`,
    },
    async close() {
      await Promise.all([whatsapp.close(), telegram.close(), close()])
    },
  }
}

async function serveMailbox([smtpPort = 0, imapPort = 0, controlPort = 0]: number[]): Promise<{
  address: string
  credentials: object
  control: MailControl
  close(): Promise<void>
}> {
  const mail = await startSimulatedMail({ port: await findFreePort(smtpPort) })
  const account = { address: 'ana@agency.example', password: 'secret' }
  const mailbox = await mail.createMailbox({ ...account, port: await findFreePort(imapPort) })
  const control = await serveMailControl(mail, mailbox, controlPort)
  const server = { security: 'starttls', user: account.address, password: account.password }
  return {
    address: `smtp://${mail.smtp.host}:${mail.smtp.port}`,
    credentials: {
      address: account.address,
      smtp: { ...mail.smtp, ...server },
      imap: { ...mailbox.imap, ...server },
    },
    control,
    async close() {
      await Promise.all([mail.close(), control.close()])
    },
  }
}

/** 0, for any free one, if the port is in use. */
async function findFreePort(port: number): Promise<number> {
  const probe = createServer()
  const isFree = await once(probe.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return 0
  await once(probe.close(), 'close')
  return port
}
