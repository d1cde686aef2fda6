/** What the guarded HTTP client refuses to call: whatever leads into the deployment's own network. */
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, BlockList, isIP } from 'node:net'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHttpClient, HttpFailure, type HttpRequest } from './client.ts'

const lookup = vi.spyOn(dns, 'lookup')

type Callback = (error: Error | null, addresses?: { address: string; family: number }[]) => void

/** What names resolve to, one answer per question; the last one stands. */
function resolveTo(...answers: string[][]): void {
  let asked = 0
  lookup.mockImplementation(((_name: string, _options: object, callback: Callback) => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!
    callback(
      null,
      answer.map(address => ({ address, family: isIP(address) })),
    )
  }) as never)
}

const publicClient = createHttpClient({ reach: 'public' })
const loopbackClient = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(async () => {
  lookup.mockRestore()
  await Promise.all([publicClient.close(), loopbackClient.close()])
})
beforeEach(() => {
  lookup.mockReset()
  resolveTo(['127.0.0.1'])
})

const bounds: HttpRequest = { timeoutMs: 2000, bodyMaxBytes: 1000 }
const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    reply => ({ reply }),
    error => (error instanceof HttpFailure ? error.kind : error),
  )

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../shared/fixtures/url-safety/${name}`, import.meta.url), 'utf8')
const blockedUrls: string[] = JSON.parse(fixture('blocked-urls.json'))
const bypasses = [
  ...fixture('ssrf-bypasses.md').matchAll(
    /\b(?:https?|gopher|dict|ftp|file|ldap|sftp|tftp|netdoc|jar):[^\s`"')\]]+(?:\]\S*)?/g,
  ),
].map(match => match[0])

/** Told apart from the client's own list: what every operator must be able to count on. */
const inside = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
]) {
  const [network, bits] = range.split('/') as [string, string]
  inside.addSubnet(network, Number(bits), 'ipv4')
}

describe('an address inside a network', () => {
  it.each([...new Set(blockedUrls)])('is refused, names resolving to loopback: %s', async url => {
    expect(await failureOf(publicClient.fetch(url, bounds))).toBe('address-refused')
  })

  it('is not reached by any of the known ways around a filter', async () => {
    expect(bypasses.length).toBeGreaterThan(80)
    for (const url of bypasses) {
      const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      // A public address is none of our business, and is not to be called by a test.
      if (isIP(host) === 4 && publicClient.refusal(url) === null) {
        expect(inside.check(host), url).toBe(false)
        continue
      }
      expect(await failureOf(publicClient.fetch(url, bounds)), url).toBe('address-refused')
    }
  })

  it.each([
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[100::1]/',
    'http://[5f00::1]/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://192.0.0.8/',
    'http://198.18.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://100.100.100.200/',
    'http://169.254.169.254/latest/meta-data/',
  ])('is refused without asking anybody: %s', async url => {
    expect(publicClient.refusal(url)).toContain('private network')
    expect(await failureOf(publicClient.fetch(url, bounds))).toBe('address-refused')
    expect(lookup).not.toHaveBeenCalled()
  })

  it.each([
    'ftp://crm.example/',
    'file:///etc/passwd',
    'crm.example',
    '//crm.example/',
    'http://',
    '',
    'javascript:alert(1)',
  ])('is refused if it is no http address at all: %j', async url => {
    expect(publicClient.refusal(url)).toBe('it is not an http or https address')
    expect(await failureOf(publicClient.fetch(url, bounds))).toBe('address-refused')
  })

  it('is refused if it holds credentials', () => {
    expect(publicClient.refusal('https://user:password@crm.example/')).toBe('it holds credentials')
    expect(publicClient.refusal('https://user@crm.example/')).toBe('it holds credentials')
  })

  it.each(['https://crm.example/', 'http://93.184.216.34/', 'http://[2606:2800:220:1:248:1893:25c8:1946]/'])(
    'is none: %s',
    url => {
      expect(publicClient.refusal(url)).toBeNull()
    },
  )
})

describe('a name', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['93.184.216.34', '10.0.0.1']],
    [['2606:2800:220:1:248:1893:25c8:1946', '::ffff:192.168.0.1']],
    [['169.254.169.254']],
  ])('is refused if one of its addresses is inside a network: %j', async addresses => {
    resolveTo(addresses)
    expect(await failureOf(publicClient.fetch('http://crm.example/', bounds))).toBe('address-refused')
  })

  it('is asked for once: the address that was checked is the one connected to', async () => {
    const hosts: (string | undefined)[] = []
    const server = createServer((request, reply) => {
      hosts.push(request.headers.host)
      reply.end('hello')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    resolveTo(['127.0.0.1'], ['10.0.0.1'])
    const reply = await loopbackClient.fetch(`http://rebinding.example:${port}/`, bounds)
    expect(reply).toMatchObject({ status: 200, body: Buffer.from('hello') })
    expect(lookup.mock.calls.filter(([name]) => name === 'rebinding.example')).toHaveLength(1)
    expect(hosts).toEqual([`rebinding.example:${port}`])
  })

  it('that nobody knows is told as unreachable', async () => {
    lookup.mockImplementation(((_name: string, _options: object, callback: Callback) =>
      callback(
        Object.assign(new Error('getaddrinfo ENOTFOUND crm.example'), { code: 'ENOTFOUND' }),
      )) as never)
    expect(await failureOf(publicClient.fetch('http://crm.example/', bounds))).toBe('unreachable')
  })
})

describe('a range that the operator allows', () => {
  it.each([
    ['10.0.0.0/8', 'http://10.1.2.3/', true],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/', true],
    ['10.0.0.0/8', 'http://11.1.2.3/', true],
    ['10.0.0.0/8', 'http://127.0.0.1/', false],
    ['10.0.0.0/8', 'http://[fd00::1]/', false],
    ['fd00::/8', 'http://[fd00::1]/', true],
    ['fd00::/8', 'http://10.1.2.3/', false],
    ['127.0.0.1/32', 'http://127.0.0.2/', false],
  ])('%s: %s may be called: %s', (range, url, allowed) => {
    const client = createHttpClient({ reach: 'public', allowedPrivateRanges: [range] })
    expect(client.refusal(url) === null).toBe(allowed)
  })

  it('does not limit a client for addresses that the operator gave', () => {
    expect(createHttpClient({ reach: 'any' }).refusal('http://10.1.2.3/')).toBeNull()
    expect(createHttpClient({ reach: 'any' }).refusal('ftp://10.1.2.3/')).not.toBeNull()
  })
})
