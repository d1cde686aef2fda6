/** A complete feature in one file, as `new-feature.test.ts` adds it to the program: viewings of properties. */
import { leadsMerged } from '../src/features/leads/service.ts'
import { type ErasedPeople, erasePersonData } from '../src/features/privacy/service.ts'
import { createId, getNow, sqlNow } from '../src/kit/clock/clock.ts'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql, type Tx } from '../src/kit/db/index.ts'
import { defineEventHandler } from '../src/kit/events/dispatcher.ts'
import { emit, emitMany } from '../src/kit/events/emit.ts'
import { event } from '../src/kit/events/event.ts'
import type { Feature } from '../src/kit/feature.ts'
import { on } from '../src/kit/hook.ts'
import { job } from '../src/kit/jobs/job.ts'
import { jobSchedule } from '../src/kit/jobs/job-schedule.ts'
import type { PersonData } from '../src/kit/person-data.ts'
import { notFound, Problem, type ProblemType } from '../src/kit/problem.ts'
import { type Quota, reserve } from '../src/kit/quota.ts'
import { route } from '../src/kit/route.ts'
import { id, nullable, strictObject, Type, time } from '../src/kit/schema.ts'

export const migration = `
  create table aldaba.viewings (
    tenant_id uuid not null,
    id uuid not null,
    lead_id uuid,
    starts_at timestamptz not null,
    visitor text,
    host text,
    reminded_at timestamptz,
    primary key (tenant_id, id),
    unique (tenant_id, starts_at),
    foreign key (tenant_id, lead_id) references aldaba.leads (tenant_id, id)
  );
  call aldaba.isolate_tenant_table('viewings');`

const exampleId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'
export const quota: Quota = { name: 'maxViewingsPerMonth' }
const taken: ProblemType = {
  code: 'VIEWING_TAKEN',
  status: 409,
  meaning: 'A viewing is booked at that time.',
  action: 'Choose another time.',
  example: 'There is a viewing at that time.',
  exampleDetails: { viewingId: exampleId },
}

const data = strictObject({ viewingId: id('The viewing.'), leadId: nullable(id('Its lead.')) })
const example = { viewingId: exampleId, leadId: null }
const viewingBooked = event({
  type: 'viewing.booked',
  object: ['viewingId'],
  summary: 'A viewing was booked',
  data,
  example,
})
const viewingDue = event({
  type: 'viewing.due',
  object: ['viewingId'],
  summary: 'A viewing begins',
  data,
  example,
})

const Viewing = strictObject(
  {
    id: id('The viewing.'),
    leadId: nullable(id('Its lead.')),
    startsAt: time('When it begins.'),
    visitor: nullable(Type.String({ description: 'Who comes.' })),
    host: nullable(Type.String({ description: 'Who opens the door; found after the booking.' })),
    remindedAt: nullable(time('When everybody was reminded.')),
  },
  { title: 'Viewing' },
)
const NewViewing = strictObject({
  leadId: id('The lead.'),
  startsAt: time('When it begins.'),
  visitor: Type.String({ maxLength: 100, description: 'Who comes.' }),
})
export const viewing = {
  id: exampleId,
  leadId: exampleId,
  startsAt: '2026-11-02T10:00:00.000Z',
  visitor: 'Eva Mas',
  host: null,
  remindedAt: null,
}

async function bookViewing(
  tx: Tx,
  { leadId, startsAt, visitor }: Record<'leadId' | 'startsAt' | 'visitor', string>,
) {
  await reserve(tx, quota)
  const viewingId = createId(tx)
  const { rows } = await sql`
    insert into viewings (tenant_id, id, lead_id, starts_at, visitor)
    values (${getTenantId(tx)}, ${viewingId}, ${leadId}, ${startsAt}, ${visitor})
    on conflict (tenant_id, starts_at) do nothing returning id`.execute(tx)
  if (rows.length === 0) {
    const { rows: known } = await sql<{ id: string }>`
      select id from viewings where tenant_id = ${getTenantId(tx)} and starts_at = ${startsAt}`.execute(tx)
    throw new Problem(taken, taken.example, { details: { viewingId: known[0]!.id } })
  }
  await emit(tx, viewingBooked, { viewingId, leadId })
  return viewingId
}

