/** Extractions of 100,000 listings, from a feed and page by page: seconds and peak memory of the program. */
import type { Ratios } from './guard.ts'
import { extract, startSimulatorProcess, toSeconds, withBench } from './processes.ts'

/** Number of listings of the feed of which only one town is read. */
const feedProperties = 100_000
/** Number of listings of which 100,000 are homes for sale in Spain. */
const manyProperties = 220_000
/** Number of listings of which 100,000 are homes for sale in Madrid. */
const hugeProperties = 1_300_000
/** Number of listings of which 4,000 are homes for sale in Spain. */
const shortProperties = 10_000
const shortLeads = 4000
const homesForSale = { operation: 'sale', propertyType: 'homes' }
const granada = { id: 'spain_granada_granada', label: 'Granada' }

export async function run(): Promise<void> {
  console.log('simulator and program in separate processes')
  console.table({
    'portal_e, a feed of 100,000, only one town of it': await measure('portal_e', feedProperties, {
      operation: 'rent',
      propertyType: 'garages',
      location: granada,
    }),
    'portal_e, 100,000 leads of a feed': await measure('portal_e', manyProperties, {
      ...homesForSale,
      location: { id: 'spain', label: 'España' },
    }),
    'portal_a, 100,000 leads, page by page': await measure('portal_a', hugeProperties, {
      ...homesForSale,
      location: { id: 'madrid', label: 'Madrid' },
    }),
  })
}

/**
 * Short form: growth of memory from a small extraction to one ten times as large, and the share of listings that
 * became leads.
 */
export async function short(): Promise<Ratios> {
  const simulator = await startSimulatorProcess(shortProperties)
  const address = simulator.portals.portal_e!
  try {
    return await withBench(async bench => {
      const runWithLimit = async (maxResults: number) => {
        const aldaba = await bench.startAldaba({ portal_e: address })
        const filters = { ...homesForSale, location: { id: 'spain', label: 'España' } }
        const { progress } = await extract(aldaba.url, await bench.createLiveKey(), {
          platform: 'portal_e',
          filters,
          maxResults,
        })
        const peakMb = await aldaba.readPeakMb()
        await aldaba.stop()
        return { peakMb, found: progress.leadsCreated / maxResults }
      }
      await (await fetch(`${address}/feeds/kyero-v3.xml.gz`)).arrayBuffer()
      const small = await runWithLimit(shortLeads / 10)
      const large = await runWithLimit(shortLeads)
      return {
        'memory of a tenth as many leads': small.peakMb / large.peakMb,
        'listings that became leads': Math.min(small.found, large.found),
      }
    })
  } finally {
    await simulator.stop()
  }
}

async function measure(
  platform: 'portal_a' | 'portal_e',
  properties: number,
  filters: object,
): Promise<Record<string, number>> {
  const simulator = await startSimulatorProcess(properties)
  try {
    const address = simulator.portals[platform]!
    // The simulator compresses its feed at the first request, which is not measured.
    if (platform === 'portal_e') await (await fetch(`${address}/feeds/kyero-v3.xml.gz`)).arrayBuffer()
    return await withBench(async bench => {
      const aldaba = await bench.startAldaba({ [platform]: address })
      const body = { platform, filters, maxResults: 100_000 }
      const extraction = await extract(aldaba.url, await bench.createLiveKey(), body)
      const peakMb = await aldaba.readPeakMb()
      await aldaba.stop()
      const { leadsCreated } = extraction.progress
      const seconds = toSeconds(extraction)
      return {
        properties,
        leads: leadsCreated,
        seconds: Math.round(seconds * 10) / 10,
        'leads/s': Math.round(leadsCreated / seconds),
        'peak MB': Math.round(peakMb),
      }
    })
  } finally {
    await simulator.stop()
  }
}

if (import.meta.main) await run()
