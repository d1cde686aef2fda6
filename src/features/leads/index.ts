/** Leads: people with a property to sell or let, and where they were found. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { deletePeople, forgetHistory, forgetPeople, peopleOptedOut } from '../privacy/service.ts'
import { emitOptedOut } from './contact/keep-opted-out.ts'
import { leadEvents } from './events.ts'
import { deletedIdsExpire, forgetDeletedIds, runOperation, sweepLeadOperations } from './jobs.ts'
import { removeLeads } from './person/deletion.ts'
import { forgetHistoryOfLeads, forgetPeopleOfLeads } from './person/erasure-history.ts'
import { leadProblemFields } from './problems.ts'
import { leadsPerMonth } from './quotas.ts'
import { leadRoutes } from './routes.ts'

/** `personData`: what other features hold on people. */
export function leads({ personData }: { personData: PersonData[] }): Feature {
  return {
    name: 'leads',
    tags: { Leads: 'People with a property to sell or let, and the listings where they were found.' },
    scopes: ['leads:read', 'leads:write'],
    quotas: [leadsPerMonth],
    problemFields: leadProblemFields,
    routes: leadRoutes(personData),
    jobs: [runOperation, forgetDeletedIds],
    waits: [deletedIdsExpire],
    deploymentJobs: [sweepLeadOperations],
    events: leadEvents,
    hooks: [
      on(peopleOptedOut, emitOptedOut),
      on(forgetPeople, forgetPeopleOfLeads),
      on(forgetHistory, forgetHistoryOfLeads),
      on(deletePeople, (tx, { leadIds, identifiers }) => removeLeads(tx, leadIds, identifiers)),
    ],
  }
}
