/** Processes that are killed while people write and are answered: no message is lost, and none arrives twice. */
import { expect, test } from 'vitest'
import { cases } from '../../bench/chat-fault-cases.ts'
import { runCasesIn } from '../../bench/chat-faults.ts'
import { startWhatsapp } from '../../src/simulator/whatsapp/index.ts'
import { startFlowApp } from '../chat-flow.ts'
import { toProgram } from './program.ts'
import { createWorkers } from './worker.ts'

const selected = cases.filter(({ fault }) => /claim and send|send and record/.test(fault))

test(`nothing is lost or doubled: ${selected.map(({ fault }) => fault).join('; ')}`, async ({
  onTestFinished,
}) => {
  const whatsapp = await startWhatsapp({ seed: 20 })
  onTestFinished(() => whatsapp.close())
  const app = await startFlowApp({ ROLE: 'api', CHAT_URLS: `whatsapp_cloud=${whatsapp.url}` })
  onTestFinished(() => app.stop())
  const workers = createWorkers(app)
  onTestFinished(() => workers.stop())
  const deployment = {
    url: app.url,
    worker: toProgram(workers.start),
    startWorker: () => toProgram(workers.start),
    withTenant: app.database.withTenant,
    async query<Row>(text: string, values: unknown[]) {
      return (await app.database.ownerPool.query(text, values)).rows as Row[]
    },
  }
  const rows = await runCasesIn({ deployment, whatsapp, key: app.workspace.liveKey }, selected)
  expect(rows).toHaveLength(2)
  expect(rows.filter(row => row[' '] !== '')).toEqual([])
})
