/** Imports: leads from files, with what became of each row, and undone if wanted. */
import type { Feature } from '../../kit/route.ts'
import { runImport } from './jobs.ts'
import { importRoutes } from './routes.ts'
import { sweepImports } from './sweep.ts'
import { undoImport } from './undo.ts'

export const imports: Feature = {
  name: 'imports',
  routes: importRoutes,
  jobs: [runImport, undoImport, sweepImports],
  events: [],
}
