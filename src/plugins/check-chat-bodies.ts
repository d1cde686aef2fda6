/** Checks how a chat provider receives: only its own requests, and any bytes without throwing. */
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatProvider, ChatWebhook } from './chat.ts'
import { isTrue, listBrokenRules, type Rule } from './rules.ts'

type Credentials = Record<string, unknown>

/** A body of 3 MB can have 10,000; a further one says that there are more. */
const eventsMax = 10_001
const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
const eventTypes = [
  'message',
  'reaction',
  'edited',
  'deleted',
  'marketing_preference',
  'identity_changed',
  'status',
  'template_status',
  'account_status',
  'ignored',
  'unreadable',
]
const signedBody = Buffer.from('{"events":[],"update_id":1,"entry":[]}')

/** One sentence per problem. */
export async function checkChatBodies(
  { webhook, mailbox }: ChatProvider,
  credentials: Credentials,
  bodies: Buffer[],
): Promise<string[]> {
  const hostile = [...hostileBodies, ...bodies.flatMap(damage)]
  return [
    ...(webhook ? listBrokenRules(toWebhookRules(webhook, credentials), webhook) : []),
    ...(webhook
      ? await checkParse('webhook.parse', async body => webhook.parse(body, receivedAt, 'account'), hostile)
      : []),
    ...(mailbox ? await checkParse('mailbox.parse', body => mailbox.parse(body), hostile) : []),
  ]
}

function toWebhookRules(webhook: ChatWebhook<Credentials>, credentials: Credentials) {
  const accepts = (header: IncomingHttpHeaders[string], verifyToken: string, own: Credentials) =>
    webhook.verify({ headers: anyHeader(header), body: signedBody }, { credentials: own, verifyToken })
  const rules: Rule<ChatWebhook<Credentials>>[] = [
    [
      '`webhook.verify` must refuse a request without a signature or with a wrong one, and not throw',
      () => wrongHeaders.every(header => accepts(header, 'the token of the account', credentials) === false),
    ],
    [
      '`webhook.verify` must refuse every request if its secrets are empty, and not throw',
      () =>
        [...wrongHeaders, ...emptyKeyHeaders].every(
          header => accepts(header, '', emptyTexts(credentials)) === false,
        ),
    ],
    [
      '`webhook.challenge` must be null for a wrong or empty token, and not throw',
      ({ challenge }) =>
        !challenge ||
        [
          ['wrong', 'right'],
          ['', ''],
          ['', 'right'],
          ['right', ''],
        ].every(
          ([sent, own]) =>
            challenge(
              new URLSearchParams({
                'hub.mode': 'subscribe',
                'hub.verify_token': sent!,
                'hub.challenge': '1158201444',
              }),
              own!,
            ) === null,
        ),
    ],
    [
      '`webhook.challenge` must be null for a query without parameters',
      ({ challenge }) => !challenge || challenge(new URLSearchParams(), 'right') === null,
    ],
  ]
  return rules
}

const zeros = '0'.repeat(64)
const wrongHeaders: IncomingHttpHeaders[string][] = [
  undefined,
  '',
  'sha256=',
  `sha256=${zeros}`,
  zeros,
  'ñ'.repeat(1000),
  ['sha256=', `sha256=${zeros}`],
]
const emptyHmac = createHmac('sha256', '').update(signedBody)
const emptyHex = emptyHmac.digest('hex')
const emptyKeyHeaders = [`sha256=${emptyHex}`, emptyHex, Buffer.from(emptyHex, 'hex').toString('base64')]

/** Headers in which every name has this value. */
function anyHeader(value: IncomingHttpHeaders[string]): IncomingHttpHeaders {
  return new Proxy({}, { get: () => value, has: () => value !== undefined })
}

/** The same object with empty strings in place of all strings. */
function emptyTexts(value: unknown): Credentials {
  return JSON.parse(JSON.stringify(value, (_key, part) => (typeof part === 'string' ? '' : part)))
}

