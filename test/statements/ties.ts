/** Which columns of a statement are equal to a bound parameter, derived from its equalities. */

/** A column of one relation of a statement. */
export type Key = string

/** What a bound parameter is equal to. */
export const bound: Key = '$'

/** `to` is tied when all of `from` are. */
interface Rule {
  to: Key
  from: Key[]
}

export interface Ties {
  /** Says that `to` is equal to a bound parameter if all of `from` are. */
  tie(to: Key, from: (Key | undefined)[]): void
  /** The keys that are equal to a bound parameter. */
  solve(): ReadonlySet<Key>
}

export function createTies(): Ties {
  const rules: Rule[] = []
  return {
    tie(to, from) {
      if (from.every(key => key !== undefined)) rules.push({ to, from })
    },
    solve() {
      const tied = new Set([bound])
      for (let size = 0; size < tied.size; ) {
        size = tied.size
        for (const { to, from } of rules) if (from.every(key => tied.has(key))) tied.add(to)
      }
      return tied
    },
  }
}
