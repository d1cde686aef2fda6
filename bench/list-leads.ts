/** `GET /leads?limit=50` of a million leads, everything on, beside its limit and the ordinary way, in turn. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { createLog } from '../src/kit/log.ts'
import { type Dataset, openDataset } from './dataset.ts'
import { connections, type LoadFigures, load, median } from './load.ts'

const rounds = 7
const seconds = 4

interface Candidate {
  name: string
  url: string
  path: string
}

export async function run(): Promise<void> {
  const dataset = await openDataset()
  const children: ChildProcess[] = []
  try {
    const candidates: Candidate[] = []
    for (const name of ['limit', 'aldaba', 'peer']) {
      const { child, port } = await start(name, dataset)
      children.push(child)
      candidates.push({
        name,
        url: `http://127.0.0.1:${port}`,
        path: name === 'aldaba' ? '/public/v1/leads?limit=50' : '/',
      })
    }
    await report(candidates, dataset)
  } finally {
    for (const child of children) child.kill()
    await dataset.deployment.close()
  }
}

async function report(candidates: Candidate[], { keys }: Dataset): Promise<void> {
  const figures = new Map(candidates.map(({ name }) => [name, [] as LoadFigures[]]))
  for (const { url, path } of candidates) await load(url, path, keys, 2)
  for (let round = 0; round < rounds; round++) {
    // In turn, and every second time the other way round: what the machine does meanwhile falls on all alike.
    for (const { name, url, path } of round % 2 ? candidates.toReversed() : candidates) {
      figures.get(name)!.push(await load(url, path, keys, seconds))
    }
  }
  const limit = figures.get('limit')!
  console.log(
    `GET /leads?limit=50 of 1,000,000 leads in 20 workspaces, ${connections} connections, ${rounds} rounds of ${seconds} s, medians`,
  )
  console.table(
    Object.fromEntries(
      [...figures].map(([name, all]) => [
        name,
        {
          'requests/s': Math.round(median(all.map(figure => figure.requestsPerSecond))),
          'p99 ms': median(all.map(figure => figure.p99Ms)),
          'of the limit': ratio(all, limit, figure => figure.requestsPerSecond),
          "p99 / limit's": ratio(all, limit, figure => figure.p99Ms),
        },
      ]),
    ),
  )
}

/** Round by round, then the median: both of a pair met the same machine. */
function ratio(all: LoadFigures[], limit: LoadFigures[], figure: (figures: LoadFigures) => number): string {
  return median(all.map((one, round) => figure(one) / figure(limit[round]!))).toFixed(2)
}

async function start(
  name: string,
  { superuserUrl, ownerUrl, tenantIds }: Dataset,
): Promise<{ child: ChildProcess; port: number }> {
  const child =
    name === 'aldaba'
      ? fork(import.meta.filename, {
          env: { ...process.env, DATABASE_URL: ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
        })
      : fork(new URL('limit-server.ts', import.meta.url).pathname, [name, superuserUrl, tenantIds.join(',')])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

/** As a child: the program itself, as an API process. */
async function serveAldaba(): Promise<void> {
  const { openDeployment } = await import('../src/deployment.ts')
  const config = loadConfig({ ...process.env, ROLE: 'api', DATA_DIR: process.argv[2]! })
  const log = createLog(config.logLevel)
  const app = createApp(config, await openDeployment(config, { mode: 'own', log }), log)
  process.send!({ port: Number(new URL(await app.start()).port) })
}

process.once('SIGINT', () => process.exit())
if (import.meta.main) await (process.send ? serveAldaba() : run())
