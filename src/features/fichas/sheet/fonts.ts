/** The fonts of the page, in the page itself: a sheet loads nothing from other servers. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
/** The letters of all languages of sheets. Other scripts use the fonts of the reader's system. */
const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2212'

let faces: string | null = null

/** Returns the `@font-face` rules. Reads the files on first use. */
export function readFontFaces(): string {
  faces ??= [
    readFace(
      'Source Serif 4',
      400,
      require.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2'),
    ),
    readFace(
      'Source Sans 3',
      400,
      require.resolve('@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff2'),
    ),
    readFace(
      'Source Sans 3',
      600,
      require.resolve('@fontsource/source-sans-3/files/source-sans-3-latin-600-normal.woff2'),
    ),
  ].join('')
  return faces
}

function readFace(family: string, weight: number, path: string): string {
  const source = `data:font/woff2;base64,${readFileSync(path).toString('base64')}`
  return `@font-face{font-family:'${family}';font-weight:${weight};font-display:swap;src:url(${source}) format('woff2');unicode-range:${latin}}`
}
