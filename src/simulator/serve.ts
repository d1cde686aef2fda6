// Runs the simulator for people: prints its addresses and serves until it is told to stop.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { portsFrom, startSimulator } from './index.ts'
import { PORTAL_IDS } from './portals.ts'

export interface ServeSimulatorOptions {
  /** CSV file of real adverts, plain or gzipped. */
  data?: string
  /** Port of the control address; the portals take those that follow. */
  port?: number
  seed?: number
  /** How many Spanish adverts are made up. */
  adverts?: number
}

/** Serves until SIGINT or SIGTERM. */
export async function serveSimulator({
  data,
  port = 4800,
  seed,
  adverts,
}: ServeSimulatorOptions): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const simulator = await startSimulator({
    port,
    ports: portsFrom(port + 1),
    ...(data === undefined ? {} : { dataFile: data }),
    ...(seed === undefined ? {} : { seed }),
    ...(adverts === undefined ? {} : { adverts }),
  })
  for (const id of PORTAL_IDS) console.log(`${id}   ${simulator.portalAddress(id)}`)
  console.log(`control    ${simulator.url}/__simulator`)
  await stopped
  await simulator.close()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      ...{ data: { type: 'string' }, port: { type: 'string' } },
      ...{ seed: { type: 'string' }, adverts: { type: 'string' } },
    },
  })
  await serveSimulator({
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.adverts === undefined ? {} : { adverts: Number(values.adverts) }),
  })
}
