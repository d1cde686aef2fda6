/** Imports: leads from files, with the result of each row, dry runs and undo. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { eraseFromImports } from './erasure.ts'
import { runImport } from './jobs.ts'
import { deleteExpiredImportFiles, importFilesExpiry, requeueStalledImports } from './maintenance.ts'
import { detachImportData, detachRows, reattachImportData } from './merge-handlers.ts'
import { importRoutes } from './routes.ts'
import { undoImport } from './undo.ts'

export const imports: Feature = {
  name: 'imports',
  tags: { Imports: 'Leads from files, with the result of each row, dry runs and undo.' },
  routes: importRoutes,
  jobs: [runImport, undoImport],
  deploymentJobs: [requeueStalledImports, deleteExpiredImportFiles],
  events: [],
  scheduledTasks: [importFilesExpiry],
  hooks: [
    on(erasePersonData, eraseFromImports),
    on(leadsDeleted, detachRows),
    on(leadsMerged, detachImportData),
    on(mergeUndone, reattachImportData),
  ],
}
