/** A feature: one part of the product, declared as plain data and listed in `app.ts`. */

import type { AnonymousRoute } from './anonymous-route.ts'
import type { ScheduledTask } from './clock/scheduled-tasks.ts'
import type { Database } from './db/index.ts'
import { handlerSchedule, isHandler } from './events/dispatcher.ts'
import type { EventDefinition } from './events/event.ts'
import { bindSubscribers, type Subscriber } from './events/subscriber.ts'
import { bindHooks, type HookHandler } from './hook.ts'
import type { BackgroundService } from './jobs/background-service.ts'
import type { DeploymentJob, JobDefinition } from './jobs/job.ts'
import type { AnyOutbox } from './outbox/outbox.ts'
import { outboxSchedule } from './outbox/outbox-schedule.ts'
import type { PersonData } from './person-data.ts'
import type { ProblemFields } from './problem-schema.ts'
import type { PublicRoute } from './public-route.ts'
import type { Quota } from './quota.ts'
import type { Route } from './route.ts'
import type { Scope } from './scope.ts'
import { checkDefaults, type Setting } from './settings/setting.ts'

/** An encrypted column of a tenant table. `key`: the columns that identify a row within the tenant. */
export interface EncryptedColumn {
  table: string
  column: string
  key: string[]
}

/** The documentation of how events are delivered to clients. */
export interface EventMessages {
  tag: string
  description: string
  /** The meaning of the client's reply, by status such as `2XX`. */
  responses: Record<string, string>
}

export interface Feature {
  name: string
  routes: Route[]
  publicRoutes?: PublicRoute[]
  /** Routes that only users signed in to the dashboard may call. */
  dashboardRoutes?: Route[]
  /** The tags of `dashboardRoutes` and `anonymousRoutes` in the dashboard's documentation, each with a description. */
  dashboardTags?: Record<string, string>
  /** Dashboard routes that need no session, such as sign-in. */
  anonymousRoutes?: AnonymousRoute[]
  jobs: JobDefinition<never>[]
  /** Jobs that run once for all tenants. */
  deploymentJobs?: DeploymentJob[]
  events: EventDefinition[]
  /** The tags of `routes` in the documentation, each with a description. */
  tags?: Record<string, string>
  /** The scopes that an API key may have for this feature. */
  scopes?: Scope[]
  /** Monthly limits of a workspace. */
  quotas?: Quota[]
  /** Settings of workspaces and environments. */
  settings?: Setting[]
  /** Extra fields of its error replies: the `details` of a `Problem`. */
  problemFields?: ProblemFields
  /** The personal data that it stores, for access requests. */
  personData?: PersonData
  /** Handlers of events, from this feature or others. */
  subscribers?: Subscriber[]
  /** Set only by the feature that sends events to clients. */
  messages?: EventMessages
  /** Handlers of hooks that other features call. */
  hooks?: HookHandler[]
  /** Columns that hold ciphertext: a change of the encryption key rewrites them. */
  encryptedColumns?: EncryptedColumn[]
  /** Messages that it sends to other systems. */
  outboxes?: AnyOutbox[]
  /** Continuous work besides outboxes and subscribers, in every process that takes jobs. */
  services?: BackgroundService[]
  /** Work due at a certain time, besides outboxes and subscribers. Advancing an environment's clock runs it. */
  scheduledTasks?: ScheduledTask[]
}

/** Returns all scopes, in the order of the features. */
export const collectScopes = (features: Feature[]): Scope[] => features.flatMap(({ scopes = [] }) => scopes)

/** Returns all quotas, in the order of the features. */
export const collectQuotas = (features: Feature[]): Quota[] => features.flatMap(({ quotas = [] }) => quotas)

/** Returns all settings, in the order of the features. */
export const collectSettings = (features: Feature[]): Setting[] =>
  features.flatMap(({ settings = [] }) => settings)

/** Returns the personal data of all features, in their order. */
export const collectPersonData = (features: Feature[]): PersonData[] =>
  features.flatMap(({ personData }) => personData ?? [])

/** Returns all scheduled tasks: those of outboxes, of subscribers, and the others. */
export const collectScheduledTasks = (features: Feature[]): ScheduledTask[] =>
  // Outboxes and subscribers first: their next time is cheap to find, and the others search only up to it.
  [
    ...features.flatMap(({ outboxes = [] }) =>
      outboxes.map(outbox => outbox.schedule ?? outboxSchedule(outbox)),
    ),
    handlerSchedule(features.flatMap(({ subscribers = [] }) => subscribers.filter(isHandler))),
    ...features.flatMap(({ scheduledTasks = [] }) => scheduledTasks),
  ]

/** Returns the extra problem fields of all features. */
export const collectProblemFields = (features: Feature[]): ProblemFields =>
  Object.assign({}, ...features.map(({ problemFields }) => problemFields))

/**
 * Throws if two features declare the same name, if a route requires an undeclared scope, or if the default of a setting is
 * invalid.
 */
export function checkFeatures(features: Feature[]): void {
  for (const [kind, getNames] of Object.entries(uniqueNames)) checkUnique(kind, features.flatMap(getNames))
  checkDefaults(collectSettings(features))
  const scopes = collectScopes(features)
  for (const { operation, scope } of features.flatMap(({ routes }) => routes))
    if (scope !== 'any' && !scopes.includes(scope))
      throw new Error(`no feature declares the scope ${scope} of ${operation}`)
}

const boundDatabases = new WeakSet<Database>()

/**
 * Binds hooks to their handlers and events to their subscribers, in the transactions of a database. Throws if a program has
 * done it: a second one needs a database object of its own.
 */
export function bindFeatures(database: Database, features: Feature[]): void {
  if (boundDatabases.has(database)) throw new Error('another program has bound its features to this database')
  boundDatabases.add(database)
  bindHooks(database, features)
  bindSubscribers(database, features)
}

/** The names that must be unique across features, by kind. */
const uniqueNames: Record<string, (feature: Feature) => string[]> = {
  feature: ({ name }) => [name],
  tag: ({ tags = {} }) => Object.keys(tags),
  scope: ({ scopes = [] }) => scopes,
  quota: ({ quotas = [] }) => quotas.map(({ name }) => name),
  setting: ({ settings = [] }) => settings.map(({ name }) => name),
  event: ({ events }) => events.map(({ type }) => type),
  job: ({ jobs, deploymentJobs = [] }) => [...jobs, ...deploymentJobs].map(({ name }) => name),
  operation: ({ routes }) => routes.map(({ operation }) => operation),
  'field of problems': ({ problemFields = {} }) => Object.keys(problemFields),
  'field of personal data': ({ personData }) => Object.keys(personData?.fields ?? {}),
  subscriber: ({ subscribers = [] }) => subscribers.map(({ name }) => name),
  outbox: ({ outboxes = [] }) => outboxes.map(({ name }) => name),
}

function checkUnique(kind: string, names: string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new Error(`two features declare the ${kind} ${duplicate}`)
}
