/** A feed of 100,000 properties, and one extraction of 100,000 leads: seconds, and the most memory that the program held. */
import { extract, secondsOf, startSimulatorProcess, withBench } from './processes.ts'

const feedProperties = 100_000
/** So many that 100,000 of them are homes for sale. */
const manyProperties = 220_000
const spain = { id: 'spain', label: 'España' }
const granada = { id: 'spain_granada_granada', label: 'Granada' }

export async function run(): Promise<void> {
  console.log(
    'portal_e: an XML feed in gzip, read as it streams; simulator and program in processes of their own',
  )
  console.table({
    'feed of 100,000, one town of it': await measure(feedProperties, {
      ...{ operation: 'rent', propertyType: 'garages', location: granada },
    }),
    'extraction of 100,000 leads': await measure(manyProperties, {
      ...{ operation: 'sale', propertyType: 'homes', location: spain },
    }),
  })
}

async function measure(properties: number, filters: object): Promise<Record<string, number>> {
  const simulator = await startSimulatorProcess(properties)
  try {
    const address = simulator.portals.portal_e!
    // The simulator packs its feed when first asked: that is not the reader's time.
    await (await fetch(`${address}/feeds/kyero-v3.xml.gz`)).arrayBuffer()
    return await withBench(async bench => {
      const aldaba = await bench.startAldaba({ portal_e: address })
      const body = { platform: 'portal_e', filters, maxResults: 100_000 }
      const extraction = await extract(aldaba.url, await bench.newKey(), body)
      const peakMb = await aldaba.peakMb()
      await aldaba.stop()
      const { leadsCreated } = extraction.progress
      const seconds = secondsOf(extraction)
      return {
        properties,
        leads: leadsCreated,
        seconds: Math.round(seconds * 10) / 10,
        'peak MB': Math.round(peakMb),
      }
    })
  } finally {
    await simulator.stop()
  }
}

if (import.meta.main) await run()
