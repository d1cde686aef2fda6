/**
 * Finds what Citus refuses or executes wrongly in a statement that writes a tenant table (CONTRIBUTING.md, "Write a
 * statement").
 */
import type { DeleteStmt, InsertStmt, Node, RangeVar, UpdateStmt, WithClause } from 'libpg-query'
import { listCtes, toOwnTable, toText, toTexts, visit } from './nodes.ts'
import type { StatementSchema, Volatility } from './schema.ts'
import type { Columns, Violation } from './tenant-rule.ts'

const columnAndInterval = 'a column plus or minus an interval in a change'

type Write = Partial<InsertStmt & UpdateStmt & DeleteStmt>

/** Violations of a statement or of its writing parts. */
export function findCitusViolations(statement: Node, schema: StatementSchema): Violation[] {
  const violations: Violation[] = []
  const ctes: WithClause[] = []
  visit(statement, (kind, content) => {
    if (content.withClause) ctes.push(content.withClause)
    if (!['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) return true
    const write: Write = content
    const table = write.relation && toTenantTable(write.relation, schema.columns)
    if (!table) return true
    const found = kind === 'InsertStmt' ? listInsertViolations(write, ctes, schema) : []
    if (kind === 'UpdateStmt' && hasSimpleCase(write.targetList)) found.push(`CASE x WHEN in an update`)
    if (kind !== 'InsertStmt') found.push(...listCallViolations(write, schema))
    if (kind !== 'InsertStmt' && addsInterval([write.targetList, write.whereClause]))
      found.push(columnAndInterval)
    found.push(...listWriteViolations(write, schema))
    violations.push(...found.map(what => ({ table, message: `${table}: ${what}, which Citus refuses` })))
    return true
  })
  const read = findTenantTable(statement, schema.columns)
  if (read && hasCtid(statement)) violations.push({ table: read, message: `${read}: ctid is not a key` })
  return violations
}

function listInsertViolations(write: Write, ctes: WithClause[], schema: StatementSchema): string[] {
  const violations: string[] = []
  const source = write.selectStmt && 'SelectStmt' in write.selectStmt ? write.selectStmt.SelectStmt : {}
  if (source.valuesLists) {
    if (contains(source.valuesLists, kind => kind === 'SubLink')) violations.push('a sub-select in VALUES')
  } else if (write.selectStmt && !write.returningClause) {
    if (readsTenantTable(write.selectStmt, ctes, schema.columns)) {
      violations.push('an INSERT … SELECT from tenant tables without RETURNING')
    } else if (!write.onConflictClause) {
      // Citus would COPY the rows, which PostgreSQL refuses under row level security.
      violations.push('an INSERT … SELECT without RETURNING or ON CONFLICT')
    }
  }
  const { targetList, whereClause } = write.onConflictClause ?? {}
  const conflict = [targetList, whereClause]
  const name = findMutable(conflict, schema)
  if (name) violations.push(`${name}() in ON CONFLICT DO UPDATE`)
  if (hasSimpleCase(conflict)) violations.push('CASE x WHEN in ON CONFLICT DO UPDATE')
  if (addsInterval(conflict)) violations.push(columnAndInterval)
  return violations
}

function listWriteViolations(write: Write, schema: StatementSchema): string[] {
  const violations: string[] = []
  const returned = findMutable(write.returningClause, schema)
  if (returned) violations.push(`${returned}() in RETURNING`)
  // Subqueries are planned separately.
  visit([write.targetList, write.whereClause], (kind, content) => {
    if (kind === 'SubLink') return false
    if (kind !== 'CaseExpr' && kind !== 'CoalesceExpr') return true
    const name = findMutable(content, schema)
    if (name) violations.push(`${name}() in ${kind === 'CaseExpr' ? 'CASE' : 'COALESCE'}`)
    return false
  })
  return violations
}

/** Functions that an update or a delete may not call. */
function listCallViolations(write: Write, schema: StatementSchema): string[] {
  const violations: string[] = []
  visit([write.targetList, write.whereClause], (kind, content) => {
    const call = findCall(kind, content, schema)
    if (call?.volatility === 'volatile') violations.push(`${call.name}(), which is volatile, in a change`)
    return true
  })
  visit([write.targetList, write.whereClause], (kind, content) => {
    if (kind === 'SubLink') return false
    const call = findCall(kind, content, schema)
    if (call?.volatility === 'stable' && contains(content, one => one === 'ColumnRef')) {
      violations.push(`${call.name}(), which is stable, of a column in a change`)
    }
    return true
  })
  return violations
}

/** A `timestamptz` plus an interval depends on the time zone, so it is stable; `at time zone` makes it a `timestamp`. */
function addsInterval(tree: unknown): boolean {
  let found = false
  visit(tree, (kind, content) => {
    const isSum = kind === 'A_Expr' && ['+', '-'].includes(toTexts(content.name as Node[])[0] ?? '')
    found ||= isSum && [content.lexpr, content.rexpr].some(isInterval) && hasPlainColumn(content)
    return kind !== 'SubLink'
  })
  return found
}

function hasPlainColumn(tree: unknown): boolean {
  let found = false
  visit(tree, (kind, content) => {
    found ||= kind === 'ColumnRef'
    return (
      kind !== 'SubLink' &&
      !(kind === 'FuncCall' && toTexts(content.funcname as Node[]).at(-1) === 'timezone')
    )
  })
  return found
}

function isInterval(node: unknown): boolean {
  const { FuncCall: call, TypeCast: cast } = (node ?? {}) as Record<
    string,
    Record<string, unknown> | undefined
  >
  if (call) return toTexts(call.funcname as Node[]).at(-1) === 'make_interval'
  return toTexts((cast?.typeName as { names?: Node[] })?.names).at(-1) === 'interval'
}

/** A call of a function that is not immutable. */
function findCall(
  kind: string,
  content: Record<string, unknown>,
  { volatility }: StatementSchema,
): { name: string; volatility: Volatility } | undefined {
  if (kind === 'SQLValueFunction') {
    return { name: String(content.op).replace('SVFOP_', '').toLowerCase(), volatility: 'stable' }
  }
  const name = kind === 'FuncCall' ? toTexts(content.funcname as Node[]).at(-1) : undefined
  return name && volatility[name] ? { name, volatility: volatility[name] } : undefined
}

function findMutable(tree: unknown, schema: StatementSchema): string | undefined {
  let found: string | undefined
  visit(tree, (kind, content) => {
    found ??= findCall(kind, content, schema)?.name
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
    (kind, content) => kind === 'ColumnRef' && toText((content.fields as Node[]).at(-1)) === 'ctid',
  )
}

function contains(
  tree: unknown,
  matches: (kind: string, content: Record<string, unknown>) => boolean,
): boolean {
  let found = false
  visit(tree, (kind, content) => {
    found ||= matches(kind, content)
    return !found
  })
  return found
}

/** True if the tree reads a tenant table, directly or through a common table expression. */
function readsTenantTable(tree: unknown, clauses: WithClause[], columns: Columns): boolean {
  if (findTenantTable(tree, columns)) return true
  const ctes = clauses.flatMap(listCtes)
  return contains(tree, (kind, { relname }) => {
    const cte = kind === 'RangeVar' ? ctes.find(({ ctename }) => ctename === relname) : undefined
    const others = clauses.map(clause => ({
      ctes: clause.ctes?.filter(node => !hasName(node, cte?.ctename)) ?? [],
    }))
    return cte !== undefined && readsTenantTable(cte.ctequery, others, columns)
  })
}

function hasName(node: Node, name: string | undefined): boolean {
  return 'CommonTableExpr' in node && node.CommonTableExpr.ctename === name
}

function findTenantTable(tree: unknown, columns: Columns): string | undefined {
  let table: string | undefined
  visit(tree, (kind, content) => {
    if (kind === 'RangeVar') table ??= toTenantTable(content, columns)
    return true
  })
  return table
}

function toTenantTable(range: RangeVar, columns: Columns): string | undefined {
  const table = toOwnTable(range)
  return table && columns[table]?.includes('tenant_id') ? table : undefined
}
