/** Leads: people with a property to sell or let, and where they were found. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import type { PersonData } from '../../kit/person-data.ts'
import {
  deleteLeadsOfPeople,
  eraseHistory,
  erasePersonData,
  peopleOptedIn,
  peopleOptedOut,
} from '../privacy/service.ts'
import { emitOptedIn, emitOptedOut } from './contact/preserve-opt-outs.ts'
import { leadEvents } from './events.ts'
import {
  clearDeletedExternalIds,
  deletedExternalIdsExpiry,
  requeueStalledLeadOperations,
  runOperation,
} from './jobs.ts'
import { deleteLeadRecords } from './person/delete-leads.ts'
import { eraseFromLeads, eraseLeadHistory } from './person/redact-history.ts'
import { leadProblemFields } from './problems.ts'
import { leadsPerMonth } from './quotas.ts'
import { leadRoutes } from './routes.ts'

/** `personData`: the data about people that other features hold. */
export function leads({ personData }: { personData: PersonData[] }): Feature {
  return {
    name: 'leads',
    tags: { Leads: 'People with a property to sell or let, and the listings where they were found.' },
    scopes: ['leads:read', 'leads:write'],
    quotas: [leadsPerMonth],
    problemFields: leadProblemFields,
    routes: leadRoutes(personData),
    jobs: [runOperation, clearDeletedExternalIds],
    scheduledTasks: [deletedExternalIdsExpiry],
    deploymentJobs: [requeueStalledLeadOperations],
    events: leadEvents,
    hooks: [
      on(peopleOptedOut, emitOptedOut),
      on(peopleOptedIn, emitOptedIn),
      on(erasePersonData, eraseFromLeads),
      on(eraseHistory, eraseLeadHistory),
      on(deleteLeadsOfPeople, (tx, { leadIds, identifiers }) => deleteLeadRecords(tx, leadIds, identifiers)),
    ],
  }
}
