/** Places of portals: preloading, and a definition with duplicate ids, which must break only requests for its own places. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stopSharedApps } from '../../../test/harness.ts'
import { portalA } from '../../plugins/portals/portal-a.ts'
import { loadGazetteer } from './gazetteer.ts'
import { createPortals } from './portals.ts'

beforeAll(stopSharedApps)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const withDuplicateIds = {
  ...portalA,
  id: 'portal_x',
  locations: { ...portalA.locations, toPortalId: () => 'everywhere' },
}
const createTestPortals = (load = loadGazetteer) =>
  createPortals({
    definitions: [portalA, withDuplicateIds],
    urls: {},
    simulated: [],
    findSimulatedUrl: async () => '',
    loadGazetteer: load,
  })

test('places are indexed shortly after preloadPlaces, and not before', () => {
  const load = vi.fn(loadGazetteer)
  const portals = createTestPortals(load)
  portals.preloadPlaces('portal_a')
  expect(load).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(load).toHaveBeenCalledOnce()
  expect(portals.searchPlaces('portal_a', { q: 'madrid', limit: 1 })[0]?.id).toBe('madrid')
})

test('a definition with duplicate ids fails the searches of its portal, and no others', () => {
  const portals = createTestPortals()
  portals.preloadPlaces('portal_x')
  expect(() => vi.advanceTimersByTime(100)).not.toThrow()
  expect(() => portals.searchPlaces('portal_x', { q: 'madrid', limit: 1 })).toThrow('portal_x calls both')
  expect(portals.searchPlaces('portal_a', { q: 'madrid', limit: 1 })).toHaveLength(1)
})

test('ids are compared by their spelling, ignoring case; too long ones are not compared', () => {
  const near = (typed: string) =>
    createTestPortals()
      .findNearestPlaces('portal_a', typed, 2)
      .map(({ id }) => id)
  expect(near('BARCELNOA')).toEqual(['barcelona'])
  expect(near('toledo-provinca')[0]).toBe('toledo-provincia')
  expect(near('xqzzt')).toEqual([])
  expect(near('a'.repeat(1_000_000))).toEqual([])
})
