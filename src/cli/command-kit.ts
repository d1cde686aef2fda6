/** What commands have in common. */
import { Option } from 'commander'
import { loadConfig } from '../config.ts'
import { type Deployment, openDeployment } from '../deployment.ts'
import { createLog } from '../kit/log.ts'

export const environmentOption = () =>
  new Option('--environment <environment>', 'live or test').choices(['live', 'test']).makeOptionMandatory()

/** Opens the deployment, beside a running server or alone, for one piece of work. */
export async function withDeployment(work: (deployment: Deployment) => Promise<void>): Promise<void> {
  const deployment = await openDeployment(loadConfig(), { mode: 'join', log: createLog('silent') })
  try {
    await work(deployment)
  } finally {
    await deployment.close()
  }
}

/** Prints rows as JSON, or as a table of what `columns` makes of each. */
export function print<T>(asJson: boolean, rows: T[], columns: (row: T) => object): void {
  if (asJson) console.log(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) console.log('none')
  else console.table(rows.map(columns))
}
