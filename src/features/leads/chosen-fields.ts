/** The fields of a lead that a caller wants to have, from the query parameter `fields`. */
import { splitNames } from '../../kit/schema.ts'

/** The chosen fields by their names; below `contact` and its like those of a set, or all. */
export type ChosenFields = ReadonlyMap<string, ReadonlySet<string> | 'all'>

/** Reads `status,contact.phone`, which its schema has checked; null: all fields. `id` is always among them. */
export function readFields(text: string | undefined): ChosenFields | null {
  if (text === undefined) return null
  const chosen = new Map<string, Set<string> | 'all'>([['id', 'all']])
  for (const path of splitNames(text)) {
    const [name, below] = path.split('.') as [string, string?]
    const known = chosen.get(name)
    if (below === undefined || known === 'all') chosen.set(name, 'all')
    else chosen.set(name, (known ?? new Set<string>()).add(below))
  }
  return chosen
}
