/** Bounces of many mail servers: which message, to whom, why, and if it is for ever. */
import { expect, test } from 'vitest'
import { getOnly, toBody } from '../../../../test/mail-account.ts'
import { email } from './index.ts'

const messageId = '019a0000-0000-7000-8000-000000000001'
const header = `<m.${messageId}@agency.example>`

const parse = async (lines: string) => email.mailbox!.parse(toBody(lines))

function toReport(
  fields: string,
  original = `Message-ID: ${header}\nTo: marta@mail.example\nSubject: Piso`,
): string {
  return `From: Mail Delivery System <MAILER-DAEMON@mail.example>
To: ana@agency.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example
Arrival-Date: Thu, 26 Nov 2026 05:00:00 +0100

Final-Recipient: rfc822; marta@mail.example
${fields}

--b
Content-Type: text/rfc822-headers

${original}

--b--
`
}

const cases: [name: string, mail: string, failure: object][] = [
  [
    'Postfix, no such address',
    toReport(
      'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <marta@mail.example>:\n Recipient address rejected',
    ),
    { code: 'RECIPIENT_UNREACHABLE', providerCode: '5.1.1', retryable: false, scope: 'recipient' },
  ],
  [
    'a full mailbox',
    toReport('Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 Over quota'),
    { code: 'RECIPIENT_LIMIT', providerCode: '5.2.2', scope: 'message' },
  ],
  [
    'no answer for days',
    toReport('Action: failed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to mail.example: timed out'),
    { code: 'PROVIDER_UNAVAILABLE', providerCode: '4.4.1', retryable: true, scope: 'message' },
  ],
  [
    'refused as spam, with the code only in the diagnostic',
    toReport('Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 554 5.7.1 Message rejected as spam'),
    { code: 'MESSAGE_REJECTED', providerCode: '5.7.1', scope: 'message' },
  ],
  [
    'Gmail, a sender without DKIM',
    toReport(
      'Action: failed\nStatus: 5.7.26\nDiagnostic-Code: smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
    ),
    {
      code: 'MESSAGE_REJECTED',
      providerCode: '5.7.26',
      message: expect.stringMatching(/SPF, DKIM and DMARC/),
    },
  ],
  [
    'Exim',
    `From: Mail Delivery System <Mailer-Daemon@mx.agency.example>
Subject: Mail delivery failed: returning message to sender
X-Failed-Recipients: marta@mail.example
Auto-Submitted: auto-replied

This message was created automatically by mail delivery software.

  marta@mail.example
    host mx.mail.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<marta@mail.example>:
    550 5.1.1 User unknown

------ This is a copy of the message, including all the headers. ------

Return-path: <ana@agency.example>
Message-ID: ${header}
To: marta@mail.example
`,
    { code: 'RECIPIENT_UNREACHABLE', providerCode: '5.1.1', scope: 'recipient' },
  ],
  [
    'qmail',
    `Return-Path: <>
From: MAILER-DAEMON@mail.example
Subject: failure notice

Hi. This is the qmail-send program at mail.example.

<marta@mail.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <ana@agency.example>
Received: (qmail 1 invoked from network)
Message-ID: ${header}
Subject: Piso
`,
    { code: 'RECIPIENT_UNREACHABLE', providerCode: '5.1.1', scope: 'recipient' },
  ],
  [
    'Exchange in Spanish, with the message attached',
    `From: postmaster@mail.example
Subject: No se puede entregar: Piso
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

No se pudo entregar el mensaje a marta@mail.example.
El buzón está lleno. 554 5.2.2 mailbox full

--b
Content-Type: message/rfc822

Message-ID: ${header}
To: marta@mail.example

Hola
--b--
`,
    { code: 'RECIPIENT_LIMIT', providerCode: '5.2.2' },
  ],
]

test.each(cases)('%s', async (_name, mail, failure) => {
  expect(getOnly(await parse(mail), 'status')).toMatchObject({
    status: 'failed',
    providerMessageId: header,
    messageId,
    to: [{ kind: 'email', value: 'marta@mail.example' }],
    failure,
  })
})

