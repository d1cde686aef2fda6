/** The tree of a parsed statement: how to go through it, and small questions about it. */
import type { Node, RangeVar, WithClause } from 'libpg-query'

/** Every node below and at `tree`, by its kind; `enter` returns false for what is not to be entered. */
export function visit(
  tree: unknown,
  enter: (kind: string, content: Record<string, unknown>) => boolean,
): void {
  if (Array.isArray(tree)) {
    for (const one of tree) visit(one, enter)
  } else if (typeof tree === 'object' && tree !== null) {
    for (const [kind, content] of Object.entries(tree)) {
      // What a statement writes stands there without the name of its kind.
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

/** Without the casts around it. */
export function uncast(node: Node): Node {
  return 'TypeCast' in node && node.TypeCast.arg ? uncast(node.TypeCast.arg) : node
}

/** The name of a table of ours, undefined for those of other schemas. */
export function ownTable({ schemaname, relname }: RangeVar): string | undefined {
  return schemaname === undefined || schemaname === 'aldaba' ? relname : undefined
}

export function listCtes(clause: WithClause | undefined) {
  return (clause?.ctes ?? []).flatMap(node => ('CommonTableExpr' in node ? [node.CommonTableExpr] : []))
}

/** The parts of a condition that all have to hold. */
export function listConjuncts(node: Node | undefined): Node[] {
  if (!node) return []
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
    return (node.BoolExpr.args ?? []).flatMap(listConjuncts)
  }
  return [node]
}
