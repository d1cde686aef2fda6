/** Message templates: texts with variables, by language and version. */
import type { Feature } from '../../kit/feature.ts'

export function templates(): Feature {
  return {
    name: 'templates',
    tags: { Templates: 'Message templates, with variables that are filled from a lead.' },
    scopes: ['templates:read', 'templates:write'],
    routes: [],
    jobs: [],
    events: [],
  }
}
