/** How calendars are found from what a person enters, and where the password may go. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createCalDavTrial } from '../../../../test/calendar-trial.ts'
import { startCalDav } from '../../../simulator/calendars/caldav.ts'
import type { CalendarProvider } from '../../calendar.ts'
import { type CalendarTrial, openTrial } from '../../check-calendar-behaviour.ts'
import { caldav } from './index.ts'
import { isSameSite, parseAddress } from './site.ts'
import { findText, parseXml } from './xml.ts'

async function startTrial(): Promise<CalendarTrial & { url: string }> {
  const simulator = await startCalDav()
  onTestFinished(() => simulator.close())
  const trial = createCalDavTrial(simulator)
  onTestFinished(() => trial.close())
  return { ...trial, url: simulator.url }
}

const list = ({ credentials, ...trial }: CalendarTrial, url: string) =>
  openTrial(caldav as CalendarProvider, { ...trial, credentials: { ...credentials, url } }).listCalendars()

test.each(['', '/', '/dav/', '/dav/principals/ana/', '/somewhere/else'])(
  'calendars are found from %s',
  async path => {
    const trial = await startTrial()
    expect(await list(trial, trial.url + path)).toMatchObject([
      { id: trial.calendarId, name: 'Ana', isPrimary: true, isWritable: true },
      { id: trial.readOnlyCalendarId, name: 'Festivos', isPrimary: false, isWritable: false },
    ])
  },
)

test.each([
  'http://cloud.example.org',
  'ftp://cloud.example.org',
  'https://a:b@cloud.example.org',
  'not a host',
])('%s is not called', async address => {
  await expect(list(await startTrial(), address)).rejects.toMatchObject({
    code: 'NOT_A_CALENDAR',
    message: expect.stringContaining('https address'),
  })
})

test.each([
  ['ana@example.org', 'https://example.org/'],
  ['cloud.example.org/dav', 'https://cloud.example.org/dav'],
  [' https://cloud.example.org ', 'https://cloud.example.org/'],
  ['http://127.0.0.1:5232', 'http://127.0.0.1:5232/'],
  ['http://radicale:5232', 'http://radicale:5232/'],
  ['http://93.184.215.14', undefined],
])('%s means %s', (text, url) => {
  expect(parseAddress(text)?.href).toBe(url)
})

test.each([
  ['https://caldav.icloud.com', 'https://p42-caldav.icloud.com/1/', true],
  ['https://example.org', 'https://cloud.example.org', true],
  ['https://example.org', 'https://example.org.evil.example', false],
  ['https://example.org', 'https://evil-example.org', false],
  ['https://example.org', 'http://example.org', false],
  ['https://example.org', 'https://example.org:8443', false],
  ['https://cloud.co.uk', 'https://evil.co.uk', false],
  ['http://127.0.0.1:1', 'http://127.0.0.1:2', false],
  ['http://127.0.0.1:1', 'https://127.0.0.1', false],
  ['http://radicale:5232', 'https://evil.example', false],
])('from %s to %s: %s', (home, other, isSame) => {
  expect(isSameSite(new URL(home), new URL(other))).toBe(isSame)
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the password follows no redirect and no reply to another site', async () => {
  const trial = await startTrial()
  const received: string[] = []
  const thief = await serve(({ headers }, response) => {
    received.push(headers.authorization ?? '')
    response.writeHead(207).end('<d:multistatus xmlns:d="DAV:"/>')
  })
  const redirect = await serve((_request, response) => {
    response.writeHead(301, { location: `${thief}/dav/` }).end()
  })
  const refer = await serve((_request, response) => {
    const principal = `<d:current-user-principal><d:href>${thief}/</d:href></d:current-user-principal>`
    const propstat = `<d:propstat><d:prop>${principal}</d:prop></d:propstat>`
    response
      .writeHead(207)
      .end(
        `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href>${propstat}</d:response></d:multistatus>`,
      )
  })
  for (const url of [redirect, refer])
    await expect(list(trial, url)).rejects.toMatchObject({
      code: 'REJECTED',
      message: expect.stringContaining('another site'),
    })
  expect(received).toEqual([])
})

test('a redirect that never ends, ends', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(302, { location: '/again' }).end()
  })
  await expect(list(await startTrial(), url)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('entities of a document are not expanded, and its size is bounded', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "&b;&b;&b;">]><a><t>&c;&amp;</t></a>`
  expect(findText(parseXml(bomb, 'a'), 't')!.length).toBeLessThan(20)
  expect(parseXml(`<a>${'<b/>'.repeat(300_000)}</a>`, 'a')).toBeNull()
  expect(parseXml('<a>'.repeat(10_000), 'a')).toBeNull()
  expect(parseXml('<html/>', 'a')).toBeNull()
  expect(parseXml('<a/>', 'a')).toMatchObject({ children: [] })
  expect(findText(parseXml('<x:a xmlns:x="y"><x:T><![CDATA[1 < 2]]></x:T></x:a>', 'a'), 't')).toBe('1 < 2')
})

test('a reply that was cut is not a calendar with fewer events', () => {
  const whole = '<d:multistatus><d:response><d:href>/a</d:href><d:empty/></d:response></d:multistatus>'
  expect(parseXml(whole, 'multistatus')!.children).toHaveLength(1)
  for (let length = 0; length < whole.length; length += 1)
    expect(parseXml(whole.slice(0, length), 'multistatus'), whole.slice(0, length)).toBeNull()
})
