/** The table service of an OSRM server on an island without roads of its own: everybody drives straight on, at one speed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { metersBetween, type Point } from '../domain/geo.ts'
import { type Static, strictObject, Type } from '../kit/schema.ts'
import { controlPath, createControlRoutes, read } from './control-routes.ts'
import { listen, stop } from './server.ts'

const Roads = strictObject({
  speedKmh: Type.Number({ minimum: 1, maximum: 300 }),
})

const Fault = strictObject({
  /** `huge`: a reply of 50 MB; `garbage`: one that is no table; `short`: a table with too few columns. */
  kind: Type.Optional(Type.Enum(['hang', 'close', 'huge', 'garbage', 'short'])),
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
  latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  /** The number of requests; default 1. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})
export type RouterFault = Static<typeof Fault>

export interface RouterSimulator {
  /** The base URL. */
  url: string
  roads: {
    speedKmh: number
    /** No road leads to a place, by `latitude,longitude`. */
    isUnreachable(place: Point): boolean
    /** No road is near a place. */
    isUnknown(place: Point): boolean
  }
  /** The paths of the requests, the oldest first. */
  requests: string[]
  /** Applies to the next requests, in the order in which they were added. */
  faults: RouterFault[]
  close(): Promise<void>
}

/** The default of `osrm-routed --max-table-size`. */
const tableSizeMax = 100
const hugeBytes = 50_000_000

export async function startRouter({ port = 0 }: { port?: number } = {}): Promise<RouterSimulator> {
  const roads: RouterSimulator['roads'] = {
    speedKmh: 30,
    isUnreachable: () => false,
    isUnknown: () => false,
  }
  const requests: string[] = []
  const faults: RouterFault[] = []
  const { server, origin } = await listen(port)
  const control = createControlRoutes({
    'GET ': () => ({ status: 200, body: { speedKmh: roads.speedKmh, requests: requests.length, faults } }),
    'POST /roads': read(Roads, fields => {
      Object.assign(roads, fields)
      return { status: 200, body: fields }
    }),
    'POST /faults': read(Fault, fault => {
      faults.push(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /faults'() {
      faults.length = 0
      return { status: 200, body: {} }
    },
  })

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url!.startsWith(controlPath)) return control(request, response)
    requests.push(request.url!)
    const { kind, status, latencyMs } = takeFault(faults) ?? {}
    if (latencyMs) await sleep(latencyMs)
    if (kind === 'hang') return
    if (kind === 'close') return void response.destroy()
    if (status) return send(response, status, { message: 'A fault of the simulator.' })
    if (kind === 'garbage') return void response.end('<html>Welcome to nginx!</html>')
    if (kind === 'huge') return void response.end(`{"code":"Ok","x":"${'x'.repeat(hugeBytes)}"}`)
    const table = toTable(new URL(request.url!, origin), roads)
    if (kind === 'short' && 'durations' in table)
      return send(response, 200, { ...table, durations: table.durations.map(row => row.slice(1)) })
    send(response, table.code === 'Ok' ? 200 : 400, table)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response).catch(() => response.destroy())
  })
  return { url: origin, roads, requests, faults, close: () => stop(server) }
}

function takeFault(faults: RouterFault[]): RouterFault | undefined {
  const [fault] = faults
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times === 0) faults.shift()
  return fault
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Table = { code: 'Ok'; durations: (number | null)[][] } | { code: string; message: string }

function toTable({ pathname, searchParams }: URL, roads: RouterSimulator['roads']): Table {
  const [, coordinates] = /^\/table\/v1\/[a-z]+\/([-\d.,;]+)$/.exec(pathname) ?? []
  if (!coordinates) return { code: 'InvalidUrl', message: 'URL string malformed.' }
  const places = coordinates.split(';').map(text => {
    const [longitude = Number.NaN, latitude = Number.NaN] = text.split(',').map(Number)
    return { latitude, longitude }
  })
  const sources = toIndexes(searchParams.get('sources'), places)
  const destinations = toIndexes(searchParams.get('destinations'), places)
  const isInvalid = places.some(place => !isPlace(place)) || [...sources, ...destinations].some(Number.isNaN)
  if (isInvalid || [...sources, ...destinations].some(index => index >= places.length))
    return { code: 'InvalidOptions', message: 'Coordinates are invalid' }
  if (sources.length * destinations.length > tableSizeMax ** 2)
    return { code: 'TooBig', message: 'Too many table coordinates' }
  const unknown = places.findIndex(roads.isUnknown)
  if (unknown >= 0)
    return { code: 'NoSegment', message: `Could not find a matching segment for coordinate ${unknown}` }
  const toSeconds = (from: Point, to: Point) =>
    roads.isUnreachable(from) || roads.isUnreachable(to)
      ? null
      : Math.round((metersBetween(from, to) * 36) / roads.speedKmh) / 10
  return {
    code: 'Ok',
    durations: sources.map(from => destinations.map(to => toSeconds(places[from]!, places[to]!))),
  }
}

const toIndexes = (text: string | null, places: Point[]): number[] =>
  text === null || text === 'all' ? places.map((_, index) => index) : text.split(';').map(Number)

const isPlace = ({ latitude, longitude }: Point): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
