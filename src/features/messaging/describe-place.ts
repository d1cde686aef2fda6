/** A place as people read and search it: its name and address; without both, its coordinates. */
import type { Place } from '../../plugins/chat.ts'

export function describePlace({ name, address, latitude, longitude }: Place): string {
  const words = [name, address].flatMap(text => (text?.trim() ? [text.trim()] : []))
  return words.length > 0 ? [...new Set(words)].join(', ') : `${latitude}, ${longitude}`
}
