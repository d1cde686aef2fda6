/** Previews of campaigns. */
import type { FeaturePart } from '../parts.ts'
import { previewRoute } from './routes.ts'
import type { PreviewDependencies } from './run-preview.ts'

export const previewParts = (dependencies: PreviewDependencies): FeaturePart => ({
  routes: [previewRoute(dependencies)],
})