async function checkParse(
  name: string,
  parse: (body: Buffer) => Promise<unknown>,
  bodies: Buffer[],
): Promise<string[]> {
  let isThrown = false
  let isOversize = false
  let isMalformed = false
  for (const body of bodies) {
    try {
      const events = await parse(Buffer.from(body))
      if (!Array.isArray(events) || !isTrue(() => events.slice(0, eventsMax).every(isEvent)))
        isMalformed = true
      else if (events.length > eventsMax) isOversize = true
    } catch {
      isThrown = true
    }
  }
  return [
    ...(isThrown ? [`\`${name}\` must not throw, whatever the body is`] : []),
    ...(isMalformed
      ? [
          `\`${name}\` must return an array of events, each with a known type and a Temporal.Instant as \`at\``,
        ]
      : []),
    ...(isOversize ? [`\`${name}\` must return at most ${eventsMax} events`] : []),
  ]
}

function isEvent({ type, at, externalId }: { type?: unknown; at?: unknown; externalId?: unknown }): boolean {
  return (
    eventTypes.includes(type as string) &&
    at instanceof Temporal.Instant &&
    (externalId === null || typeof externalId === 'string')
  )
}

const many = (item: string) => `[${Array(20_000).fill(item).join(',')}]`
const hostileBodies = [
  '',
  'null',
  'true',
  '1e999',
  '"text"',
  '[]',
  '{}',
  '{',
  '[null]',
  '{"__proto__":{"events":[1]}}',
  '['.repeat(200_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  many('null'),
  many('{}'),
  '{"events":null,"entry":null,"message":null,"update_id":null}',
  '{"events":[null],"entry":[null],"message":[null],"update_id":{}}',
  '{"entry":[{"changes":[null,1,{"value":null},{"field":"messages","value":{"messages":[null,{"id":1}]}}]}]}',
  `{"entry":${many('{"changes":[{"field":"messages","value":{"messages":[{}]}}]}')}}`,
  '{"update_id":1,"message":{"message_id":1,"date":1e18,"chat":{"id":1,"type":"private"},"from":{"id":1}}}',
  '\u0000\u0001'.repeat(1000),
  `From: ${'<'.repeat(10_000)}\r\n`,
  `Subject: =?utf-8?q?${'=00'.repeat(1000)}?=\r\nDate: never\r\n\r\n`,
  `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n\r\n'.repeat(5000)}`,
]
  .map(text => Buffer.from(text))
  .concat(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]))

/** Parts of a body, and the body with other values in place of its own. */
function damage(body: Buffer): Buffer[] {
  const text = body.toString()
  const cuts = [0.25, 0.5, 0.75].map(part => body.subarray(0, Math.floor(body.length * part)))
  const swaps = ['null', '[]', '{}', '""', '-1', '1e300', '"\\u0000"'].flatMap(value => [
    Buffer.from(text.replaceAll(/"[^"\\]*"(?!\s*:)/g, value)),
    Buffer.from(text.replaceAll(/(?<=:\s*)\d+(?=[,}\]])/g, value)),
  ])
  const parsed = isTrue(() => JSON.parse(text) !== null) ? (JSON.parse(text) as unknown) : null
  return [body, ...cuts, ...swaps, ...listReplacements(parsed)]
}

const replacementsMax = 300

/** The value with null, a list and a text in place of one of its parts, for each part. */
function listReplacements(root: unknown): Buffer[] {
  const bodies: Buffer[] = []
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const fields = part as Record<string, unknown>
    for (const key of Object.keys(fields)) {
      if (bodies.length >= replacementsMax) return
      const own = fields[key]
      for (const other of [null, [{}], 'x']) {
        fields[key] = other
        bodies.push(Buffer.from(JSON.stringify(root)))
      }
      fields[key] = own
      visit(own)
    }
  }
  visit(root)
  return bodies
}
