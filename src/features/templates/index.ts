/** Message templates: texts with variables, by language and version. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { chatEventsReceived } from '../accounts/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { receiveApprovals } from './approval-events.ts'
import { approvalRoutes } from './approval-routes.ts'
import { erasePeopleFromTemplates } from './erasure.ts'
import { templatePersonData } from './person-data.ts'
import { type TemplatesDependencies, templateRoutes } from './routes.ts'

export function templates(dependencies: TemplatesDependencies): Feature {
  return {
    name: 'templates',
    tags: { Templates: 'Message templates, with variables that are filled from a lead.' },
    scopes: ['templates:read', 'templates:write'],
    routes: [...templateRoutes(dependencies), ...approvalRoutes(dependencies)],
    jobs: [],
    events: [],
    personData: templatePersonData,
    hooks: [on(chatEventsReceived, receiveApprovals), on(erasePersonData, erasePeopleFromTemplates)],
  }
}
