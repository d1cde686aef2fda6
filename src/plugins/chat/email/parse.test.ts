/** What messages of a mailbox mean: people, machines, lists, the account itself. */
import { expect, test } from 'vitest'
import { getOnly, toBody } from '../../../../test/mail-account.ts'
import { email } from './index.ts'

const parse = async (lines: string, overrides = {}) => email.mailbox!.parse(toBody(lines, overrides))

const reply = `Delivered-To: ana@agency.example
Received: from mx.mail.example (mx.mail.example [192.0.2.1]) by mx.agency.example with ESMTPS; Thu, 26 Nov 2026 05:00:01 +0100
Authentication-Results: mx.agency.example; dkim=pass header.d=mail.example; spf=pass smtp.mailfrom=mail.example; dmarc=pass
From: =?utf-8?Q?Marta_Soler_i_Puigd=C3=A9falc?= <Marta@Mail.example>
To: Ana <ana@agency.example>
Subject: =?utf-8?B?UmU6IFBpc28gZW4gR3LDoGNpYQ==?=
In-Reply-To: <m.019a0000-0000-7000-8000-000000000001@agency.example>
References: <first@agency.example>
 <m.019a0000-0000-7000-8000-000000000001@agency.example>
Message-ID: <CAF+1@mail.example>
Date: Thu, 26 Nov 2026 05:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="000"

--000
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

S=C3=AD, venga el martes.

El jue, 26 nov 2026 a las 4:22, Ana (<ana@agency.example>) escribi=C3=B3:

> =C2=BFSigue a la venta?
> Ana
--000
Content-Type: text/html; charset="UTF-8"

<p>no</p>
--000--
`

test('a reply of a person', async () => {
  const event = getOnly(await parse(reply), 'message')
  expect(event).toEqual({
    type: 'message',
    externalId: 'ana@agency.example',
    at: Temporal.Instant.from('2026-11-26T04:00:00Z'),
    from: [{ kind: 'email', value: 'marta@mail.example' }],
    providerMessageId: '<CAF+1@mail.example>',
    profileName: 'Marta Soler i Puigdéfalc',
    content: { kind: 'text', text: 'Sí, venga el martes.' },
    replyTo: '<m.019a0000-0000-7000-8000-000000000001@agency.example>',
    email: {
      subject: 'Re: Piso en Gràcia',
      references: ['<first@agency.example>', '<m.019a0000-0000-7000-8000-000000000001@agency.example>'],
      fullText: expect.stringMatching(/^Sí, venga el martes\..*¿Sigue a la venta\?/s),
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      answeredIds: ['019a0000-0000-7000-8000-000000000001'],
    },
    referral: null,
    nature: 'person',
    isEcho: false,
  })
})

test('HTML without a text part is read as text, and its quoted part is folded', async () => {
  const toHtml = (html: string) =>
    parse(`From: a@b.example\nMessage-ID: <1@b>\nContent-Type: text/html; charset=utf-8\n\n${html}\n`)
  const outlook = await toHtml(
    '<html><head><style>p{x:1}</style></head><body><p>S&iacute;,<br>venga&nbsp;el martes.</p><p>Marta</p><div id="divRplyFwdMsg"><b>De:</b> Ana<br><b>Enviado:</b> hoy<br><b>Para:</b> Marta</div><p>¿Sigue?</p></body></html>',
  )
  expect(getOnly(outlook, 'message').content).toEqual({
    kind: 'text',
    text: 'Sí,\nvenga el martes.\n\nMarta',
  })
  const gmail = await toHtml(
    '<div dir="ltr">Sí</div><br><div class="gmail_quote"><div class="gmail_attr">El jue, 26 nov 2026 Ana escribió:<br></div><blockquote type="cite">¿Sigue?</blockquote></div>',
  )
  expect(getOnly(gmail, 'message').content).toEqual({ kind: 'text', text: 'Sí' })
  expect(getOnly(gmail, 'message').email!.fullText).toContain('¿Sigue?')
})

test('a person who writes only a subject, or nothing', async () => {
  const subject = await parse('From: a@b.example\nSubject: Llámeme\nMessage-ID: <1@b>\n\n\n')
  expect(getOnly(subject, 'message').content).toEqual({ kind: 'text', text: 'Llámeme' })
  const empty = await parse('From: a@b.example\n\n\n')
  expect(getOnly(empty, 'message')).toMatchObject({
    content: { kind: 'unsupported' },
    providerMessageId: 'imap:7:42',
    profileName: null,
    replyTo: null,
  })
  expect(getOnly(await parse('Subject: x\n\nHola'), 'unreadable').reason).toBe(
    'The message has no valid sender.',
  )
})

test('inline images and files are media; signatures of the message are not', async () => {
  const event = getOnly(
    await parse(`From: a@b.example
Message-ID: <1@b>
Content-Type: multipart/signed; boundary=s

--s
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html

<p>El plano: <img src="cid:plan"></p>
--r
Content-Type: image/png
Content-ID: <plan>
Content-Disposition: inline; filename="plan.png"
Content-Transfer-Encoding: base64

aG9sYQ==
--r--
--s
Content-Type: application/pkcs7-signature; name=smime.p7s
Content-Transfer-Encoding: base64

aG9sYQ==
--s--
`),
    'message',
  )
  expect(event.content).toEqual({
    kind: 'media',
    caption: 'El plano:',
    media: [
      { kind: 'image', providerMediaId: '7:42:1.2', mediaType: 'image/png', fileName: 'plan.png', bytes: 4 },
    ],
  })
})

