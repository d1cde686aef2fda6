/**
 * A CalDAV server as far as the provider uses it: RFC 4791, sync tokens of RFC 6578, discovery of RFC 6764. Its replies have the
 * form of those of Radicale and Nextcloud. It needs no program, and refuses on request.
 */
import { type ApiAnswer, type ApiRequest, type CalendarSimulator, startCalendarServer } from './server.ts'
import { formatIcalendar, parseIcalendar } from './simulated-ics.ts'
import { type CalendarStore, expand, type SimulatedCalendar, type SimulatedEvent } from './store.ts'

export interface CalDavSimulator extends CalendarSimulator {
  credentials: { url: string; username: string; password: string }
  /** From now on the password is another one. */
  changePassword(): void
}

const home = '/dav/calendars/ana/'
const principal = '/dav/principals/ana/'

export async function startCalDav({
  port = 0,
  hasSync = true,
}: {
  port?: number
  /** False: it only has a ctag, as older servers do. */
  hasSync?: boolean
} = {}): Promise<CalDavSimulator> {
  let password = 'app-password'
  const username = 'ana@agency.example'
  const toBasic = () => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const server = await startCalendarServer({
    port,
    api: (request, store) => answer(request, store, hasSync),
    isAuthorized: authorization => authorization === toBasic(),
    formatError: status => `<?xml version="1.0"?><html><body>${status}</body></html>`,
  })
  return {
    ...server,
    credentials: { url: server.url, username, password },
    changePassword() {
      password = 'another-password'
    },
  }
}

const toCalendarPath = ({ id }: SimulatedCalendar) => `${home}${encodeURIComponent(id)}/`
const toEtag = ({ change }: SimulatedEvent) => `"${change}"`
const refuse = (status: number, condition: string): ApiAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><d:error xmlns:d="DAV:">${condition}</d:error>`,
})

function answer(request: ApiRequest, store: CalendarStore, hasSync: boolean): ApiAnswer {
  const { method, url } = request
  if (url.pathname === '/.well-known/caldav') return { status: 301, headers: { location: '/dav/' } }
  if (method === 'PROPFIND' && (url.pathname === '/dav/' || url.pathname === principal))
    return list([
      formatResponse(
        url.pathname,
        `<d:current-user-principal><d:href>${principal}</d:href></d:current-user-principal>` +
          `<c:calendar-home-set><d:href>${home}</d:href></c:calendar-home-set>`,
      ),
    ])
  if (method === 'PROPFIND' && url.pathname === home)
    return list([
      formatResponse(home, '<d:resourcetype><d:collection/></d:resourcetype>'),
      ...store.calendars.map(calendar => formatCalendar(calendar, store, hasSync)),
    ])
  const calendar = store.calendars.find(one => url.pathname.startsWith(toCalendarPath(one)))
  if (!calendar) return { status: 404 }
  const objectName = decodeURIComponent(url.pathname.slice(toCalendarPath(calendar).length))
  if (objectName) return answerObject(request, calendar, objectName, store)
  if (method === 'PROPFIND') return list([formatCalendar(calendar, store, hasSync)])
  return method === 'REPORT' ? report(request.body, calendar, store, hasSync) : { status: 405 }
}

const list = (responses: string[], rest = ''): ApiAnswer => ({
  status: 207,
  headers: { 'content-type': 'application/xml; charset=utf-8' },
  body:
    '<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" ' +
    `xmlns:s="http://calendarserver.org/ns/">${responses.join('')}${rest}</d:multistatus>`,
})

const formatResponse = (path: string, properties: string) =>
  `<d:response><d:href>${path}</d:href><d:propstat><d:prop>${properties}</d:prop>` +
  '<d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:owner/></d:prop>' +
  '<d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>'

const formatToken = (store: CalendarStore) => `https://sync.example/${store.epoch}/${store.lastChange()}`

function formatCalendar(calendar: SimulatedCalendar, store: CalendarStore, hasSync: boolean): string {
  const write = calendar.isWritable ? '<d:privilege><d:write/></d:privilege>' : ''
  return formatResponse(
    toCalendarPath(calendar),
    '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>' +
      `<d:displayname>${calendar.name}</d:displayname>` +
      `<d:current-user-privilege-set><d:privilege><d:read/></d:privilege>${write}</d:current-user-privilege-set>` +
      '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>' +
      (hasSync ? `<d:sync-token>${formatToken(store)}</d:sync-token>` : '') +
      `<s:getctag>${formatToken(store)}</s:getctag>`,
  )
}

