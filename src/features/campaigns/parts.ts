/** A feature in parts: each folder declares its own. */
import type { Feature } from '../../kit/feature.ts'

type Listed =
  | 'routes'
  | 'publicRoutes'
  | 'jobs'
  | 'deploymentJobs'
  | 'scheduledTasks'
  | 'outboxes'
  | 'subscribers'
  | 'services'
  | 'events'
  | 'settings'
  | 'hooks'
  | 'encryptedColumns'

export type FeaturePart = Partial<Pick<Feature, Listed | 'problemFields' | 'personData'>>

/** Joins the lists of all parts. At most one has personal data. */
export function joinParts(parts: FeaturePart[]): Pick<Feature, 'routes' | 'jobs' | 'events'> & FeaturePart {
  const join = <N extends Listed>(name: N) =>
    parts.flatMap(part => (part[name] ?? []) as NonNullable<Feature[N]>[number][]) as NonNullable<Feature[N]>
  return {
    routes: join('routes'),
    publicRoutes: join('publicRoutes'),
    jobs: join('jobs'),
    deploymentJobs: join('deploymentJobs'),
    scheduledTasks: join('scheduledTasks'),
    outboxes: join('outboxes'),
    subscribers: join('subscribers'),
    services: join('services'),
    events: join('events'),
    settings: join('settings'),
    hooks: join('hooks'),
    encryptedColumns: join('encryptedColumns'),
    problemFields: Object.assign({}, ...parts.map(({ problemFields }) => problemFields)),
    ...parts.map(({ personData }) => personData && { personData }).find(Boolean),
  }
}
