/**
 * The rule for statements inside a tenant: in each query level, `tenant_id` of each tenant table equals a bound
 * parameter, directly (`tenant_id = $n`) or through another column. Citus needs it to send a statement to a single
 * node, and row level security stays a second line of defence.
 */
import type {
  CommonTableExpr,
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeVar,
  SelectStmt,
  UpdateStmt,
  WithClause,
} from 'libpg-query'
import { bound, createBindings, type Key } from './bound-columns.ts'
import { listConjuncts, listCtes, removeCasts, toOwnTable, toText, toTexts, visit } from './nodes.ts'
import {
  type ColumnReference,
  createScope,
  expandStar,
  findColumn,
  findCte,
  findFirstColumn,
  listRestrictedRelations,
  type Output,
  type Relation,
  renameColumns,
  resolveColumn,
  type Scope,
} from './scope.ts'

/** The columns of each table and view of the schema, by name. Those with a `tenant_id` belong to tenants. */
export type Columns = Record<string, string[]>

export interface Violation {
  table: string
  message: string
}

/** Collects in one pass the relations of a statement, in the order of the text, and the equalities of their columns. */
class StatementCheck {
  readonly #columns: Columns
  readonly #bindings = createBindings()
  readonly #tenantRelations: Relation[] = []
  readonly #violations: Violation[] = []
  #keys = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  violations(): Violation[] {
    const boundKeys = this.#bindings.solve()
    const unbound = this.#tenantRelations.filter(
      relation => !boundKeys.has(findColumn(relation, 'tenant_id')!),
    )
    return [
      ...this.#violations,
      ...unbound.map(({ alias, tenantTable: table = '' }) => ({
        table,
        message: `${alias === table ? table : `${table} ${alias}`} has no condition tenant_id = $n, and is not joined to a tenant_id that has one`,
      })),
    ]
  }

  /** Analyses a query or a writing statement. Returns its columns. */
  query(node: Node, parent?: Scope): Output {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, parent)
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, parent)
    if ('UpdateStmt' in node) return this.#change(node.UpdateStmt, parent)
    if ('DeleteStmt' in node) {
      const { usingClause: fromClause, ...rest } = node.DeleteStmt
      return this.#change({ ...rest, fromClause }, parent)
    }
    visit(node, (kind, content) => {
      const table = kind === 'RangeVar' ? toOwnTable(content) : undefined
      if (table && this.#isTenantTable(table)) {
        this.#violations.push({
          table,
          message: `${Object.keys(node)[0]} of ${table} is a statement that this check does not support`,
        })
      }
      return true
    })
    return []
  }

  #select(stmt: SelectStmt, parent: Scope | undefined): Output {
    const scope = this.#openScope(stmt.withClause, parent)
    if (stmt.larg && stmt.rarg) {
      return this.#unite(this.#select(stmt.larg, scope), this.#select(stmt.rarg, scope))
    }
    if (stmt.valuesLists) return this.#values(stmt.valuesLists, scope)
    for (const item of stmt.fromClause ?? []) this.#from(item, scope)
    this.#where(stmt.whereClause, scope)
    const { targetList, groupClause, havingClause, windowClause, sortClause, limitCount, limitOffset } = stmt
    const others = [targetList, groupClause, havingClause, windowClause, sortClause, limitCount, limitOffset]
    this.#expressions(others, scope)
    return this.#targets(targetList, scope)
  }

  /** A union: a column is bound if it is bound in both parts. */
  #unite(left: Output, right: Output): Output {
    return left.map(({ name }, index) => {
      const key = this.#newKey()
      this.#bindings.bind(key, [left[index]?.key, right[index]?.key])
      return { name, key }
    })
  }

  #values(rows: Node[], scope: Scope): Output {
    this.#expressions(rows, scope)
    const cells = rows.map(row => ('List' in row ? (row.List.items ?? []) : []))
    return (cells[0] ?? []).map((_, index) => {
      const key = this.#newKey()
      this.#bindings.bind(
        key,
        cells.map(row => (row[index] ? this.#resolve(row[index], scope)?.key : undefined)),
      )
      return { name: `column${index + 1}`, key }
    })
  }

  #insert(stmt: InsertStmt, parent: Scope | undefined): Output {
    const scope = this.#openScope(stmt.withClause, parent)
    const source = stmt.selectStmt ? this.query(stmt.selectStmt, scope) : []
    const target = this.#relation(stmt.relation ?? {}, undefined)
    const names = (stmt.cols ?? []).map(col => ('ResTarget' in col ? col.ResTarget.name : undefined))
    const written = source[names.indexOf('tenant_id')]
    if (target.tenantTable && written) this.#bindings.bind(findColumn(target, 'tenant_id')!, [written.key])
    const { infer, targetList, whereClause } = stmt.onConflictClause ?? {}
    const unique = infer?.indexElems?.map(elem => ('IndexElem' in elem ? elem.IndexElem.name : undefined))
    if (target.tenantTable && unique && !unique.includes('tenant_id')) {
      const { tenantTable: table } = target
      this.#violations.push({ table, message: `the conflict of ${table} omits tenant_id` })
    }
    scope.relations = [target, { alias: 'excluded', columns: target.columns }]
    this.#expressions([targetList, whereClause], scope)
    return this.#returning(stmt, { ...scope, relations: [target] })
  }

  /** Analyses an update or a delete. */
  #change(
    stmt: Omit<UpdateStmt & DeleteStmt, 'fromClause'> & { fromClause?: Node[] | undefined },
    parent: Scope | undefined,
  ): Output {
    const scope = this.#openScope(stmt.withClause, parent)
    scope.relations.push(this.#relation(stmt.relation ?? {}, undefined))
    for (const item of stmt.fromClause ?? []) this.#from(item, scope)
    this.#where(stmt.whereClause, scope)
    this.#expressions(stmt.targetList, scope)
    return this.#returning(stmt, scope)
  }

  #returning({ returningClause }: Pick<InsertStmt, 'returningClause'>, scope: Scope): Output {
    this.#expressions(returningClause?.exprs, scope)
    return this.#targets(returningClause?.exprs, scope)
  }

  #openScope(clause: WithClause | undefined, parent: Scope | undefined): Scope {
    const scope = createScope(parent)
    for (const cte of listCtes(clause)) scope.ctes.set(cte.ctename ?? '', this.#cte(cte, clause!, scope))
    return scope
  }

  #cte({ ctename = '', aliascolnames, ctequery }: CommonTableExpr, clause: WithClause, scope: Scope): Output {
    if (!ctequery) return []
    const select = 'SelectStmt' in ctequery ? ctequery.SelectStmt : undefined
    if (!clause.recursive || !select?.larg || !select.rarg) {
      return renameColumns(this.query(ctequery, scope), aliascolnames)
    }
    const inner = this.#openScope(select.withClause, scope)
    const first = renameColumns(this.#select(select.larg, inner), aliascolnames)
    inner.ctes.set(ctename, first)
    return this.#unite(first, this.#select(select.rarg, inner))
  }

  /** Adds an item of FROM to the scope. */
  #from(node: Node, scope: Scope): Relation[] {
    if ('JoinExpr' in node) return this.#join(node.JoinExpr, scope)
    const relation = this.#item(node, scope)
    scope.relations.push(relation)
    return [relation]
  }

  #item(node: Node, scope: Scope): Relation {
    if ('RangeVar' in node) return this.#relation(node.RangeVar, scope)
    if ('RangeSubselect' in node) {
      const { lateral, subquery, alias } = node.RangeSubselect
      const output = subquery ? this.query(subquery, lateral ? scope : { ...scope, relations: [] }) : []
      return { alias: alias?.aliasname ?? '', columns: renameColumns(output, alias?.colnames) }
    }
    this.#expressions(node, scope)
    const { alias, coldeflist = [] } = 'RangeFunction' in node ? node.RangeFunction : {}
    const defined = coldeflist.map(col => ('ColumnDef' in col ? col.ColumnDef.colname : undefined))
    const names = [...toTexts(alias?.colnames), ...defined]
    return {
      alias: alias?.aliasname ?? '',
      columns: names.map(name => ({ name: name ?? '', key: this.#newKey() })),
    }
  }

  #join({ jointype, larg, rarg, usingClause, quals }: JoinExpr, scope: Scope): Relation[] {
    const left = larg ? this.#from(larg, scope) : []
    const right = rarg ? this.#from(rarg, scope) : []
    const restricted = listRestrictedRelations(jointype, left, right)
    for (const name of toTexts(usingClause)) {
      const [a, b] = [left, right].map(side => findFirstColumn(side, name ?? ''))
      if (a && b) this.#equate([a, b], restricted)
    }
    for (const part of listConjuncts(quals)) this.#condition(part, scope, restricted)
    this.#expressions(quals, scope)
    return [...left, ...right]
  }

  #where(condition: Node | undefined, scope: Scope): void {
    for (const part of listConjuncts(condition)) this.#condition(part, scope, scope.relations)
    this.#expressions(condition, scope)
  }

  #condition(node: Node, scope: Scope, restricted: Relation[]): void {
    if (!('A_Expr' in node)) return
    const { kind, name, lexpr, rexpr } = node.A_Expr
    if (kind !== 'AEXPR_OP' || toTexts(name).join() !== '=' || !lexpr || !rexpr) return
    const [left, right] = [lexpr, rexpr].map(side => ('RowExpr' in side ? (side.RowExpr.args ?? []) : [side]))
    left!.forEach((one, index) => {
      const other = right![index]
      if (other) this.#equate([this.#resolve(one, scope), this.#resolve(other, scope)], restricted)
    })
  }

  /** Adds an equality: each column is bound by the other if the condition can exclude its rows. */
  #equate(pair: (ColumnReference | undefined)[], restricted: Relation[]): void {
    for (const [one, other] of [pair, pair.toReversed()]) {
      if (one?.relation && restricted.includes(one.relation)) this.#bindings.bind(one.key, [other?.key])
    }
  }

  #resolve(node: Node, scope: Scope): ColumnReference | undefined {
    if ('ParamRef' in removeCasts(node)) return { key: bound }
    return 'ColumnRef' in node ? resolveColumn(node.ColumnRef, scope) : undefined
  }

  /** Analyses subqueries in expressions. */
  #expressions(tree: unknown, scope: Scope): void {
    visit(tree, (kind, content) => {
      if (kind === 'SelectStmt') this.#select(content, scope)
      return kind !== 'SelectStmt'
    })
  }

  #targets(targets: Node[] = [], scope: Scope): Output {
    return targets.flatMap(target => {
      const { name, val } = 'ResTarget' in target ? target.ResTarget : {}
      if (!val) return []
      const fields = 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
      if (fields.some(field => 'A_Star' in field)) return expandStar(toText(fields.at(-2)), scope)
      const key = this.#resolve(val, scope)?.key ?? this.#newKey()
      return [{ name: name ?? toText(fields.at(-1)) ?? '', key }]
    })
  }

  /** A table, a view, or a common table expression in `scope`. */
  #relation(range: RangeVar, scope: Scope | undefined): Relation {
    const name = range.relname ?? ''
    const alias = range.alias?.aliasname ?? name
    const cte = range.schemaname === undefined ? findCte(name, scope) : undefined
    if (cte) return { alias, columns: renameColumns(cte, range.alias?.colnames) }
    const table = toOwnTable(range)
    const columns = (table && this.#columns[table]) || []
    const relation: Relation = { alias, columns: columns.map(name => ({ name, key: this.#newKey() })) }
    if (!table || !this.#isTenantTable(table)) return relation
    relation.tenantTable = table
    this.#tenantRelations.push(relation)
    return relation
  }

  #isTenantTable(table: string): boolean {
    return this.#columns[table]?.includes('tenant_id') ?? false
  }

  #newKey(): Key {
    return `${this.#keys++}`
  }
}

/** Returns the violations of a statement. */
export function findTenantViolations(statement: Node, columns: Columns): Violation[] {
  const check = new StatementCheck(columns)
  check.query(statement)
  return check.violations()
}