const toObjectPath = (calendar: SimulatedCalendar, { id }: SimulatedEvent) =>
  `${toCalendarPath(calendar)}${encodeURIComponent(id)}`

function report(
  body: string,
  calendar: SimulatedCalendar,
  store: CalendarStore,
  hasSync: boolean,
): ApiAnswer {
  const events = store.listChanged(calendar.id, 0)
  const formatEtag = (event: SimulatedEvent) =>
    formatResponse(toObjectPath(calendar, event), `<d:getetag>${toEtag(event)}</d:getetag>`)
  if (body.includes('calendar-multiget')) {
    const paths = [...body.matchAll(/<d:href>([^<]+)<\/d:href>/g)].map(([, path]) => path!)
    return list(paths.map(path => formatObject(path, calendar, store)))
  }
  if (body.includes('calendar-query')) {
    const [from = '', to = ''] = [...body.matchAll(/(?:start|end)="([^"]+)"/g)].map(([, time]) =>
      toIso(time!),
    )
    return list(
      events.filter(event => !event.isDeleted && expand(event, from, to).length > 0).map(formatEtag),
    )
  }
  const [, epoch, since] = /<d:sync-token>https:\/\/sync\.example\/(\d+)\/(\d+)</.exec(body) ?? []
  if (!hasSync) return { status: 501 }
  if (Number(epoch) !== store.epoch) return refuse(403, '<d:valid-sync-token/>')
  return list(
    store
      .listChanged(calendar.id, Number(since))
      .map(event => (event.isDeleted ? formatMissing(toObjectPath(calendar, event)) : formatEtag(event))),
    `<d:sync-token>${formatToken(store)}</d:sync-token>`,
  )
}

const toIso = (time: string) => time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:')

const formatMissing = (path: string) =>
  `<d:response><d:href>${path}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`

function formatObject(path: string, calendar: SimulatedCalendar, store: CalendarStore): string {
  const event = store.events.get(decodeURIComponent(path.slice(toCalendarPath(calendar).length)))
  if (!event || event.isDeleted) return formatMissing(path)
  return formatResponse(
    path,
    `<d:getetag>${toEtag(event)}</d:getetag><c:calendar-data><![CDATA[${formatIcalendar(event)}]]></c:calendar-data>`,
  )
}

function answerObject(
  { method, headers, body }: ApiRequest,
  calendar: SimulatedCalendar,
  id: string,
  store: CalendarStore,
): ApiAnswer {
  const event = store.events.get(id)
  const present = event && !event.isDeleted ? event : null
  if (method === 'PROPFIND' && present)
    return list([
      formatResponse(toObjectPath(calendar, present), `<d:getetag>${toEtag(present)}</d:getetag>`),
    ])
  if (method === 'GET' && present)
    return {
      status: 200,
      headers: { etag: toEtag(present), 'content-type': 'text/calendar' },
      body: formatIcalendar(present),
    }
  if (method !== 'PUT' && !present) return { status: 404 }
  if (!calendar.isWritable) return refuse(403, '<d:need-privileges/>')
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  const isMet = (!ifMatch || ifMatch === (present && toEtag(present))) && !(ifNoneMatch && present)
  if (!isMet) return { status: 412 }
  if (method === 'DELETE') {
    store.change(id, { isDeleted: true })
    return { status: 204 }
  }
  const fields = { ...parseIcalendar(body), isDeleted: false }
  const other = [...store.events.values()].find(
    one => one.calendarId === calendar.id && one.uid === fields.uid && one.id !== id && !one.isDeleted,
  )
  if (other)
    return refuse(
      409,
      `<c:no-uid-conflict xmlns:c="urn:ietf:params:xml:ns:caldav"><d:href>${toObjectPath(calendar, other)}</d:href></c:no-uid-conflict>`,
    )
  const stored = event ? store.change(id, fields)! : store.create({ ...fields, id, calendarId: calendar.id })
  // It stores its own form of the event, so the version is not in the reply.
  return { status: event ? 204 : 201, headers: event ? {} : { etag: toEtag(stored) } }
}
