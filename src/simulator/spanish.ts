/** Formats numbers and dates as Spanish pages do. */

const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

/** "1.250": Intl leaves four-digit Spanish numbers ungrouped, the portals do not. */
export function formatThousands(value: number): string {
  return value < 1000 ? String(value) : String(value).replace(/\B(?=(\d{3})+$)/g, '.')
}

/** "3 de octubre de 2026", in UTC. */
export function formatLongDate(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCDate()} de ${months[date.getUTCMonth()]} de ${date.getUTCFullYear()}`
}

/** "1 baño", "2 baños", "sin baño". */
export function formatCount(count: number, one: string, many: string): string {
  if (count === 0) return `sin ${one}`
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

/** Returns the text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