async function getViewing(tx: Tx, viewingId: string) {
  const { rows } = await sql<typeof viewing>`
    select id, lead_id as "leadId", aldaba.iso_time(starts_at) as "startsAt", visitor, host,
      aldaba.iso_time(reminded_at) as "remindedAt"
    from viewings where tenant_id = ${getTenantId(tx)} and id = ${viewingId}`.execute(tx)
  if (!rows[0]) throw notFound('viewing')
  return rows[0]
}

const remind = job({
  name: 'remind-of-viewings',
  cron: '* * * * *',
  run: (_data, { database, tenantId }) =>
    database.withTenant({ tenantId }, async tx => {
      const { rows } = await sql<{ viewingId: string; leadId: string | null }>`
        update viewings set reminded_at = ${getNow(tx)}
        where tenant_id = ${getTenantId(tx)} and reminded_at is null and starts_at <= ${sqlNow(tx)}
        returning id as "viewingId", lead_id as "leadId"`.execute(tx)
      await emitMany(tx, viewingDue, rows)
    }),
})

async function findNextDueAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(starts_at) as at from viewings
    where tenant_id = ${getTenantId(tx)} and reminded_at is null`.execute(tx)
  return rows[0]!.at
}

const findHost = defineEventHandler({
  name: 'hosts-of-viewings',
  on: [viewingBooked],
  handle: (tx, { data: { viewingId } }) =>
    sql`update viewings set host = 'Ana' where tenant_id = ${getTenantId(tx)} and id = ${viewingId}`.execute(
      tx,
    ),
})

async function moveViewings(tx: Tx, { leadId, absorbedId }: { leadId: string; absorbedId: string }) {
  await sql`
    update viewings set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId}`.execute(tx)
  return {}
}

async function eraseVisitors(tx: Tx, { leadIds }: ErasedPeople) {
  const { rows } = await sql<{ id: string }>`
    update viewings set visitor = null, lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) returning id`.execute(tx)
  return { changed: rows.map(({ id }) => id) }
}

const personData: PersonData = {
  fields: { viewings: Type.Array(Viewing, { description: 'The viewings of the person.' }) },
  example: { viewings: [viewing] },
  async read(tx, { leadIds }) {
    const { rows } = await sql<{ id: string }>`
      select id from viewings where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(
      tx,
    )
    return { viewings: JSON.stringify(await Promise.all(rows.map(({ id }) => getViewing(tx, id)))) }
  },
}

export const viewings: Feature = {
  name: 'viewings',
  tags: { Viewings: 'Who sees a property, and when.' },
  scopes: ['viewings:read', 'viewings:write'],
  quotas: [quota],
  problemFields: {
    viewingId: Type.String({ format: 'uuid', description: 'The other viewing. Only on `VIEWING_TAKEN`.' }),
  },
  routes: [
    route({
      method: 'POST',
      path: '/viewings',
      operation: 'bookViewing',
      tag: 'Viewings',
      summary: 'Book a viewing',
      scope: 'viewings:write',
      status: 201,
      errors: ['QUOTA_EXCEEDED', taken],
      errorExamples: { QUOTA_EXCEEDED: 'The quota maxViewingsPerMonth of this month is used up.' },
      body: NewViewing,
      example: { leadId: exampleId, startsAt: viewing.startsAt, visitor: 'Eva Mas' },
      reply: Viewing,
      replyExample: viewing,
      handle: async ({ body, tx }) => getViewing(tx, await bookViewing(tx, body)),
    }),
    route({
      method: 'GET',
      path: '/viewings/{id}',
      operation: 'getViewing',
      tag: 'Viewings',
      summary: 'Retrieve a viewing',
      scope: 'viewings:read',
      status: 200,
      params: strictObject({ id: id('The viewing.') }),
      reply: Viewing,
      replyExample: viewing,
      handle: ({ params, tx }) => getViewing(tx, params.id),
    }),
  ],
  jobs: [remind],
  scheduledTasks: [jobSchedule(remind, findNextDueAt)],
  events: [viewingBooked, viewingDue],
  subscribers: [findHost],
  personData,
  hooks: [on(leadsMerged, moveViewings), on(erasePersonData, eraseVisitors)],
}
