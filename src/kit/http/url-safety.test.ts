/**
 * Lists of malicious URLs. The guarded HTTP client refuses each of them, or resolves its public name, and never
 * connects to the internal network.
 */
import net, { BlockList, isIP } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { requestBounds, serve, toOutcome } from '../../../test/faulty-server.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { createHttpClient, type Resolve } from './client.ts'

const fixture = (name: string) => readShared(`fixtures/url-safety/${name}`)

const privateV4 = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '168.63.129.16',
  '0.0.0.0',
]
const privateV6 = ['::1', '::', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1']
const privateAddresses = [...privateV4, ...privateV6]

const createBlockList = (family: 'ipv4' | 'ipv6', blocks: [network: string, bits: number][]) => {
  const list = new BlockList()
  for (const [network, bits] of blocks) list.addSubnet(network, bits, family)
  return list
}
/** Addresses inside the network, independent of the client's own list. */
const privateRanges = {
  ipv4: createBlockList('ipv4', [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['168.63.129.16', 32],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['224.0.0.0', 3],
  ]),
  // Everything outside the global unicast block, and IPv4 embedded in IPv6.
  ipv6: createBlockList('ipv6', [
    ['::', 3],
    ['4000::', 2],
    ['8000::', 1],
    ['2001::', 32],
    ['2002::', 16],
  ]),
}
const isInside = (address: string) => {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  return privateRanges[family].check(address, family)
}

/** Until the test ends every name resolves to addresses inside the network, and every connection is recorded. */
function watchConnections() {
  let requested = 0
  const resolve = vi.fn<Resolve>(async () => {
    const address = privateAddresses[requested++ % privateAddresses.length]!
    return [{ address, family: isIP(address) }]
  })
  const attempts: string[] = []
  const { connect } = net.Socket.prototype
  const connecting = vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
    this: net.Socket,
    ...args: unknown[]
  ) {
    this.on('connectionAttempt', (address, port) => attempts.push(`${address} ${port}`))
    return connect.apply(this, args as never)
  } as never)
  onTestFinished(() => connecting.mockRestore())
  return { resolve, attempts, names: () => new Set(resolve.mock.calls.map(([name]) => name)) }
}

/** Requests all URLs except literal public addresses. */
async function fetchAll(urls: Iterable<string>) {
  const { resolve, attempts, names } = watchConnections()
  const client = createHttpClient({ reach: 'public', resolve })
  onTestFinished(() => client.close())
  const failures: unknown[] = []
  const publicHosts = new Set<string>()
  await Promise.all(
    [...new Set(urls)].map(async url => {
      const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      if (isIP(host) && client.findUrlRefusal(url) === null) {
        if (isInside(host)) failures.push([url, host])
        publicHosts.add(host)
        return
      }
      const outcome = await toOutcome(client.fetch(url, requestBounds))
      if (outcome !== 'address-refused') failures.push([url, outcome])
    }),
  )
  expect(failures).toEqual([])
  expect(attempts).toEqual([])
  return { names: names(), publicHosts: [...publicHosts].sort() }
}

it('records a connection if there is one', async () => {
  const { port } = await serve((_request, reply) => reply.end())
  const { resolve, attempts } = watchConnections()
  const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'], resolve })
  onTestFinished(() => client.close())
  await client.fetch(`http://127.0.0.1:${port}/`, requestBounds)
  await client.fetch(`http://inside.example:${port}/`, requestBounds)
  expect(attempts).toEqual([`127.0.0.1 ${port}`, `127.0.0.1 ${port}`])
})

