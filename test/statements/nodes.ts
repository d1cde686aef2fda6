/** Helpers for the syntax tree of a parsed statement. */
import type { Node, RangeVar, WithClause } from 'libpg-query'

/** Visits `tree` and every node below it; `enter` returns false to skip a subtree. */
export function visit(
  tree: unknown,
  enter: (kind: string, content: Record<string, unknown>) => boolean,
): void {
  if (Array.isArray(tree)) {
    for (const one of tree) visit(one, enter)
  } else if (typeof tree === 'object' && tree !== null) {
    for (const [kind, content] of Object.entries(tree)) {
      // The target relation of a statement has no node type name.
      const name = kind === 'relation' ? 'RangeVar' : kind
      const isNode = /^[A-Z]/.test(name) && typeof content === 'object' && content !== null
      if (!isNode || enter(name, content as Record<string, unknown>)) visit(content, enter)
    }
  }
}

/** The text of a String node. */
export function toText(node: Node | undefined): string | undefined {
  return node && 'String' in node ? node.String.sval : undefined
}

export const toTexts = (nodes: Node[] = []): (string | undefined)[] => nodes.map(toText)

/** Removes type casts around a node. */
export function removeCasts(node: Node): Node {
  return 'TypeCast' in node && node.TypeCast.arg ? removeCasts(node.TypeCast.arg) : node
}

/** The table name; undefined for tables of other schemas. */
export function toOwnTable({ schemaname, relname }: RangeVar): string | undefined {
  return schemaname === undefined || schemaname === 'aldaba' ? relname : undefined
}

export function listCtes(clause: WithClause | undefined) {
  return (clause?.ctes ?? []).flatMap(node => ('CommonTableExpr' in node ? [node.CommonTableExpr] : []))
}

/** The conjuncts of a condition. */
export function listConjuncts(node: Node | undefined): Node[] {
  if (!node) return []
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
    return (node.BoolExpr.args ?? []).flatMap(listConjuncts)
  }
  return [node]
}
