/** Chat accounts: connected, checked, budgeted, and the bodies that their providers post. */
import type { Cipher } from '../../kit/crypto.ts'
import type { Feature } from '../../kit/feature.ts'
import type { Log } from '../../kit/log.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { accountEvents } from './events.ts'
import { checkAccountJob, planChecks } from './health/jobs.ts'
import { createBodyBatches } from './intake/body-batches.ts'
import { bodyPruneSchedule, processingSchedule, pruneBodies, resumeBodies } from './intake/jobs.ts'
import { processBodies } from './intake/process-bodies.ts'
import { createProcessingStarter } from './intake/processing-starter.ts'
import { intakeRoute } from './intake/route.ts'
import { mailboxService } from './mailbox/mailbox-service.ts'
import { accountProblemFields } from './problems.ts'
import { accountRoutes } from './routes.ts'

export interface AccountsDependencies {
  accounts: ChatAccounts
  cipher: Cipher
  log: Log
}

export function accounts({ accounts, cipher, log }: AccountsDependencies): Feature {
  const starter = createProcessingStarter(log)
  const batches = createBodyBatches(cipher)
  return {
    name: 'accounts',
    tags: { Accounts: 'Chat accounts: numbers, bots and mailboxes that messages are sent from.' },
    scopes: ['accounts:read', 'accounts:write'],
    routes: accountRoutes(accounts),
    publicRoutes: [intakeRoute(accounts, { batches, starter })],
    problemFields: accountProblemFields,
    jobs: [
      processBodies({ accounts, cipher, hasBacklog: batches.hasBacklog }),
      checkAccountJob(accounts),
      pruneBodies,
    ],
    deploymentJobs: [resumeBodies, planChecks],
    scheduledTasks: [processingSchedule, bodyPruneSchedule],
    services: [mailboxService({ accounts, cipher, starter })],
    events: accountEvents(accounts),
    encryptedColumns: [
      { table: 'accounts', column: 'credentials', key: ['id'] },
      { table: 'inbound_bodies', column: 'body', key: ['id'] },
    ],
  }
}
