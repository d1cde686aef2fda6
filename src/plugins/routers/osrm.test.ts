/** Driving times of a simulated OSRM server: its tables, its refusals, its faults. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listDrivesBetween } from '../../domain/slots/travel.ts'
import { createHttpClient } from '../../kit/http/client.ts'
import { type RouterFault, type RouterSimulator, startRouter } from '../../simulator/router.ts'
import { RouterFailure } from '../router.ts'
import { createOsrm } from './osrm.ts'

const http = createHttpClient({ reach: 'any' })
let router: RouterSimulator
beforeEach(async () => {
  router = await startRouter()
})
afterEach(() => router.close())

const sol = { latitude: 40.4169, longitude: -3.7035 }
const getafe = { latitude: 40.305, longitude: -3.7327 }
const makePlaces = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ latitude: 40 + index / 1000, longitude: -3.5 }))
const fetchDurations = (drives = listDrivesBetween(sol, [getafe]), timeoutMs = 2_000) =>
  createOsrm({ url: router.url, http, timeoutMs }).fetchDurations(drives, AbortSignal.timeout(20_000))

test('drives there and back have the seconds of the table; places are longitude, latitude', async () => {
  expect(await fetchDurations()).toEqual([1522, 1522])
  expect(router.requests).toEqual([
    '/table/v1/driving/-3.7035,40.4169;-3.7327,40.305?annotations=duration&generate_hints=false&sources=0;1&destinations=1;0',
  ])
})

test('many drives are a few requests, in their order', async () => {
  const places = makePlaces(500)
  const durations = await fetchDurations(listDrivesBetween(sol, places))
  expect(router.requests).toHaveLength(10)
  expect(Math.max(...router.requests.map(path => path.length))).toBeLessThan(5000)
  expect(durations.slice(0, 500)).toEqual(durations.slice(500))
  expect(durations[0]).toBeGreaterThan(durations[300]!)
  expect(await fetchDurations([])).toEqual([])
})

test('a place without a road near leaves out its own drives only', async () => {
  router.roads.isUnknown = ({ latitude }) => latitude === 40.007
  const durations = await fetchDurations(listDrivesBetween(sol, makePlaces(20)))
  expect(durations.flatMap((seconds, index) => (seconds === null ? index : []))).toEqual([7, 27])
})

test('a router that refuses everything gets a bounded number of requests', async () => {
  router.roads.isUnknown = () => true
  const durations = await fetchDurations(listDrivesBetween(sol, makePlaces(500)))
  expect(new Set(durations)).toEqual(new Set([null]))
  expect(router.requests.length).toBeLessThanOrEqual(60)
})

test('a request that the router does not accept leaves its drives unknown', async () => {
  router.faults.push({ status: 400, times: 3 })
  expect(await fetchDurations()).toEqual([null, null])
})

test('drives for which the time is too short are unknown, the others are known', async () => {
  router.faults.push({ kind: 'hang', times: 3 })
  const drives = listDrivesBetween(sol, makePlaces(250))
  const durations = await createOsrm({ url: router.url, http, timeoutMs: 10_000 }).fetchDurations(
    drives,
    AbortSignal.timeout(3000),
  )
  const known = durations.filter(seconds => seconds !== null)
  expect([durations.length, known.length]).toEqual([500, 200])
})

test('no road, and the map of another country, are not known', async () => {
  router.roads.isUnreachable = ({ latitude }) => latitude === getafe.latitude
  expect(await fetchDurations()).toEqual([null, null])
  router.roads.isUnreachable = () => false
  // The nearest road of all places is the same one.
  router.roads.speedKmh = 300
  expect(await fetchDurations()).toEqual([152, 152])
  router.roads.speedKmh = 3000
  expect(await fetchDurations()).toEqual([null, null])
})

test.each<[string, RouterFault]>([
  ['a connection that is cut', { kind: 'close' }],
  ['a server that restarts', { status: 503 }],
])('%s is tried once more', async (_what, fault) => {
  router.faults.push({ ...fault })
  expect(await fetchDurations()).toEqual([1522, 1522])
  router.faults.push({ ...fault, times: 2 })
  await expect(fetchDurations()).rejects.toThrow(RouterFailure)
  expect(router.requests).toHaveLength(4)
})

test.each<[string, RouterFault, RegExp]>([
  ['a reply that is no JSON', { kind: 'garbage' }, /not a JSON object/],
  ['a reply of 50 MB', { kind: 'huge' }, /larger than/],
  ['a table with too few columns', { kind: 'short' }, /other durations/],
  ['an error of the server', { status: 500 }, /500/],
  ['a redirect', { status: 302 }, /302/],
  ['no reply', { kind: 'hang' }, /no complete reply within 1000 ms/],
])('%s is a failure', async (_what, fault, message) => {
  router.faults.push({ ...fault })
  const error = await fetchDurations(undefined, 1_000).catch(error => error)
  expect(error).toBeInstanceOf(RouterFailure)
  expect(error.message).toMatch(message)
  expect(error.message).not.toContain('40.')
  expect(router.requests).toHaveLength(1)
})
