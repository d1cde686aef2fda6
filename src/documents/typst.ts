/** Typst, which makes a PDF of `document.typ` and what it is given to say. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { type Logo, logoName } from './logo.ts'

/** What `document.typ` reads, as JSON, and the picture in it. */
export interface PdfInput {
  json: string
  logo: Logo | null
}

export type Typst = (input: PdfInput) => Uint8Array

const template = join(import.meta.dirname, 'document.typ')

/** What it returns throws if Typst refuses the paper. */
export function startTypst(): Typst {
  const require = createRequire(import.meta.url)
  const fonts = [
    require.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
    require.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
  ]
  const fontBlobs = fonts.map(path => readFileSync(path))
  const compiler = NodeCompiler.create({ workspace: import.meta.dirname, fontArgs: [{ fontBlobs }] })
  return ({ json, logo }) => {
    const logoPath = logo && join(import.meta.dirname, logoName(logo))
    if (logoPath) compiler.mapShadow(logoPath, Buffer.from(logo.bytes))
    try {
      // By its path: of each text that is given as it is, the compiler keeps a hundred kilobytes for good. And without a
      // document in between, which takes megabytes that the garbage collector does not know of.
      return compiler.pdf({ mainFilePath: template, inputs: { document: json } })
    } finally {
      if (logoPath) compiler.unmapShadow(logoPath)
      // No two documents have much in common.
      compiler.evictCache(0)
    }
  }
}
