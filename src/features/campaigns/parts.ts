/** A feature in parts: each folder declares its own. */
import type { Feature } from '../../kit/feature.ts'
import type { PersonData } from '../../kit/person-data.ts'

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
  | 'hooks'
  | 'encryptedColumns'

export type FeaturePart = Partial<Pick<Feature, Listed | 'problemFields' | 'personData'>>

/** Joins the lists and the personal data of all parts. */
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
    hooks: join('hooks'),
    encryptedColumns: join('encryptedColumns'),
    problemFields: Object.assign({}, ...parts.map(({ problemFields }) => problemFields)),
    personData: joinPersonData(parts.flatMap(({ personData }) => personData ?? [])),
  }
}

function joinPersonData(parts: PersonData[]): PersonData {
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)),
    example: Object.assign({}, ...parts.map(({ example }) => example)),
    async read(tx, people) {
      const texts: Record<string, string> = {}
      for (const part of parts) Object.assign(texts, await part.read(tx, people))
      return texts
    },
  }
}
