/** Workers that are killed while they send campaigns, and people who reply and opt out: no step is lost, none is sent twice or after an opt-out. */
import { expect, test } from 'vitest'
import { cases } from '../../bench/campaign-fault-cases.ts'
import { runCasesIn } from '../../bench/campaign-faults.ts'
import { startRecordingGraph } from '../../bench/recording-graph.ts'
import { startFlowApp } from '../chat-flow.ts'
import { makeKey, makeWorkspace } from '../make.ts'
import { toProgram } from './program.ts'
import { createWorkers } from './worker.ts'

const selected = cases.filter(({ fault }) => /two of three/.test(fault))

test('two of three workers are killed while they send to 200 people', async ({ onTestFinished }) => {
  const graph = await startRecordingGraph()
  onTestFinished(() => graph.close())
  const app = await startFlowApp({ ROLE: 'api', CHAT_URLS: `whatsapp_cloud=${graph.url}/v23.0` })
  onTestFinished(() => app.stop())
  const { database, url } = app
  const workers = createWorkers(app)
  onTestFinished(() => workers.stop())
  const deployment = {
    url,
    worker: toProgram(workers.start),
    startWorker: () => toProgram(workers.start),
    withTenant: database.withTenant,
    async query<Row>(text: string, values: unknown[]) {
      return (await database.ownerPool.query(text, values)).rows as Row[]
    },
    createKey: async (environment: 'live' | 'test') =>
      makeKey(database, { workspace: (await makeWorkspace(database)).slug, environment }),
  }
  const rows = await runCasesIn({ deployment, graph }, selected, 200)
  expect(rows).toHaveLength(1)
  expect(rows.filter(row => row[' '] !== '')).toEqual([])
})
