/** What Citus refuses, or gets wrong, in a statement that writes a tenant table, as far as the text shows it (../shared/design/distribution.md). */
import type { DeleteStmt, InsertStmt, Node, RangeVar, UpdateStmt, WithClause } from 'libpg-query'
import { ctesOf, ourTable, textOf, textsOf, visit } from './nodes.ts'
import type { StatementSchema, Volatility } from './schema.ts'
import type { Columns, Fault } from './tenant-rule.ts'

type Write = Partial<InsertStmt & UpdateStmt & DeleteStmt>

/** What a statement, or a part of it that writes, has against it. */
export function findCitusFaults(statement: Node, schema: StatementSchema): Fault[] {
  const faults: Fault[] = []
  const ctes: WithClause[] = []
  visit(statement, (kind, content) => {
    if (content.withClause) ctes.push(content.withClause)
    if (!['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) return true
    const write: Write = content
    const table = write.relation && tenantTableOf(write.relation, schema.columns)
    if (!table) return true
    const found = kind === 'InsertStmt' ? insertFaults(write, ctes, schema) : []
    if (kind === 'UpdateStmt' && hasSimpleCase(write.targetList)) found.push(`an update has CASE x WHEN`)
    if (kind !== 'InsertStmt') found.push(...callFaults(write, schema))
    found.push(...writeFaults(write, schema))
    faults.push(...found.map(what => ({ table, message: `${table}: ${what}, which Citus does not take` })))
    return true
  })
  const read = tenantTableIn(statement, schema.columns)
  if (read && hasCtid(statement)) faults.push({ table: read, message: `${read}: ctid is no key` })
  return faults
}

function insertFaults(write: Write, ctes: WithClause[], schema: StatementSchema): string[] {
  const faults: string[] = []
  const source = write.selectStmt && 'SelectStmt' in write.selectStmt ? write.selectStmt.SelectStmt : {}
  if (source.valuesLists) {
    if (contains(source.valuesLists, kind => kind === 'SubLink')) faults.push('a sub-select in VALUES')
  } else if (write.selectStmt && !write.returningClause) {
    if (readsTenants(write.selectStmt, ctes, schema.columns)) {
      faults.push('an INSERT … SELECT from tenant tables without RETURNING')
    } else if (!write.onConflictClause) {
      // It would COPY the rows, which PostgreSQL refuses under row level security.
      faults.push('an INSERT … SELECT without RETURNING or ON CONFLICT')
    }
  }
  const { targetList, whereClause } = write.onConflictClause ?? {}
  const conflict = [targetList, whereClause]
  const name = findMutable(conflict, schema)
  if (name) faults.push(`${name}() in ON CONFLICT DO UPDATE`)
  if (hasSimpleCase(conflict)) faults.push('CASE x WHEN in ON CONFLICT DO UPDATE')
  return faults
}

function writeFaults(write: Write, schema: StatementSchema): string[] {
  const faults: string[] = []
  const returned = findMutable(write.returningClause, schema)
  if (returned) faults.push(`${returned}() in RETURNING`)
  // Without the queries inside it: those are planned apart.
  visit([write.targetList, write.whereClause], (kind, content) => {
    if (kind === 'SubLink') return false
    if (kind !== 'CaseExpr' && kind !== 'CoalesceExpr') return true
    const name = findMutable(content, schema)
    if (name) faults.push(`${name}() in ${kind === 'CaseExpr' ? 'CASE' : 'COALESCE'}`)
    return false
  })
  return faults
}

/** What an update or a delete may not call. */
function callFaults(write: Write, schema: StatementSchema): string[] {
  const faults: string[] = []
  visit([write.targetList, write.whereClause], (kind, content) => {
    const call = callOf(kind, content, schema)
    if (call?.volatility === 'volatile') faults.push(`${call.name}(), which is volatile, in a change`)
    return true
  })
  visit([write.targetList, write.whereClause], (kind, content) => {
    if (kind === 'SubLink') return false
    const call = callOf(kind, content, schema)
    if (call?.volatility === 'stable' && contains(content, one => one === 'ColumnRef')) {
      faults.push(`${call.name}(), which is stable, of a column in a change`)
    }
    return true
  })
  return faults
}

/** A call of a function that is not immutable. */
function callOf(
  kind: string,
  content: Record<string, unknown>,
  { volatility }: StatementSchema,
): { name: string; volatility: Volatility } | undefined {
  if (kind === 'SQLValueFunction') {
    return { name: String(content.op).replace('SVFOP_', '').toLowerCase(), volatility: 'stable' }
  }
  const name = kind === 'FuncCall' ? textsOf(content.funcname as Node[]).at(-1) : undefined
  return name && volatility[name] ? { name, volatility: volatility[name] } : undefined
}

function findMutable(tree: unknown, schema: StatementSchema): string | undefined {
  let found: string | undefined
  visit(tree, (kind, content) => {
    found ??= callOf(kind, content, schema)?.name
    return kind !== 'SubLink'
  })
  return found
}

function hasSimpleCase(tree: unknown): boolean {
  return contains(tree, (kind, content) => kind === 'CaseExpr' && content.arg !== undefined)
}

function hasCtid(tree: unknown): boolean {
  return contains(
    tree,
    (kind, content) => kind === 'ColumnRef' && textOf((content.fields as Node[]).at(-1)) === 'ctid',
  )
}

function contains(tree: unknown, is: (kind: string, content: Record<string, unknown>) => boolean): boolean {
  let found = false
  visit(tree, (kind, content) => {
    found ||= is(kind, content)
    return !found
  })
  return found
}

/** Directly, or by way of a common table expression. */
function readsTenants(tree: unknown, clauses: WithClause[], columns: Columns): boolean {
  if (tenantTableIn(tree, columns)) return true
  const ctes = clauses.flatMap(ctesOf)
  return contains(tree, (kind, { relname }) => {
    const cte = kind === 'RangeVar' ? ctes.find(({ ctename }) => ctename === relname) : undefined
    const others = clauses.map(clause => ({
      ctes: clause.ctes?.filter(node => !isOf(node, cte?.ctename)) ?? [],
    }))
    return cte !== undefined && readsTenants(cte.ctequery, others, columns)
  })
}

function isOf(node: Node, name: string | undefined): boolean {
  return 'CommonTableExpr' in node && node.CommonTableExpr.ctename === name
}

function tenantTableIn(tree: unknown, columns: Columns): string | undefined {
  let table: string | undefined
  visit(tree, (kind, content) => {
    if (kind === 'RangeVar') table ??= tenantTableOf(content, columns)
    return true
  })
  return table
}

function tenantTableOf(range: RangeVar, columns: Columns): string | undefined {
  const table = ourTable(range)
  return table && columns[table]?.includes('tenant_id') ? table : undefined
}
