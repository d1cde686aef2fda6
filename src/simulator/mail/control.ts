/** What the simulated mail provider does on request over HTTP. */
import { randomUUID } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { oneOf, strictObject, Type } from '../../kit/schema.ts'
import { createControlRoutes, read, shownMax } from '../control-routes.ts'
import { listen, stop } from '../server.ts'
import type { SimulatedMail, SimulatedMailbox } from './index.ts'
import { mailFaultKinds } from './smtp.ts'

/** The bytes that are shown of each message. */
const rawMaxBytes = 20_000
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\r\\n]*$' })

const Fault = strictObject({
  kind: oneOf(mailFaultKinds),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
})
const Message = strictObject({
  from: line(254),
  subject: Type.Optional(line(200)),
  text: Type.String({ minLength: 1, maxLength: 65_536 }),
  /** The message that it answers. */
  inReplyTo: Type.Optional(line(500)),
})

export interface MailControl {
  /** Its origin. */
  url: string
  close(): Promise<void>
}

/** Serves the control of a mailbox and of its provider. */
export async function serveMailControl(
  mail: SimulatedMail,
  mailbox: SimulatedMailbox,
  port: number,
): Promise<MailControl> {
  const control = createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: {
        accepted: mail.accepted
          .slice(-shownMax)
          .map(({ from, to, raw }) => ({ from, to, raw: raw.subarray(0, rawMaxBytes).toString() })),
        inbox: mailbox
          .list()
          .slice(-shownMax)
          .map(({ uid, flags }) => ({ uid, flags })),
      },
    }),
    'POST /faults': read(Fault, fault => {
      mail.addFault(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /faults'() {
      mail.clearFaults()
      return { status: 200, body: {} }
    },
    'POST /messages': read(Message, async ({ from, subject = '', text, inReplyTo }) => {
      const messageId = `<${randomUUID()}@simulator.example>`
      const raw = await new MailComposer({
        from,
        to: mailbox.address,
        subject,
        text,
        messageId,
        ...(inReplyTo === undefined ? {} : { inReplyTo, references: inReplyTo }),
      })
        .compile()
        .build()
      mailbox.deliver(raw)
      return { status: 201, body: { messageId } }
    }),
  })
  const { server, origin } = await listen(port)
  server.on('request', control)
  return { url: origin, close: () => stop(server) }
}
