/** Compiles a template with its input to a PDF. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/** The templates, by the name of their file. */
export type PdfTemplate = 'document' | 'sheet'

/** A file that the template reads by its name. */
export interface PdfFile {
  name: string
  bytes: Uint8Array
}

/** The input of a template: its data as JSON, and the images. */
export interface PdfInput {
  template: PdfTemplate
  json: string
  files: PdfFile[]
}

export type Typst = (input: PdfInput) => Uint8Array

const toPath = (name: string) => join(import.meta.dirname, name)

/** Loads Typst and the fonts. The returned function throws if Typst refuses an input. */
export function startTypst(): Typst {
  const require = createRequire(import.meta.url)
  const fonts = [
    require.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
    require.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
    require.resolve('@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  ]
  const fontBlobs = fonts.map(path => readFileSync(path))
  const compiler = NodeCompiler.create({ workspace: import.meta.dirname, fontArgs: [{ fontBlobs }] })
  return ({ template, json, files }) => {
    for (const { name, bytes } of files) compiler.mapShadow(toPath(name), Buffer.from(bytes))
    try {
      // Pass the template by path: the compiler leaks 100 KB per template passed as text. Compile in one step: an
      // intermediate document takes megabytes that the garbage collector does not see.
      return compiler.pdf({ mainFilePath: toPath(`${template}.typ`), inputs: { document: json } })
    } finally {
      for (const { name } of files) compiler.unmapShadow(toPath(name))
      // Documents share their templates and some drawings: a tenth of the time. More of them fill the memory.
      compiler.evictCache(1)
    }
  }
}
