/** Compiles `document.typ` with its input to a PDF. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { type Logo, toLogoFileName } from './logo.ts'

/** The input of `document.typ`: its data as JSON, and the logo. */
export interface PdfInput {
  json: string
  logo: Logo | null
}

export type Typst = (input: PdfInput) => Uint8Array

const template = join(import.meta.dirname, 'document.typ')

/** Loads Typst and the fonts. The returned function throws if Typst refuses an input. */
export function startTypst(): Typst {
  const require = createRequire(import.meta.url)
  const fonts = [
    require.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
    require.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
  ]
  const fontBlobs = fonts.map(path => readFileSync(path))
  const compiler = NodeCompiler.create({ workspace: import.meta.dirname, fontArgs: [{ fontBlobs }] })
  return ({ json, logo }) => {
    const logoPath = logo && join(import.meta.dirname, toLogoFileName(logo))
    if (logoPath) compiler.mapShadow(logoPath, Buffer.from(logo.bytes))
    try {
      // Pass the template by path: the compiler leaks 100 KB per template passed as text. Compile in one step: an
      // intermediate document takes megabytes that the garbage collector does not see.
      return compiler.pdf({ mainFilePath: template, inputs: { document: json } })
    } finally {
      if (logoPath) compiler.unmapShadow(logoPath)
      // Documents share too little for a cache to help.
      compiler.evictCache(0)
    }
  }
}