test('a delay, a delivery, and a report that names no message', async () => {
  expect(getOnly(await parse(toReport('Action: delayed\nStatus: 4.4.1')), 'ignored').what).toMatch(/delayed/)
  expect(getOnly(await parse(toReport('Action: relayed\nStatus: 2.0.0')), 'status')).toMatchObject({
    status: 'delivered',
    failure: null,
  })
  getOnly(await parse(toReport('Action: failed\nStatus: 5.1.1', 'Subject: Piso')), 'ignored')
})

test('never tells of the account: anybody can write a report', async () => {
  for (const status of ['5.7.60', '5.1.8', '5.5.3', '4.7.28']) {
    const { failure } = getOnly(await parse(toReport(`Action: failed\nStatus: ${status}`)), 'status')
    expect(failure).toMatchObject({ providerCode: status, scope: 'message' })
  }
})

test('of a message that was forwarded: the address to which it was sent is named too', async () => {
  const mail = toReport('Action: failed\nStatus: 5.1.1').replace(
    '822; marta@mail.example',
    '822; m@forward.example',
  )
  expect(getOnly(await parse(mail), 'status').to.map(({ value }) => value)).toEqual([
    'm@forward.example',
    'marta@mail.example',
  ])
})

test('a message of another program: its own id, not one of ours', async () => {
  const mail = toReport('Action: failed\nStatus: 5.1.1', 'Message-ID: <other@agency.example>')
  expect(getOnly(await parse(mail), 'status')).toMatchObject({
    providerMessageId: '<other@agency.example>',
    messageId: null,
  })
})

test('a read receipt', async () => {
  const mail = `From: marta@mail.example
Subject: Read: Piso
Content-Type: multipart/report; report-type=disposition-notification; boundary=b

--b
Content-Type: text/plain

Your message was displayed.
--b
Content-Type: message/disposition-notification

Final-Recipient: rfc822;marta@mail.example
Original-Message-ID: ${header}
Disposition: manual-action/MDN-sent-manually; displayed
--b--
`
  expect(getOnly(await parse(mail), 'status')).toMatchObject({ status: 'read', messageId })
})

test('a complaint: the person refuses marketing', async () => {
  const mail = `From: complaints@mail.example
Subject: complaint
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
Original-Rcpt-To: <marta@mail.example>
--b
Content-Type: message/rfc822

Message-ID: ${header}
To: marta@mail.example

Hola
--b--
`
  expect(getOnly(await parse(mail), 'marketing_preference')).toMatchObject({
    accepts: false,
    from: [{ value: 'marta@mail.example' }],
    messageId,
  })
  getOnly(await parse(mail.replace(header, '<other@agency.example>')), 'ignored')
  getOnly(await parse(mail.replace(`Message-ID: ${header}\n`, '')), 'ignored')
})

test('a person who writes about a bounce is no bounce', async () => {
  const mail = 'From: marta@mail.example\nSubject: Undeliverable\nMessage-ID: <1@m>\n\n550 5.1.1 me sale esto'
  getOnly(await parse(mail), 'message')
})

test('a report that a person forwards is a file of their message', async () => {
  const report = toReport('Action: failed\nStatus: 5.1.1').replace(/.*\nMIME-Version/s, 'MIME-Version')
  const mail = `From: Marta <marta@mail.example>
To: ana@agency.example
Message-ID: <forwarded@mail.example>
${report.replace('multipart/report; report-type=delivery-status', 'multipart/mixed').replace(/I'm sorry.*/, 'Me ha llegado esto. ¿Qué hago?')}`
  expect(getOnly(await parse(mail), 'message')).toMatchObject({
    from: [{ value: 'marta@mail.example' }],
    nature: 'person',
    content: { caption: expect.stringContaining('¿Qué hago?') },
  })
})