it('refuses addresses of the internal network in every spelling, and every name that resolves to one', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.000.000.001',
    '0',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:a00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '100.100.100.200',
    '255.255.255.255',
    '224.0.0.1',
    'localhost',
    'LOCALHOST.',
    'inside.example',
    'a.b.inside.example',
    '127.0.0.1.inside.example',
    'xn--80ak6aa92e.example',
    'ｉｎｓｉｄｅ.example',
    'inside.example:8080',
    'user:pass@127.0.0.1',
    'public.example@127.0.0.1',
    '127.0.0.1#@public.example',
    'public.example\\@127.0.0.1',
    '127.0.0.1\\@public.example',
    '127.0.0.1\t',
    '[::1%25eth0]',
    '[::1',
    '256.256.256.256',
  ]
  const others = [
    'file:///etc/passwd',
    'ftp://inside.example/',
    'gopher://127.0.0.1:70/',
    'data:,x',
    '//127.0.0.1/',
    'http:',
    '',
  ]
  const urls = hosts.flatMap(host => [`http://${host}/`, `https://${host}/x?y#z`])
  const { names, publicHosts } = await fetchAll([...urls, ...others])
  expect(names.size).toBeGreaterThanOrEqual(6)
  expect(publicHosts).toEqual([])
})

describeShared('collected lists of malicious URLs', () => {
  it('refuses the addresses that a filter must refuse', async () => {
    const urls: string[] = JSON.parse(fixture('blocked-urls.json'))
    expect(urls.length).toBeGreaterThanOrEqual(49)
    const { names, publicHosts } = await fetchAll(urls)
    expect(names.size).toBeGreaterThanOrEqual(6)
    expect(publicHosts).toEqual([])
  })

  it('withstands the known ways around a filter', async () => {
    const text = fixture('ssrf-bypasses.md')
    // Only text marked as code is an attack; links are references.
    const code = [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
      ([, block, span]) => block ?? span!,
    )
    const lines = code.flatMap(part => part.split('\n')).map(line => line.trim())
    // Some contain spaces, others are surrounded by words.
    const urls = lines.flatMap(line => [line, ...(line.match(/[a-z0-9+.-]*:[^\s"']+/gi) ?? [])])
    expect(new Set(urls).size).toBeGreaterThanOrEqual(139)
    const { names, publicHosts } = await fetchAll(urls)
    expect(names.size).toBeGreaterThanOrEqual(8)
    expect(publicHosts).toEqual(['1.1.1.1'])
  })

  it('withstands URLs that parsers read in different ways', async () => {
    const entries: (string | { input: string; base: string | null })[] = JSON.parse(
      fixture('wpt-urltestdata.json'),
    )
    const cases = entries.filter(entry => typeof entry === 'object')
    expect(cases.length).toBeGreaterThanOrEqual(888)
    const resolved = cases.map(({ input, base }) => URL.parse(input, base ?? undefined)?.href ?? input)
    const { names, publicHosts } = await fetchAll([...cases.map(({ input }) => input), ...resolved])
    expect(names.size).toBeGreaterThanOrEqual(36)
    expect(publicHosts).toEqual(['1.2.3.4', '59.154.201.255'])
  })

  it('withstands URLs with an unusual normal form', async () => {
    const lines = fixture('weird-to-normalized-urls.csv')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
    expect(lines.length).toBeGreaterThanOrEqual(112)
    // Two URLs per line, some of which contain commas.
    const pairs = lines.map(line => line.split(/, ?(?=\w+:)/))
    expect(pairs.filter(({ length }) => length !== 2)).toEqual([])
    const { names, publicHosts } = await fetchAll(pairs.flat())
    expect(names.size).toBeGreaterThanOrEqual(13)
    expect(publicHosts).toEqual([])
  })

  it('withstands names in other scripts', async () => {
    const cases: { decoded: string; encoded: string }[] = JSON.parse(fixture('punycode-tests.json'))
    expect(cases.length).toBeGreaterThanOrEqual(25)
    expect(cases.filter(({ decoded }) => typeof decoded !== 'string')).toEqual([])
    const hosts = cases.flatMap(({ decoded, encoded }) => [decoded, encoded, `xn--${encoded}`])
    const urls = hosts.flatMap(host => [
      `http://${host}/`,
      `https://${host}.example:8080/`,
      `http://a.${host}`,
    ])
    const { names } = await fetchAll(urls)
    expect(names.size).toBeGreaterThanOrEqual(140)
    expect([...names].filter(name => /[^\x21-\x7e]/.test(name))).toEqual([])
  })
})
