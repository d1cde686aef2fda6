/** What campaigns have reached. */
import type { FeaturePart } from '../parts.ts'
import { numbersRoute } from './routes.ts'

export const numbersParts: FeaturePart = { routes: [numbersRoute] }
