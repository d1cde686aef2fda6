/** The scope of a query level: its relations, and the resolution of column names. */
import type { ColumnRef, JoinType, Node } from 'libpg-query'
import type { Key } from './bound-columns.ts'
import { toText } from './nodes.ts'

/** The columns of a query, in order. Names may repeat. */
export type Output = { name: string; key: Key }[]

export interface Relation {
  alias: string
  /** The tenant table that it reads or writes; undefined for other relations. */
  tenantTable?: string
  columns: Output
}

export interface Scope {
  relations: Relation[]
  /** Common table expressions by name. */
  ctes: Map<string, Output>
  parent: Scope | undefined
}

export const createScope = (parent: Scope | undefined): Scope => ({ relations: [], ctes: new Map(), parent })

export function findColumn(relation: Relation, name: string): Key | undefined {
  return relation.columns.find(column => column.name === name)?.key
}

/** A column of a relation, or a bound parameter. */
export interface ColumnReference {
  key: Key
  relation?: Relation
}

/**
 * Resolves a column name in the nearest level that has it. If `using` has merged several columns, it returns the
 * leftmost, because all are equal.
 */
export function resolveColumn(
  { fields = [] }: ColumnRef,
  scope: Scope | undefined,
): ColumnReference | undefined {
  if (!scope) return undefined
  const [name, alias] = fields.toReversed().map(toText)
  if (name === undefined) return undefined
  for (const relation of scope.relations) {
    if (alias !== undefined && relation.alias !== alias) continue
    const key = findColumn(relation, name)
    if (key) return { key, relation }
    if (alias !== undefined) return undefined
  }
  return resolveColumn({ fields }, scope.parent)
}

export function findCte(name: string, scope: Scope | undefined): Output | undefined {
  return scope && (scope.ctes.get(name) ?? findCte(name, scope.parent))
}

/** The relations whose rows a join condition can exclude. */
export function listRestrictedRelations(
  type: JoinType | undefined,
  left: Relation[],
  right: Relation[],
): Relation[] {
  if (type === 'JOIN_LEFT') return right
  if (type === 'JOIN_RIGHT') return left
  return type === 'JOIN_FULL' ? [] : [...left, ...right]
}

export function findFirstColumn(relations: Relation[], column: string): ColumnReference | undefined {
  for (const relation of relations) {
    const key = findColumn(relation, column)
    if (key) return { key, relation }
  }
  return undefined
}

export function renameColumns(output: Output, names: Node[] = []): Output {
  return output.map(({ name, key }, index) => ({ name: toText(names[index]) ?? name, key }))
}

export function expandStar(alias: string | undefined, { relations }: Scope): Output {
  return relations
    .filter(relation => alias === undefined || relation.alias === alias)
    .flatMap(relation => relation.columns)
}