test('a portal that writes for a person: the person is the one to answer', async () => {
  const portal = await parse(
    'From: Portal <no-reply@portal.example>\nReply-To: Marta <marta@mail.example>\nMessage-ID: <1@p>\n\nMarta pregunta por el piso',
  )
  expect(getOnly(portal, 'message').from).toEqual([{ kind: 'email', value: 'marta@mail.example' }])
  const person = await parse(
    'From: Luis <luis@mail.example>\nReply-To: Otra <otra@mail.example>\nMessage-ID: <2@p>\n\nHola',
  )
  expect(getOnly(person, 'message').from).toEqual([{ kind: 'email', value: 'luis@mail.example' }])
})

test('machines and lists', async () => {
  const absence = await parse(
    'From: a@b.example\nSubject: Re: x\nAuto-Submitted: auto-replied\n\nEstoy fuera',
  )
  expect(getOnly(absence, 'message').nature).toBe('auto_reply')
  const list = 'From: a@b.example\nList-Id: <l.b.example>\nMessage-ID: <1@b>\n'
  expect(getOnly(await parse(`${list}\nOfertas`), 'ignored').what).toBe('A newsletter or a mailing list.')
  const answer = getOnly(await parse(`${list}In-Reply-To: <m.1@agency.example>\n\nSí`), 'message')
  expect(answer.nature).toBe('auto_reply')
})

test('the account itself: echoes belong to the person, copies of our messages prove that they were sent', async () => {
  const proven = 'Authentication-Results: mx.agency.example; dmarc=pass\n'
  const echo = getOnly(
    await parse(
      `${proven}From: Ana@Agency.example\nTo: ana@agency.example, Marta <marta@mail.example>\nMessage-ID: <1@a>\n\nHola`,
    ),
    'message',
  )
  expect(echo).toMatchObject({ isEcho: true, from: [{ value: 'marta@mail.example' }], profileName: null })
  const sent = await parse(
    'From: ana@agency.example\nTo: marta@mail.example\nMessage-ID: <m.019a0000-0000-7000-8000-000000000001@agency.example>\n\nHola',
  )
  expect(getOnly(sent, 'status')).toMatchObject({
    status: 'sent',
    messageId: '019a0000-0000-7000-8000-000000000001',
    to: [{ value: 'marta@mail.example' }],
  })
  getOnly(await parse(`${proven}From: ana@agency.example\nTo: ana@agency.example\n\nNota`), 'ignored')
  const forged = await parse(
    'Authentication-Results: mx.agency.example; spf=fail; dmarc=fail\nFrom: ana@agency.example\nTo: marta@mail.example\n\nPague aquí',
  )
  expect(getOnly(forged, 'ignored').what).toBe('The message pretends to be from this account.')
  for (const results of [
    '',
    'Authentication-Results: mx.agency.example; spf=pass; dkim=pass; dmarc=none\n',
  ]) {
    const unproven = await parse(`${results}From: ana@agency.example\nTo: marta@mail.example\n\nPague aquí`)
    expect(getOnly(unproven, 'ignored').what).toBe('Nothing proves that the message is from this account.')
  }
})

test('only the report of the receiving server is believed', async () => {
  const read = async (headers: string, host = 'imap.agency.example') =>
    getOnly(await parse(`${headers}\nFrom: a@b.example\nMessage-ID: <1@b>\n\nHola`, { host }), 'message')
      .email!.authentication
  const none = { spf: null, dkim: null, dmarc: null }
  expect(
    await read(
      'Received: from evil by mx.agency.example\nAuthentication-Results: evil.example; spf=pass; dkim=pass',
    ),
  ).toEqual(none)
  expect(
    await read(
      'Authentication-Results: mx.agency.example; spf=fail\nReceived: from evil by mx.agency.example\nAuthentication-Results: mx.agency.example; spf=pass; dmarc=pass',
    ),
  ).toEqual({ spf: 'fail', dkim: null, dmarc: null })
  expect(
    await read(
      'Received: by 2002:a05:6000:1 with SMTP id x\nAuthentication-Results: mx.google.com;\n dkim=fail header.i=@x; dkim=pass header.i=@b.example;\n spf=softfail (google.com) smtp.mailfrom=a@b.example; dmarc=none',
      'imap.gmail.com',
    ),
  ).toEqual({ spf: 'softfail', dkim: 'pass', dmarc: 'none' })
  const microsoft =
    'Authentication-Results: spf=pass (sender IP is 192.0.2.1); dkim=none; dmarc=bestguesspass action=none'
  expect(await read(microsoft, 'outlook.office365.com')).toEqual({
    spf: 'pass',
    dkim: 'none',
    dmarc: 'bestguesspass',
  })
  expect(await read(microsoft)).toEqual(none)
  expect(
    await read(
      'Authentication-Results: dmarc.icloud.com; dmarc=pass\nAuthentication-Results: dkim-verifier.icloud.com; dkim=pass',
      'imap.mail.me.com',
    ),
  ).toEqual({ spf: null, dkim: 'pass', dmarc: 'pass' })
})

test.each(['', 'STOP\n\nSent from my iPhone'])(
  'a mail with the subject STOP and the text %j says STOP',
  async text => {
    const mail = `From: marta@mail.example
To: ana@agency.example
Subject: STOP
Message-ID: <u@mail.example>
Date: Thu, 26 Nov 2026 05:00:00 +0100

${text}
`
    expect(getOnly(await parse(mail), 'message').content).toEqual({ kind: 'text', text: 'STOP' })
  },
)
