/** The fields of a lead that a caller wants to have, from the query parameter `fields`. */
import { splitNames } from '../../kit/schema.ts'

/** The chosen fields by their names; below `contact` and its like those of a set, or all. */
export type SelectedFields = ReadonlyMap<string, ReadonlySet<string> | 'all'>

/** Reads `status,contact.phone`, which its schema has checked; null: all fields. `id` is always among them. */
export function parseFields(text: string | undefined): SelectedFields | null {
  if (text === undefined) return null
  const chosen = new Map<string, Set<string> | 'all'>([['id', 'all']])
  for (const path of splitNames(text)) {
    const [name, child] = path.split('.') as [string, string?]
    const previous = chosen.get(name)
    if (child === undefined || previous === 'all') chosen.set(name, 'all')
    else chosen.set(name, (previous ?? new Set<string>()).add(child))
  }
  return chosen
}
