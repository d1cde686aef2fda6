/** What connecting a mailbox requires. */
import { oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'

/** `none` is only accepted for a server on the same machine. */
export const securities = ['tls', 'starttls', 'none'] as const

function server(name: string, host: string, port: number) {
  return strictObject(
    {
      host: Type.String({
        minLength: 1,
        maxLength: 253,
        pattern: '^[^\\s/@]+$',
        title: 'Server',
        description: `The name of the ${name} server.`,
        examples: [host],
      }),
      port: Type.Integer({
        minimum: 1,
        maximum: 65_535,
        title: 'Port',
        description: 'Ports of mail servers only: 465 or 993 with `tls`; 587, 25 or 143 with `starttls`.',
        examples: [port],
      }),
      security: oneOf(securities, {
        title: 'Encryption',
        description:
          '`tls`: from the beginning; `starttls`: after the greeting; `none`: only on this machine.',
        examples: ['tls'],
      }),
      user: Type.String({
        minLength: 1,
        maxLength: 320,
        title: 'User name',
        examples: ['ana@agency.example'],
      }),
      password: Type.String({
        minLength: 1,
        maxLength: 1000,
        title: 'Password',
        description: 'The password of the mailbox, or an app password if the provider requires one.',
        examples: ['abcd efgh ijkl mnop'],
      }),
    },
    { title: `${name} server` },
  )
}

export const emailCredentials = strictObject({
  address: Type.String({
    minLength: 3,
    maxLength: 254,
    title: 'Address',
    description: 'The e-mail address of the mailbox. Messages are sent from it.',
    examples: ['ana@agency.example'],
  }),
  name: Type.Optional(
    Type.String({
      maxLength: 200,
      title: 'Name',
      description: 'The name that people see as the sender.',
      examples: ['Ana, Agency Example'],
    }),
  ),
  smtp: server('SMTP', 'smtp.agency.example', 465),
  imap: server('IMAP', 'imap.agency.example', 993),
})

export type EmailCredentials = Static<typeof emailCredentials>
export type MailServer = EmailCredentials['smtp']
