/** What became of the people of a fault of campaigns: the claims and opt-outs as they were stored, and what the providers were sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql } from '../src/kit/db/index.ts'
import { type Context, stepNames } from './campaign-fault-cases.ts'

/**
 * Records when messages were claimed, and by which process: the program forgets it once they were sent. And when people opted out. By the
 * clock of the machine, in the order of their transactions.
 */
export async function recordClaims({ deployment: { query } }: Context): Promise<void> {
  await query('create table if not exists bench_claims (message_id uuid, process_id int, at timestamptz)', [])
  await query('create table if not exists bench_opt_outs (lead_id uuid, at timestamptz)', [])
  await query('grant select on bench_claims, bench_opt_outs to public', [])
  await query(
    `create or replace function record_claim() returns trigger language plpgsql security definer as $$
      begin
        insert into bench_claims
          values (new.id, substring(current_setting('application_name') from 'pid ([0-9]+)')::int, clock_timestamp());
        return null;
      end $$`,
    [],
  )
  await query(
    `create or replace function record_opt_out() returns trigger language plpgsql security definer as $$
      begin insert into bench_opt_outs values (new.lead_id, clock_timestamp()); return null; end $$`,
    [],
  )
  await query(
    `create or replace trigger record_claim after update of claimed_at on aldaba.messages for each row
      when (new.claimed_at is not null and new.claimed_at is distinct from old.claimed_at) execute function record_claim()`,
    [],
  )
  await query(
    `create or replace trigger record_opt_out after insert on aldaba.events for each row
      when (new.type = 'lead.opted_out') execute function record_opt_out()`,
    [],
  )
}

/** Reports the sent messages of the test environment as accepted: there, nothing leaves the process that sends. Returns a function that ends it. */
export function watchSent({ deployment, graph, api }: Context): () => Promise<void> {
  let isEnding = false
  const known = new Set<string>()
  const read = async () => {
    const { rows } = await deployment.withTenant(api, tx =>
      sql<{ id: string; to: string; step: number }>`
        select m.id, l.phone as to, s.step from messages m
          join campaign_sends s on s.tenant_id = ${getTenantId(tx)} and s.message_id = m.id
          join campaign_recipients r on r.tenant_id = ${getTenantId(tx)} and r.id = s.recipient_id
          join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = r.lead_id
        where m.tenant_id = ${getTenantId(tx)} and m.status in ('sent', 'delivered', 'read')`.execute(tx),
    )
    for (const { id, to, step } of rows) {
      if (known.has(id)) continue
      known.add(id)
      const message = { from: '', to: to.replace('+', ''), template: stepNames[step]!, atMs: Date.now() }
      graph.accepted.push(message)
      graph.onAccepted?.(message)
    }
  }
  const watching = (async () => {
    while (!isEnding) {
      await read()
      await sleep(100)
    }
    await read()
  })()
  return async () => {
    isEnding = true
    await watching
  }
}

interface Outcome {
  phone: string
  status: string
  code: string | null
  /** Messages of which nobody can say whether they were sent. */
  unknown: number
  /** Messages that count as sent. */
  steps: number
  /** Messages that were claimed after the person had opted out. */
  late: number
}

/**
 * Reads what became of everybody. A transaction with an opt-out excludes those with claims of its tenant (`lockLeadWrites`), so a claim that
 * was stored later has seen the opt-out. `written`: the phones of the people who wrote.
 */
export async function readOutcome(
  { deployment, api, graph, claimedAtDeath }: Context,
  { count, written }: { count: number; written: Set<string> },
) {
  const rows = await deployment.withTenant(api, async tx => {
    const tenantId = getTenantId(tx)
    const all = await sql<Outcome>`
      select l.phone, r.status, r.reason ->> 'code' as code,
        count(*) filter (where m.status = 'unknown')::int as unknown,
        count(*) filter (where m.status in ('sent', 'delivered', 'read', 'unknown'))::int as steps,
        count(*) filter (where m.status in ('sent', 'delivered', 'read', 'unknown') and m.id <> all(${[...claimedAtDeath]}::uuid[]) and exists (
          select from bench_claims c join bench_opt_outs o on o.lead_id = r.lead_id
          where c.message_id = m.id and c.at > o.at))::int as late
      from campaign_recipients r
        join leads l on l.tenant_id = ${tenantId} and l.id = r.lead_id
        left join campaign_sends s on s.tenant_id = ${tenantId} and s.recipient_id = r.id
        left join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where r.tenant_id = ${tenantId} group by r.id, l.phone, r.status, r.reason`.execute(tx)
    return all.rows
  })
  const accepted = Map.groupBy(graph.accepted, ({ to, template }) => `${to} ${template}`)
  const received = Map.groupBy(graph.accepted, ({ to }) => to)
  const having = (code: string) => rows.filter(row => row.status === 'stopped' && row.code === code).length
  const isLost = ({ phone, status, code, steps, unknown }: Outcome) => {
    const got = received.get(phone.replace('+', ''))?.length ?? 0
    if (status === 'completed') return steps < 2 || got + unknown < 2
    return !(code === 'REPLIED' || code === 'OPTED_OUT') || !written.has(phone) || got + unknown < steps
  }
  return {
    completed: rows.filter(({ status }) => status === 'completed').length,
    replied: having('REPLIED'),
    optedOut: rows.filter(({ code }) => code === 'OPTED_OUT').length,
    unknown: rows.reduce((sum, row) => sum + row.unknown, 0),
    lost: count - rows.length + rows.filter(isLost).length,
    doubled: [...accepted.values()].filter(({ length }) => length > 1).length,
    late: rows.reduce((sum, row) => sum + row.late, 0),
  }
}
