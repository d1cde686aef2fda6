/**
 * Driving times of an OSRM server, by its table service: https://project-osrm.org/docs/v5.24.0/api/#table-service. Whatever it replies
 * is checked, and its size is bounded.
 */
import { metersBetween } from '../../domain/geo.ts'
import { type Drive, parsePlaceKey } from '../../domain/slots/travel.ts'
import { type HttpClient, HttpFailure, type HttpReply } from '../../kit/http/client.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { mapConcurrently } from '../../kit/map-concurrently.ts'
import { type Router, RouterFailure } from '../router.ts'

export interface OsrmOptions {
  /** Its base URL. */
  url: string
  /** Reaches what the operator configured. */
  http: Pick<HttpClient, 'fetch'>
  /** How long one request may take. */
  timeoutMs?: number
}

const defaultTimeoutMs = 2_000
/** With both ends of each, no URL is longer than 5,000 characters, and no table has more cells than OSRM allows by default. */
const drivesPerRequestMax = 100
/** For all drives of a call. A refused table is divided. */
const requestsMax = 60
const concurrentMax = 4
const bodyMaxBytes = 1_000_000
/** Faster than that is a map of another country, whose nearest road is the same for all places. */
const speedMaxKmh = 250
const durationMaxSeconds = 7 * 86_400

/** What one call may still do, and whether the router has answered it. */
interface Budget {
  requests: number
  hasAnswered: boolean
}

export function createOsrm({ url, http, timeoutMs = defaultTimeoutMs }: OsrmOptions): Router {
  const request = (drives: readonly Drive[], signal: AbortSignal) =>
    http.fetch(`${url}/table/v1/driving/${toPath(drives)}`, { timeoutMs, bodyMaxBytes, signal })

  /** Once more, if the connection failed or the server is restarting. */
  const requestTwice = async (drives: readonly Drive[], signal: AbortSignal): Promise<HttpReply> => {
    try {
      const reply = await request(drives, signal)
      return [502, 503, 504].includes(reply.status) ? await request(drives, signal) : reply
    } catch (error) {
      if (error instanceof HttpFailure && error.kind === 'unreachable') return request(drives, signal)
      throw error
    }
  }

  const fetchTable = async (
    drives: readonly Drive[],
    signal: AbortSignal,
    budget: Budget,
  ): Promise<(number | null)[]> => {
    if (budget.requests-- <= 0) return drives.map(() => null)
    const reply = await requestTwice(drives, signal).catch(rethrowFailure)
    const table = parseReply(reply)
    budget.hasAnswered = true
    if (table !== 'refused') return readDurations(table, drives)
    // A place without a road near refuses the whole table, and so does a lower limit of its size.
    if (drives.length === 1) return [null]
    const middle = Math.ceil(drives.length / 2)
    return [
      ...(await fetchTable(drives.slice(0, middle), signal, budget)),
      ...(await fetchTable(drives.slice(middle), signal, budget)),
    ]
  }

  return {
    async fetchDurations(drives, signal) {
      const budget: Budget = { requests: requestsMax, hasAnswered: false }
      const parts = Array.from({ length: Math.ceil(drives.length / drivesPerRequestMax) }, (_, index) =>
        drives.slice(index * drivesPerRequestMax, (index + 1) * drivesPerRequestMax),
      )
      const durations = await mapConcurrently(parts, concurrentMax, async part => {
        try {
          return await fetchTable(part, signal, budget)
        } catch (error) {
          // The router works, but these are more drives than the time allows.
          if (signal.aborted && budget.hasAnswered) return part.map(() => null)
          throw error
        }
      })
      return durations.flat()
    },
  }
}

function rethrowFailure(error: unknown): never {
  if (error instanceof HttpFailure) throw new RouterFailure(error.message, { cause: error })
  throw error
}

const unique = (keys: string[]): string[] => [...new Set(keys)]
const listOrigins = (drives: readonly Drive[]) => unique(drives.map(({ origin }) => origin))
const listDestinations = (drives: readonly Drive[]) => unique(drives.map(({ destination }) => destination))

function toPath(drives: readonly Drive[]): string {
  const origins = listOrigins(drives)
  const destinations = listDestinations(drives)
  const places = unique([...origins, ...destinations])
  const coordinates = places.map(parsePlaceKey).map(({ latitude, longitude }) => `${longitude},${latitude}`)
  const indexes = new Map(places.map((place, index) => [place, index]))
  const toIndexes = (keys: string[]) => keys.map(key => indexes.get(key)).join(';')
  return `${coordinates.join(';')}?annotations=duration&generate_hints=false&sources=${toIndexes(origins)}&destinations=${toIndexes(destinations)}`
}

/** It works, but can't answer this request: its places are not valid for it, or its URL is too long. */
const refusingStatuses = [400, 413, 414]
const refusingCodes = ['NoSegment', 'TooBig', 'NoTable']

function parseReply({ status, body }: HttpReply): unknown[] | 'refused' {
  if (refusingStatuses.includes(status)) return 'refused'
  const { code, durations } = parseObject(body)
  if (refusingCodes.includes(String(code))) return 'refused'
  if (status !== 200 || code !== 'Ok')
    throw new RouterFailure(`it answered ${status} with the code ${String(code).slice(0, 40)}`)
  if (!Array.isArray(durations)) throw new RouterFailure('its reply has no durations')
  return durations
}

function parseObject(body: Buffer): { code?: unknown; durations?: unknown } {
  try {
    const value: unknown = parseJson(body.toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new RouterFailure('its reply is not a JSON object')
}

function readDurations(table: unknown[], drives: readonly Drive[]): (number | null)[] {
  const rows = new Map(listOrigins(drives).map((origin, index) => [origin, table[index]]))
  const columns = new Map(listDestinations(drives).map((destination, index) => [destination, index]))
  return drives.map(drive => {
    const row = rows.get(drive.origin)
    const seconds: unknown = Array.isArray(row) ? row[columns.get(drive.destination)!] : undefined
    if (seconds === null) return null
    if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= durationMaxSeconds))
      throw new RouterFailure('its reply has other durations than the drives')
    return isPossible(drive, seconds) ? Math.round(seconds) : null
  })
}

const isPossible = ({ origin, destination }: Drive, seconds: number): boolean =>
  metersBetween(parsePlaceKey(origin), parsePlaceKey(destination)) / 1000 <=
  (speedMaxKmh * (seconds + 60)) / 3600
