/**
 * A property sheet with twelve photos as a page and as a PDF, beside headless Chromium printing the same page: cold (the
 * first one after a start) and warm. Chromium may be at `CHROMIUM`; without it, only the sheet is measured.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderSheetHtml, renderSheetPdf } from '../src/features/fichas/sheet/document.ts'
import { sheetLayouts } from '../src/features/fichas/sheet/sheet.ts'
import { makeSamplePhotos, makeSampleSheet } from '../test/sample-sheet.ts'
import { type Chromium, startChromium } from './chromium.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const client = { tenantId: 'bench', signal: new AbortController().signal }

export async function run(): Promise<void> {
  const { rows, pdfBytes } = await measure(15)
  console.log('a sheet with 12 photos, ms')
  console.table(rows)
  console.log('the PDF by layout, bytes')
  console.table(pdfBytes)
}

export async function short(): Promise<Ratios> {
  const { rows } = await measure(5)
  return { 'sheets/s of one page render': rows.page!.warm / rows.PDF!.warm }
}

interface Figures {
  cold: number
  warm: number
}

async function measure(rounds: number) {
  const photos = await makeSamplePhotos(12, {
    width: 1600,
    height: 1067,
    widths: [480, 960, 1600],
    noise: 20,
  })
  const sheet = makeSampleSheet({ photos })
  const rows: Record<string, Figures> = {
    page: await time(rounds, async () => renderSheetHtml(sheet)),
    PDF: await time(rounds, () => renderSheetPdf(sheet, client)),
  }
  const pdfBytes: Record<string, number> = {}
  for (const layout of sheetLayouts)
    pdfBytes[layout] = (await renderSheetPdf({ ...sheet, layout }, client)).length
  if (existsSync(chromiumPath))
    rows['Chromium, of the same page'] = await timeChromium(renderSheetHtml(sheet), rounds)
  return { rows, pdfBytes }
}

async function timeChromium(html: string, rounds: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'aldaba-bench-sheets-'))
  let chromium: Chromium | null = null
  try {
    const file = join(folder, 'sheet.html')
    await writeFile(file, html)
    return await time(rounds, async () => {
      chromium ??= await startChromium(chromiumPath, folder)
      await chromium.print(pathToFileURL(file).href)
    })
  } finally {
    await (chromium as Chromium | null)?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function time(rounds: number, work: () => Promise<unknown>): Promise<Figures> {
  const measured: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startMs = performance.now()
    await work()
    measured.push(performance.now() - startMs)
  }
  const [cold, ...warm] = measured
  return { cold: Number(cold!.toFixed(1)), warm: Number(median(warm).toFixed(1)) }
}
