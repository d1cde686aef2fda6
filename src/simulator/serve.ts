/** Runs the simulator as a command: prints its addresses and serves until a signal stops it. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startSimulator, toPorts } from './index.ts'
import { portalIds } from './portals.ts'
import { startWhatsapp } from './whatsapp/index.ts'

export interface ServeSimulatorOptions {
  /** CSV file of real listings, plain or gzipped. */
  data?: string
  /** Port of the control server; the portals use the next ports, and WhatsApp the one after them. */
  port?: number
  seed?: number
  /** Number of generated Spanish listings. */
  listings?: number
}

/** Serves until SIGINT or SIGTERM. */
export async function serveSimulator({
  data,
  port = 4800,
  seed,
  listings,
}: ServeSimulatorOptions): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const whatsapp = await startWhatsapp({
    port: port + 1 + portalIds.length,
    // A seed repeats the ids of messages, and a server that is still running knows those of an earlier run.
    seed: seed ?? Date.now(),
  })
  const simulator = await startSimulator({
    port,
    ports: toPorts(port + 1),
    shown: { whatsapp: whatsapp.url },
    ...(data === undefined ? {} : { dataFile: data }),
    ...(seed === undefined ? {} : { seed }),
    ...(listings === undefined ? {} : { listings }),
  })
  for (const id of portalIds) console.log(`${id}   ${simulator.portalAddress(id)}`)
  console.log(`whatsapp   ${whatsapp.url}   ${JSON.stringify(whatsapp.credentials)}`)
  console.log(`control    ${simulator.url}/__simulator`)
  await stopped
  await Promise.all([simulator.close(), whatsapp.close()])
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      seed: { type: 'string' },
      listings: { type: 'string' },
    },
  })
  await serveSimulator({
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.listings === undefined ? {} : { listings: Number(values.listings) }),
  })
}
