/** Lists the leads of a connection's forms, so that lost webhooks lose nothing: what is not known is taken. */
import { addDays, getNow, subtractDays } from '../../../kit/clock/clock.ts'
import type { Database } from '../../../kit/db/index.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { AdError, type AdLead, type AdLeadPage } from '../../../plugins/ads.ts'
import type { Ads, OpenConnection } from '../ad-connections.ts'
import { type FormRow, listFormsToSweep, recordSwept, upsertForms } from '../forms.ts'
import { insertAdLeads, toLeadKey } from '../lead-queries.ts'
import { isOfConnection, recordAnswer, recordFailure } from '../status.ts'
import { sweepName } from './enqueue.ts'
import { takeLeads } from './take-leads.ts'

/** Networks list a lead some time after it was submitted. */
const overlapDays = 1
const intervalMs = 3_600_000
/** Pages of one form at a time; the rest follows with the next sweep. */
const pagesMax = 200

export function sweepLeads(ads: Ads): JobDefinition<never> {
  return job<{ connectionId: string }>({
    name: sweepName,
    workerPool: 'long',
    run: ({ connectionId }, { database, tenantId, signal }) =>
      sweep(ads, connectionId, { database, tenantId, signal }),
  }) as JobDefinition<never>
}

interface SweepOptions {
  database: Database
  tenantId: string
  signal: AbortSignal
}

async function sweep(ads: Ads, connectionId: string, options: SweepOptions): Promise<void> {
  const { database, tenantId, signal } = options
  const opened = await database.readTenant({ tenantId }, tx => ads.find(tx, connectionId))
  if (!opened || opened.connection.status === 'EXPIRED') return
  try {
    await readForms(ads, opened, options)
    const forms = await database.readTenant({ tenantId }, tx => listFormsToSweep(tx, connectionId))
    await sweepForms(ads, opened, forms, options)
    await database.withTenant({ tenantId }, async tx =>
      recordAnswer(tx, connectionId, {
        next_sweep_at: new Date(getNow(tx).getTime() + withJitter(intervalMs)),
      }),
    )
  } catch (error) {
    if (signal.aborted) throw new RequeueJob()
    if (!(error instanceof AdError)) throw error
    await database.withTenant({ tenantId }, tx => recordFailure(tx, opened.connection, error))
  }
}

/** So many forms in a row that can't be read are the network's failure. */
const failuresMax = 3

/** A form that can't be read keeps no other one waiting; the next sweep tries it again. Throws AdError. */
async function sweepForms(
  ads: Ads,
  opened: OpenConnection,
  forms: FormRow[],
  options: SweepOptions,
): Promise<void> {
  let failures = 0
  for (const form of forms) {
    if (options.signal.aborted) throw new RequeueJob()
    try {
      await sweepForm(ads, opened, form, options)
      failures = 0
    } catch (error) {
      if (!(error instanceof AdError) || isOfConnection(error)) throw error
      if (error.code === 'UNAVAILABLE' && ++failures === failuresMax) throw error
    }
  }
}

/** Reads and stores the forms of a page. Throws AdError. */
async function readForms(
  ads: Ads,
  { connection, network, credentials }: OpenConnection,
  { database, tenantId, signal }: SweepOptions,
): Promise<void> {
  const forms = await ads.call(network, signal, context => network.listForms(credentials, context))
  await database.withTenant({ tenantId }, tx => upsertForms(tx, connection.id, forms))
}

/** The time is noted only when all pages were read: a sweep that was cut begins again. */
async function sweepForm(
  ads: Ads,
  opened: OpenConnection,
  form: FormRow,
  { database, tenantId, signal }: SweepOptions,
): Promise<void> {
  const { connection, network, credentials } = opened
  const startedAt = await database.readTenant({ tenantId }, async tx => getNow(tx))
  const since = toSince(form, {
    connectionSince: connection.since,
    now: startedAt,
    keptDays: network.keptDays,
  })
  let cursor: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    if (signal.aborted) throw new RequeueJob()
    const after: string | null = cursor
    const page: AdLeadPage = await ads.call(network, signal, context =>
      network.listLeads(credentials, { formId: form.formId, since, cursor: after }, context),
    )
    await database.withTenant({ tenantId }, tx => takeListed(tx, opened, page.leads))
    cursor = page.cursor
    if (cursor === null) break
  }
  if (cursor === null)
    await database.withTenant({ tenantId }, tx => recordSwept(tx, connection.id, form.formId, startedAt))
}

const takeListed = async (tx: Parameters<typeof takeLeads>[0], opened: OpenConnection, leads: AdLead[]) => {
  const connectionId = opened.connection.id
  const rows = leads.map(({ id, formId }) => ({ connectionId, externalId: id, formId, content: null }))
  const inserted = await insertAdLeads(tx, rows)
  const fresh = leads.flatMap(lead => {
    const id = inserted.get(toLeadKey({ connectionId, externalId: lead.id }))
    return id === undefined ? [] : { id, lead }
  })
  if (fresh.length > 0) await takeLeads(tx, opened, fresh)
}

function toSince(
  { sweptTo }: FormRow,
  { connectionSince, now, keptDays }: { connectionSince: Date; now: Date; keptDays: number },
): Temporal.Instant {
  const wanted = sweptTo ? addDays(sweptTo, -overlapDays) : connectionSince
  const since = Math.max(wanted.getTime(), connectionSince.getTime(), subtractDays(now, keptDays).getTime())
  return Temporal.Instant.fromEpochMilliseconds(since)
}

const withJitter = (ms: number) => ms * (0.9 + Math.random() * 0.2)
