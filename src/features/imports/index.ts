/** Imports: leads from files, with what became of each row, and undone if wanted. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { forgetPeople } from '../privacy/service.ts'
import { forgetPeopleOfImports } from './forgetting.ts'
import { runImport } from './jobs.ts'
import { bringBackImports, keepImportsOf, leaveRows } from './merges.ts'
import { importRoutes } from './routes.ts'
import { filesExpire, forgetImportFiles, sweepImports } from './sweep.ts'
import { undoImport } from './undo.ts'

export const imports: Feature = {
  name: 'imports',
  tags: { Imports: 'Leads from files, with the result of each row, dry runs and undo.' },
  routes: importRoutes,
  jobs: [runImport, undoImport],
  deploymentJobs: [sweepImports, forgetImportFiles],
  events: [],
  waits: [filesExpire],
  hooks: [
    on(forgetPeople, forgetPeopleOfImports),
    on(leadsDeleted, leaveRows),
    on(leadsMerged, keepImportsOf),
    on(mergeUndone, bringBackImports),
  ],
}
