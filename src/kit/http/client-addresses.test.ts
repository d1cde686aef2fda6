/** The guarded HTTP client refuses URLs with addresses inside the deployment's own network, and ports of other services. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createHttpClient, HttpFailure, type HttpRequest, type Resolve } from './client.ts'

const resolve = vi.fn<Resolve>()
const publicClient = createHttpClient({ reach: 'public', resolve })
afterAll(() => publicClient.close())

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
