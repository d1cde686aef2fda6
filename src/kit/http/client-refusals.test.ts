/** The guarded HTTP client refuses addresses inside the deployment's own network. */
import { createServer } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHttpClient, HttpFailure, type HttpRequest, type Resolve } from './client.ts'

const resolve = vi.fn<Resolve>()

/** Sets the results of DNS lookups in order; the last one repeats. */
function resolveTo(...results: string[][]): void {
  let lookups = 0
  resolve.mockImplementation(async () => {
    const answer = results[Math.min(lookups++, results.length - 1)]!
    return answer.map(address => ({ address, family: isIP(address) }))
  })
}

const unknownName: Resolve = async name => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}

const publicClient = createHttpClient({ reach: 'public', resolve })
const loopbackClient = createHttpClient({
  reach: 'public',
  allowedPrivateRanges: ['127.0.0.1/32'],
  resolve,
})
afterAll(() => Promise.all([publicClient.close(), loopbackClient.close()]))
beforeEach(() => {
  resolve.mockReset()
  resolveTo(['127.0.0.1'])
})

const bounds: HttpRequest = { timeoutMs: 2000, bodyMaxBytes: 1000 }
const toFailure = (request: Promise<unknown>) =>
  request.then(
    reply => ({ reply }),
    error => (error instanceof HttpFailure ? error.kind : error),
  )

describe('an address', () => {
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
    'http://１２７．０．０．１/',
    'http://127.0.0.%31/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.01/',
    'http://017700000001/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'http://127.0.0.1\\@crm.example/',
    'http://192.0.0.8/',
    'http://198.18.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[3fff::1]/',
    'http://[2620:4f:8000::1]/',
    'http://192.31.196.1/',
    'http://192.52.193.1/',
    'http://192.175.48.1/',
  ])('is refused without a DNS lookup if it is inside a network: %s', async url => {
    expect(publicClient.findUrlRefusal(url)).toContain('private network')
    expect(await publicClient.findHostRefusal(url, { timeoutMs: 2000 })).toContain('private network')
    expect(await toFailure(publicClient.fetch(url, bounds))).toBe('address-refused')
    expect(resolve).not.toHaveBeenCalled()
  })

  it.each([
    ['Alibaba Cloud', 'http://100.100.100.200/latest/meta-data/'],
    ['AWS, Azure, Google Cloud and others', 'http://169.254.169.254/latest/meta-data/'],
    ['AWS over IPv6', 'http://[fd00:ec2::254]/latest/meta-data/'],
    ['Amazon ECS', 'http://169.254.170.2/v2/credentials/'],
    ['Amazon EKS', 'http://169.254.170.23/v1/credentials'],
    ['Amazon EKS over IPv6', 'http://[fd00:ec2::23]/v1/credentials'],
    ['Azure', 'http://168.63.129.16/machine?comp=goalstate'],
    ['Azure, its port', 'http://168.63.129.16:32526/vmSettings'],
    ['Azure, as a number', 'http://2822734096/'],
    ['Azure, as IPv6', 'http://[::ffff:168.63.129.16]/'],
    ['Google Cloud over IPv6', 'http://[fd20:ce::254]/computeMetadata/v1/'],
    ['Google APIs, restricted', 'https://199.36.153.7/'],
    ['Google APIs, private', 'https://199.36.153.8/'],
    ['Google APIs over IPv6', 'https://[2600:2d00:2:2000::]/'],
    ['Google Kubernetes Engine', 'https://34.118.224.1/api'],
    ['IBM Cloud', 'http://161.26.0.10/'],
    ['IBM Cloud, private endpoints', 'https://166.9.48.10/'],
    ['Kubernetes', 'https://10.96.0.1/api'],
    ['Oracle Cloud', 'http://192.0.0.192/latest/'],
    ['Scaleway', 'http://169.254.42.42/conf'],
    ['Tencent Cloud', 'http://169.254.0.23/latest/meta-data/'],
  ])('is refused where a cloud offers its services: %s', async (_cloud, url) => {
    expect(publicClient.findUrlRefusal(url)).toContain('private network')
    expect(await toFailure(publicClient.fetch(url, bounds))).toBe('address-refused')
    expect(resolve).not.toHaveBeenCalled()
  })

  it('is public just outside the ranges of the clouds', () => {
    const addresses = ['168.63.129.15', '168.63.129.17', '199.36.153.3', '199.36.153.12', '34.118.223.255']
    for (const address of [...addresses, '34.118.240.0', '161.27.0.0', '166.12.0.0', '[2600:2d00:2:3000::]'])
      expect(publicClient.findUrlRefusal(`http://${address}/`), address).toBeNull()
  })

  it.each([
    'ftp://crm.example/',
    'file:///etc/passwd',
    'crm.example',
    '//crm.example/',
    // Arabic-Indic digits, which URL parsers do not accept in addresses.
    'http://١٢٧.٠.٠.١/',
    'http://',
    '',
    'javascript:alert(1)',
    // URLs cannot contain zone identifiers.
    'http://[fe80::1%25eth0]/',
    'http://[::1%25lo]/',
    'http://crm.example:65536/',
  ])('is refused if it is not an HTTP URL: %j', async url => {
    expect(publicClient.findUrlRefusal(url)).toBe('it is not an http or https URL')
    expect(await toFailure(publicClient.fetch(url, bounds))).toBe('address-refused')
  })

  it('is refused if it contains credentials', () => {
    expect(publicClient.findUrlRefusal('https://user:password@crm.example/')).toBe('it contains credentials')
    expect(publicClient.findUrlRefusal('https://user@crm.example/')).toBe('it contains credentials')
  })

  it.each(['https://crm.example/', 'http://93.184.216.34/', 'http://[2606:2800:220:1:248:1893:25c8:1946]/'])(
    'is accepted if it is public: %s',
    url => {
      expect(publicClient.findUrlRefusal(url)).toBeNull()
    },
  )
})

