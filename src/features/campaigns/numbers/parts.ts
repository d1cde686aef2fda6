/** What campaigns have reached. */
import type { FeaturePart } from '../parts.ts'
import { numbersRoute } from './routes.ts'
import { messageCosts } from './settings.ts'

export const numbersParts: FeaturePart = { routes: [numbersRoute], settings: [messageCosts] }
