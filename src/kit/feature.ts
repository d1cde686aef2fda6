/** A part of the product, as plain data: what `app.ts` lists. */

import type { AnonymousRoute } from './anonymous-route.ts'
import type { ScheduledTask } from './clock/scheduled-tasks.ts'
import { handlerSchedule, isHandler } from './events/dispatcher.ts'
import type { EventDefinition } from './events/event.ts'
import { bindSubscribers, type Subscriber } from './events/subscriber.ts'
import { bindHooks, type HookHandler } from './hook.ts'
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

/** A column of a tenant table; `key` identifies a row within the tenant. */
export interface EncryptedColumn {
  table: string
  column: string
  key: string[]
}

/** How all events reach clients, for the documentation. */
export interface EventMessages {
  tag: string
  description: string
  /** What the client's reply means, by status: `2XX`. */
  responses: Record<string, string>
}

export interface Feature {
  name: string
  routes: Route[]
  publicRoutes?: PublicRoute[]
  /** For people who are signed in to the dashboard alone. */
  dashboardRoutes?: Route[]
  /** The tags of these and of `anonymousRoutes` in the dashboard's documentation, each with a description. */
  dashboardTags?: Record<string, string>
  /** What people send to the dashboard before they are signed in. */
  anonymousRoutes?: AnonymousRoute[]
  jobs: JobDefinition<never>[]
  /** What runs once for all tenants. */
  deploymentJobs?: DeploymentJob[]
  events: EventDefinition[]
  /** The tags of its routes in the documentation, each with a description. */
  tags?: Record<string, string>
  /** What keys may be allowed to do with it. */
  scopes?: Scope[]
  /** What a workspace may use up in a month. */
  quotas?: Quota[]
  /** What workspaces and environments may set of it. */
  settings?: Setting[]
  /** What its refusals say besides the fields of every problem: `about` of a `Problem`. */
  problemFields?: ProblemFields
  /** What it holds on people, for those who ask for it. */
  personData?: PersonData
  /** What it does after events, of its own or of other features. */
  subscribers?: Subscriber[]
  /** Of the feature that sends events to clients. */
  messages?: EventMessages
  /** What it does when other features call their hooks. */
  hooks?: HookHandler[]
  /** Columns that hold what the cipher made: a new encryption key rewrites them. */
  encryptedColumns?: EncryptedColumn[]
  /** What it sends outside. */
  outboxes?: AnyOutbox[]
  /** What happens at a certain time, besides what outboxes send and subscribers handle: the clock of an environment makes it happen. */
  scheduledTasks?: ScheduledTask[]
}

/** Every scope that a key may have, in the order of the features. */
export const collectScopes = (features: Feature[]): Scope[] => features.flatMap(({ scopes = [] }) => scopes)

/** Every quota that a workspace may have, in the order of the features. */
export const collectQuotas = (features: Feature[]): Quota[] => features.flatMap(({ quotas = [] }) => quotas)

/** Every setting of a workspace or an environment, in the order of the features. */
export const collectSettings = (features: Feature[]): Setting[] =>
  features.flatMap(({ settings = [] }) => settings)

/** What these features hold on people, in their order. */
export const collectPersonData = (features: Feature[]): PersonData[] =>
  features.flatMap(({ personData }) => personData ?? [])

/** What waits for time in these features. */
export const collectScheduledTasks = (features: Feature[]): ScheduledTask[] =>
  // First those that know quickly: the others look no further than to what these say.
  [
    ...features.flatMap(({ outboxes = [] }) => outboxes.map(outboxSchedule)),
    ...features.flatMap(({ subscribers = [] }) => subscribers.filter(isHandler).map(handlerSchedule)),
    ...features.flatMap(({ scheduledTasks = [] }) => scheduledTasks),
  ]

/** What problems of these features may say besides the fields of every problem. */
export const collectProblemFields = (features: Feature[]): ProblemFields =>
  Object.assign({}, ...features.map(({ problemFields }) => problemFields))

/**
 * Gives every hook its handlers and every event its subscribers. Throws if two features declare the same name, if a route asks for a scope
 * that none declares, or if the default of a setting does not fit its schema.
 * For `app.ts`.
 */
export function bindFeatures(features: Feature[]): void {
  for (const [kind, getNames] of Object.entries(uniqueNames)) checkUnique(kind, features.flatMap(getNames))
  checkDefaults(collectSettings(features))
  const scopes = collectScopes(features)
  for (const { operation, scope } of features.flatMap(({ routes }) => routes))
    if (scope !== 'any' && !scopes.includes(scope))
      throw new Error(`no feature declares the scope ${scope} of ${operation}`)
  bindHooks(features)
  bindSubscribers(features)
}

/** The names that no two features may share, by what they name. */
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
