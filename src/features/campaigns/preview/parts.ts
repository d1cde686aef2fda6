/** Previews of campaigns. */
import type { EngineDependencies } from '../engine/dependencies.ts'
import type { FeaturePart } from '../parts.ts'
import { previewRoute } from './routes.ts'

export const previewParts = (dependencies: EngineDependencies): FeaturePart => ({
  routes: [previewRoute(dependencies)],
})
