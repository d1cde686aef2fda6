/** The guarded HTTP client refuses names that lead into the deployment's own network, unless the operator allows them. */
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
