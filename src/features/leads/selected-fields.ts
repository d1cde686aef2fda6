/** The query parameter `fields`: the fields of a lead that a caller selects. */
import { splitNames } from '../../kit/schema.ts'

/** By field name: `all`, or the selected fields of an object such as `contact`. */
export type SelectedFields = ReadonlyMap<string, ReadonlySet<string> | 'all'>

/** Parses a list such as `status,contact.phone` that fits its schema. Adds `id`. Null: all fields. */
export function parseFields(text: string | undefined): SelectedFields | null {
  if (text === undefined) return null
  const selected = new Map<string, Set<string> | 'all'>([['id', 'all']])
  for (const path of splitNames(text)) {
    const [name, child] = path.split('.') as [string, string?]
    const previous = selected.get(name)
    if (child === undefined || previous === 'all') selected.set(name, 'all')
    else selected.set(name, (previous ?? new Set<string>()).add(child))
  }
  return selected
}
