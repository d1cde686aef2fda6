/** Derives a readable palette from the colour of the agency. */

export interface Palette {
  /** The agency's colour. */
  brand: string
  /** The colour of text on `brand`, with a contrast of at least 4.5. */
  onBrand: string
  /** The agency's colour, darkened until it has a contrast of at least 4.5 with white. */
  accent: string
  /** A pale shade for areas. */
  tint: string
}

const defaultColor = '#1d4e79'
const ink = '#14181f'
const readableContrast = 4.5

export function createPalette(color: string | null): Palette {
  const brand = color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : defaultColor
  // Black or white always has a contrast of at least 4.5.
  const onBrand = computeContrast(brand, '#ffffff') >= readableContrast ? '#ffffff' : '#000000'
  let accent = brand
  for (let share = 0.05; computeContrast(accent, '#ffffff') < readableContrast; share += 0.05)
    accent = mix(brand, ink, share)
  return { brand, onBrand, accent, tint: mix(accent, '#ffffff', 0.8) }
}

/** Lightens a colour until it has a contrast of at least 4.5 with a dark background. */
export function toDarkAccent(color: string, background: string): string {
  let accent = color
  for (let share = 0.05; computeContrast(accent, background) < readableContrast; share += 0.05)
    accent = mix(color, '#ffffff', share)
  return accent
}

/** The contrast ratio by WCAG 2, from 1 (equal) to 21 (black and white). */
export function computeContrast(one: string, other: string): number {
  const [dark, light] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function computeLuminance(color: string): number {
  const [red, green, blue] = toRgb(color).map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function mix(color: string, other: string, share: number): string {
  const others = toRgb(other)
  const parts = toRgb(color).map((part, at) => Math.round(part + (others[at]! - part) * share))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

function toRgb(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}
