/** Lead ads: pages at ad networks, their webhooks, and the leads that people submit there. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import type { Log } from '../../kit/log.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import type { Ads } from './ad-connections.ts'
import { adEvents } from './events.ts'
import { formRoutes } from './form-routes.ts'
import { detachAdLeads, moveAdLeads, restoreAdLeads } from './lead-references.ts'
import { adPersonData } from './person-data.ts'
import { adsProblemFields } from './problems.ts'
import {
  planRetrievals,
  pruneAdLeads,
  pruneSchedule,
  retrievalSchedule,
  sweepSchedule,
} from './retrieval/jobs.ts'
import { retrieveLeads } from './retrieval/retrieve.ts'
import { sweepLeads } from './retrieval/sweep.ts'
import { connectionRoutes } from './routes.ts'
import { webhookRoute } from './webhook/route.ts'

export function ads({ ads, log }: { ads: Ads; log: Log }): Feature {
  return {
    name: 'ads',
    tags: { Ads: 'Lead ads of ad networks: pages, their forms, and what people submitted.' },
    routes: [...connectionRoutes(ads), ...formRoutes(ads)],
    publicRoutes: [webhookRoute(ads, log)],
    problemFields: adsProblemFields,
    jobs: [retrieveLeads(ads), sweepLeads(ads), pruneAdLeads],
    deploymentJobs: [planRetrievals],
    scheduledTasks: [retrievalSchedule, sweepSchedule, pruneSchedule],
    events: adEvents,
    hooks: [on(leadsMerged, moveAdLeads), on(mergeUndone, restoreAdLeads), on(leadsDeleted, detachAdLeads)],
    personData: adPersonData,
    encryptedColumns: [
      { table: 'ad_connections', column: 'credentials', key: ['id'] },
      { table: 'ad_leads', column: 'content', key: ['id'] },
    ],
  }
}
