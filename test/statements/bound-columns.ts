/** Derives from the equalities of a statement which columns are equal to a bound parameter. */

/** A column of one relation of a statement. */
export type Key = string

/** The key of a bound parameter itself. */
export const bound: Key = '$'

/** `to` is bound if all of `from` are. */
interface Rule {
  to: Key
  from: Key[]
}

export interface Bindings {
  /** Adds the rule that `to` is equal to a bound parameter if all of `from` are. */
  bind(to: Key, from: (Key | undefined)[]): void
  /** The keys that are equal to a bound parameter. */
  solve(): ReadonlySet<Key>
}

export function createBindings(): Bindings {
  const rules: Rule[] = []
  return {
    bind(to, from) {
      if (from.every(key => key !== undefined)) rules.push({ to, from })
    },
    solve() {
      const boundKeys = new Set([bound])
      for (let size = 0; size < boundKeys.size; ) {
        size = boundKeys.size
        for (const { to, from } of rules) if (from.every(key => boundKeys.has(key))) boundKeys.add(to)
      }
      return boundKeys
    },
  }
}