describe('a port', () => {
  it.each([
    [0, 21, 22, 25, 79, 81, 110, 442, 444, 587, 993, 1023],
    [1719, 2049, 5060, 5061, 6000, 6665, 6669, 6697, 10_080],
  ])('is refused if it belongs to another service: %i and others', async (...ports) => {
    for (const port of ports)
      for (const host of ['crm.example', '93.184.216.34', '[2606:2800:220:1:248:1893:25c8:1946]']) {
        const url = `https://${host}:${port}/`
        expect(publicClient.findUrlRefusal(url)).toBe(`port ${port} is not allowed for HTTP`)
        expect(await toFailure(publicClient.fetch(url, bounds))).toBe('address-refused')
      }
    expect(resolve).not.toHaveBeenCalled()
  })

  it('is accepted otherwise', () => {
    for (const port of [80, 443, 1024, 3000, 8080, 8443, 10_081, 65_535])
      for (const scheme of ['http', 'https'])
        expect(publicClient.findUrlRefusal(`${scheme}://crm.example:${port}/`)).toBeNull()
  })
})

describe('a name', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['93.184.216.34', '10.0.0.1']],
    [['2606:2800:220:1:248:1893:25c8:1946', '::ffff:192.168.0.1']],
    [['169.254.169.254']],
    [['::ffff:127.0.0.1']],
    [['::ffff:7f00:1']],
    [['::127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['fd00::1']],
    [['fe80::1%lo']],
    [['93.184.216.34', 'no address']],
    [['168.63.129.16']],
  ])('is refused if one of its addresses is inside a network: %j', async addresses => {
    resolveTo(addresses)
    expect(await publicClient.findHostRefusal('http://crm.example/', { timeoutMs: 2000 })).toBe(
      'crm.example is inside a private network; the operator may allow it with ALLOWED_PRIVATE_RANGES',
    )
    expect(await toFailure(publicClient.fetch('http://crm.example/', bounds))).toBe('address-refused')
  })

  it.each(['localhost', 'localhost.', '127.0.0.1.nip.io', '127.0.0.1..', '0x7f.0.0.0x7g'])(
    'is judged by its resolved address, not by its spelling: %s',
    async name => {
      expect(publicClient.findUrlRefusal(`http://${name}/`)).toBeNull()
      expect(await toFailure(publicClient.fetch(`http://${name}/`, bounds))).toBe('address-refused')
      expect(resolve).toHaveBeenCalledOnce()
    },
  )

  it('is resolved once: the client connects to the address that it checked', async () => {
    const hosts: (string | undefined)[] = []
    const server = createServer((request, reply) => {
      hosts.push(request.headers.host)
      reply.setHeader('connection', 'close').end('hello')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    resolveTo(['127.0.0.1'], ['10.0.0.1'])
    const reply = await loopbackClient.fetch(`http://rebinding.example:${port}/`, bounds)
    expect(reply).toMatchObject({ status: 200, body: Buffer.from('hello') })
    const listLookups = () => resolve.mock.calls.filter(([name]) => name === 'rebinding.example')
    expect(listLookups()).toHaveLength(1)
    expect(hosts).toEqual([`rebinding.example:${port}`])
    // Another connection, another lookup.
    expect(await toFailure(loopbackClient.fetch(`http://rebinding.example:${port}/`, bounds))).toBe(
      'address-refused',
    )
    expect(listLookups()).toHaveLength(2)
    expect(hosts).toHaveLength(1)
  })

  it('is reported as unreachable if it does not resolve', async () => {
    resolve.mockImplementation(unknownName)
    expect(await toFailure(publicClient.fetch('http://crm.example/', bounds))).toBe('unreachable')
  })
})

