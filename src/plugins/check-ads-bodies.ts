/** Checks the webhook of an ad network: only its own requests, and any bytes without throwing. */
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AdNetwork, AdNotice } from './ads.ts'
import { buildExample } from './check-credentials.ts'
import { isTrue, listBrokenRules, type Rule } from './rules.ts'

const noticesMax = 2000
const signedBody = Buffer.from('{"object":"page","entry":[]}')

/** One sentence per problem. `bodies`: real ones, which are also damaged. */
export function checkAdsBodies(network: AdNetwork, bodies: Buffer[]): string[] {
  const { parse } = network.webhook
  const read = (body: Buffer) => {
    const notices = parse(Buffer.from(body))
    return notices === null || (notices.length <= noticesMax && notices.every(isNotice))
  }
  const hostile = [...hostileBodies, ...bodies.flatMap(damage)]
  return [
    ...listBrokenRules(toRules(network), network),
    ...(hostile.every(body => isTrue(() => read(body)))
      ? []
      : [`\`webhook.parse\` must return at most ${noticesMax} valid notices or null, whatever the body is`]),
    ...(bodies.every(body => isTrue(() => parse(body)!.length > 0))
      ? []
      : ['`webhook.parse` must read the bodies of the trial']),
  ]
}

const toQuery = (token: string) =>
  new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' })

function toRules({ credentials: schema }: AdNetwork): Rule<AdNetwork>[] {
  const credentials = buildExample(schema)
  const empty = Object.fromEntries(Object.keys(credentials).map(name => [name, '']))
  const emptyHex = createHmac('sha256', '').update(signedBody).digest('hex')
  const accepts = ({ webhook }: AdNetwork, header: IncomingHttpHeaders[string], own: object) =>
    webhook.verify({ headers: anyHeader(header), body: signedBody }, { credentials: own as never })
  return [
    [
      '`webhook.verify` must refuse a request without a signature or with a wrong one, and not throw',
      network => wrongHeaders.every(header => accepts(network, header, credentials) === false),
    ],
    [
      '`webhook.verify` must refuse every request if its secrets are empty, and not throw',
      network =>
        [...wrongHeaders, `sha256=${emptyHex}`].every(header => accepts(network, header, empty) === false),
    ],
    [
      '`webhook.challenge` must be null for a wrong or empty token, and not throw',
      ({ webhook }) =>
        [
          ['wrong', 'right'],
          ['', ''],
          ['', 'right'],
          ['right', ''],
        ].every(([sent, own]) => webhook.challenge(toQuery(sent!), own!) === null),
    ],
    [
      '`webhook.challenge` must be null for a query without parameters',
      ({ webhook }) => webhook.challenge(new URLSearchParams(), 'right') === null,
    ],
  ]
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

/** Headers in which every name has this value. */
const anyHeader = (value: IncomingHttpHeaders[string]): IncomingHttpHeaders =>
  new Proxy({}, { get: () => value, has: () => value !== undefined })

const isNotice = ({ pageId, formId, leadId, content }: AdNotice): boolean =>
  [pageId, formId, leadId].every(id => typeof id === 'string' && id !== '' && id.length <= 200) &&
  (content === null || typeof content === 'string')

const change = (value: unknown) => ({ field: 'leadgen', value })
const ids = { page_id: '1', form_id: '2', leadgen_id: '3' }
const toBody = (value: unknown) => Buffer.from(JSON.stringify(value))

const hostileBodies: Buffer[] = [
  Buffer.alloc(0),
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from('null'),
  Buffer.from('[]'),
  Buffer.from('[[[['.repeat(10_000)),
  Buffer.from('{"object":"page","entry":'.repeat(5000)),
  toBody({ object: 'page', entry: {} }),
  toBody({ object: 'page', entry: [null, 7, 'a', [], { changes: 'a' }, { changes: [null, 7, {}] }] }),
  toBody({
    object: 'page',
    entry: [{ id: {}, changes: [change(null), change([]), change('a'), change({})] }],
  }),
  toBody({ object: 'page', entry: [{ changes: [change({ ...ids, leadgen_id: '../../me' })] }] }),
  toBody({ object: 'page', entry: [{ changes: [change({ ...ids, leadgen_id: '9'.repeat(10_000) })] }] }),
  toBody({ object: 'page', entry: [{ changes: [change({ ...ids, form_id: { toString: 1 } })] }] }),
  toBody({ object: 'page', entry: Array.from({ length: 5000 }, () => ({ changes: [change(ids)] })) }),
]

/** Cut and changed at many places. */
function damage(body: Buffer): Buffer[] {
  const text = body.toString('latin1')
  const step = Math.max(1, Math.floor(text.length / 100))
  const places = Array.from({ length: Math.ceil(text.length / step) }, (_, index) => index * step)
  return places.flatMap(at => [
    Buffer.from(text.slice(0, at), 'latin1'),
    Buffer.from(`${text.slice(0, at)}[${text.slice(at + 1)}`, 'latin1'),
    Buffer.from(`${text.slice(0, at)}9${text.slice(at + 1)}`, 'latin1'),
  ])
}
