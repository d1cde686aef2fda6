/** `GET /leads?limit=50` of a million leads with all features, compared with its limit and a peer, in turn. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadConfig } from '../src/config.ts'
import { createLog } from '../src/kit/log.ts'
import { createApp } from '../src/server.ts'
import { type Dataset, type DatasetSize, fullSize, openDataset, shortSize } from './dataset.ts'
import type { Ratios } from './guard.ts'
import { connections, type LoadFigures, load, median } from './load.ts'

const full = { rounds: 7, seconds: 4 }

interface Candidate {
  name: string
  url: string
  path: string
}

type Figures = Map<string, LoadFigures[]>

export async function run(): Promise<void> {
  printTable(await measure(fullSize, ['limit', 'aldaba', 'peer'], full))
}

/** Short form: 20,000 leads. */
export async function short(): Promise<Ratios> {
  const figures = await measure(shortSize, ['limit', 'aldaba'], { rounds: 5, seconds: 1 })
  return { 'requests/s of the limit': computeRatio(figures, 'aldaba', figure => figure.requestsPerSecond) }
}

async function measure(size: DatasetSize, names: string[], times: typeof full): Promise<Figures> {
  const dataset = await openDataset(size)
  const children: ChildProcess[] = []
  try {
    const candidates: Candidate[] = []
    for (const name of names) {
      const { child, port } = await startCandidate(name, dataset, size)
      children.push(child)
      candidates.push({
        name,
        url: `http://127.0.0.1:${port}`,
        path: name === 'aldaba' ? '/public/v1/leads?limit=50' : '/',
      })
    }
    return await loadInTurn(candidates, dataset, times)
  } finally {
    for (const child of children) child.kill()
    await dataset.deployment.close()
  }
}

async function loadInTurn(
  candidates: Candidate[],
  { keys }: Dataset,
  { rounds, seconds }: typeof full,
): Promise<Figures> {
  const figures: Figures = new Map(candidates.map(({ name }) => [name, []]))
  for (const { url, path } of candidates) await load(url, path, keys, 2)
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that disturbances affect all candidates alike.
    for (const { name, url, path } of round % 2 ? candidates.toReversed() : candidates) {
      figures.get(name)!.push(await load(url, path, keys, seconds))
    }
  }
  return figures
}

function printTable(figures: Figures): void {
  console.log(
    `GET /leads?limit=50 of 1,000,000 leads in 20 workspaces, ${connections} connections, ${full.rounds} rounds of ${full.seconds} s, medians`,
  )
  console.table(
    Object.fromEntries(
      [...figures].map(([name, all]) => [
        name,
        {
          'requests/s': Math.round(median(all.map(figure => figure.requestsPerSecond))),
          'p99 ms': median(all.map(figure => figure.p99Ms)),
          'share of the limit': computeRatio(figures, name, figure => figure.requestsPerSecond).toFixed(2),
          "p99 / limit's": computeRatio(figures, name, figure => figure.p99Ms).toFixed(2),
        },
      ]),
    ),
  )
}

/** The median of the ratios per round, in which both had the same conditions. */
function computeRatio(figures: Figures, name: string, figure: (figures: LoadFigures) => number): number {
  const limit = figures.get('limit')!
  return median(figures.get(name)!.map((one, round) => figure(one) / figure(limit[round]!)))
}

async function startCandidate(
  name: string,
  { superuserUrl, ownerUrl, tenantIds }: Dataset,
  { dataDir }: DatasetSize,
): Promise<{ child: ChildProcess; port: number }> {
  const child =
    name === 'aldaba'
      ? fork(import.meta.filename, [dataDir], {
          env: { ...process.env, DATABASE_URL: ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
        })
      : fork(new URL('limit-server.ts', import.meta.url).pathname, [name, superuserUrl, tenantIds.join(',')])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

/** Runs in a child process: the program as an API process. */
async function serveAldaba(): Promise<void> {
  const { openDeployment } = await import('../src/deployment.ts')
  const config = loadConfig({ ...process.env, ROLE: 'api', DATA_DIR: process.argv[2]! })
  const log = createLog(config.logLevel)
  const app = createApp(config, await openDeployment(config, { mode: 'own', log }), log)
  process.send!({ port: Number(new URL(await app.start()).port) })
}

process.once('SIGINT', () => process.exit())
if (import.meta.main) await (process.send ? serveAldaba() : run())