describe('a configured name', () => {
  const find = (url: string, timeoutMs = 2000) => publicClient.findHostRefusal(url, { timeoutMs })

  it('is resolved, and accepted if it is public', async () => {
    expect(await find('http://localhost:4500/')).toContain('localhost is inside a private network')
    resolveTo(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])
    expect(await find('https://crm.example/')).toBeNull()
  })

  it('is not resolved if the URL is already refused or has a literal address', async () => {
    expect(await find('http://localhost:25/')).toBe('port 25 is not allowed for HTTP')
    expect(await find('http://93.184.216.34/')).toBeNull()
    expect(resolve).not.toHaveBeenCalled()
  })

  it('is accepted while it does not resolve', async () => {
    resolve.mockImplementation(unknownName)
    expect(await find('https://later.example/')).toBeNull()
  })

  it('is accepted when the lookup takes too long, with one lookup at a time', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<[]>()
    resolve.mockReturnValueOnce(promise)
    expect(await Promise.all([find('https://slow.example/', 1), find('http://localhost/', 1)])).toEqual([
      null,
      null,
    ])
    expect(resolve).toHaveBeenCalledOnce()
    const later = find('http://localhost/')
    answer([])
    expect(await later).toContain('private network')
    // The second lookup was skipped, because its caller had timed out.
    expect(resolve).toHaveBeenCalledTimes(2)
  })

  it('may lead into a range that the operator allows', async () => {
    expect(await loopbackClient.findHostRefusal('http://localhost:4500/', { timeoutMs: 2000 })).toBeNull()
    resolveTo(['127.0.0.1', '::1'])
    expect(await loopbackClient.findHostRefusal('http://localhost:4500/', { timeoutMs: 2000 })).not.toBeNull()
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
    const client = createHttpClient({ reach: 'public', resolve, allowedPrivateRanges: [range] })
    expect(client.findUrlRefusal(url) === null).toBe(allowed)
  })

  it('allows other ports for its literal addresses only', () => {
    const client = createHttpClient({
      reach: 'public',
      resolve,
      allowedPrivateRanges: ['10.0.0.0/8', 'fd00::/8'],
    })
    expect(client.findUrlRefusal('http://10.1.2.3:25/')).toBeNull()
    expect(client.findUrlRefusal('http://[::ffff:10.1.2.3]:81/')).toBeNull()
    expect(client.findUrlRefusal('http://[fd00::1]:6000/')).toBeNull()
    expect(client.findUrlRefusal('http://11.1.2.3:25/')).toBe('port 25 is not allowed for HTTP')
    expect(client.findUrlRefusal('http://inner.example:25/')).toBe('port 25 is not allowed for HTTP')
  })

  it('allows names that resolve into it, and no others', async () => {
    for (const [answer, kind] of [
      [['127.0.0.1'], 'unreachable'],
      [['127.0.0.2'], 'address-refused'],
      [['127.0.0.1', '127.0.0.2'], 'address-refused'],
      [['::1'], 'address-refused'],
    ] as const) {
      resolveTo([...answer])
      // Nobody listens at the port.
      const request = loopbackClient.fetch('http://inner.example:1024/', bounds)
      expect(await toFailure(request), String(answer)).toBe(kind)
    }
  })

  it('does not limit a client for URLs of the operator', () => {
    expect(createHttpClient({ reach: 'any', resolve }).findUrlRefusal('http://10.1.2.3/')).toBeNull()
    expect(createHttpClient({ reach: 'any', resolve }).findUrlRefusal('http://10.1.2.3:25/')).toBeNull()
    expect(createHttpClient({ reach: 'any', resolve }).findUrlRefusal('ftp://10.1.2.3/')).not.toBeNull()
  })
})

it('a client with reach `any` refuses private addresses in a request with reach `public`', async () => {
  const client = createHttpClient({ reach: 'any', resolve })
  for (const url of ['http://127.0.0.1:1024/', 'http://inner.example/', 'http://93.184.216.34:25/'])
    expect(await toFailure(client.fetch(url, { ...bounds, reach: 'public' })), url).toBe('address-refused')
  await client.close()
})
