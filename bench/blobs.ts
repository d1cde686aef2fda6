/**
 * Compares the blob store with the necessary work alone, in turn. Storing is compared with hashing, writing and syncing
 * a file; reading with reading a plain file; resizing pictures to three widths with sharp alone. The program adds
 * database, limits and queues.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { type Blobs, createBlobs } from '../src/kit/blobs/blobs.ts'
import { resizeImage } from '../src/kit/blobs/images.ts'
import { openBlobStore, toSpoolDir } from '../src/kit/blobs/open-store.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { createLog } from '../src/kit/log.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { withBench } from './processes.ts'

const fileBytes = 16_000_000
const bytesMax = 1e12
/** Repetitions per round: one takes a few milliseconds. */
const readsPerRound = 10
const widths = [1600, 800, 320]
const names = ['store', 'read', 'pictures'] as const

type Name = (typeof names)[number]
/** Milliseconds of each round. */
type Measured = Record<Name, { baseline: number[]; aldaba: number[] }>

export async function run(): Promise<void> {
  const measured = await measure({ rounds: 15 })
  console.log(`a file of ${fileBytes / 1e6} MB; a picture of 24 million pixels in ${widths.length} widths`)
  const rows = names.map(name => {
    const { baseline, aldaba } = measured[name]
    const [baselineMs, aldabaMs] = [Math.round(median(baseline)), Math.round(median(aldaba))]
    return [
      name,
      {
        'minimum ms': baselineMs,
        'aldaba ms': aldabaMs,
        'share of the minimum': computeRatio(measured, name).toFixed(2),
      },
    ]
  })
  console.table(Object.fromEntries(rows))
}

export async function short(): Promise<Ratios> {
  const measured = await measure({ rounds: 7 })
  return {
    'files/s stored of hashing and writing': computeRatio(measured, 'store'),
    'files/s read of reading': computeRatio(measured, 'read'),
    'pictures/s of sharp': computeRatio(measured, 'pictures'),
  }
}

const computeRatio = (measured: Measured, name: Name) =>
  median(measured[name].baseline.map((baseline, round) => baseline / measured[name].aldaba[round]!))

/** The first round is a warm-up and does not count. */
async function measure({ rounds }: { rounds: number }): Promise<Measured> {
  const measured = Object.fromEntries(
    names.map(name => [name, { baseline: [], aldaba: [] }]),
  ) as unknown as Measured
  await withBench(async ({ deployment: { database }, createLiveKey }) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(await createLiveKey())))!
    const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-blobs-'))
    const config = { dataDir, blobsS3: null }
    const blobs = createBlobs({
      database,
      store: openBlobStore(config),
      spoolDir: toSpoolDir(config),
      bytesMax,
      log: createLog('error'),
    })
    const tasks = await prepare(blobs, tenantId, dataDir)
    for (let round = 0; round <= rounds; round++)
      for (const name of names)
        for (const side of round % 2 === 0
          ? (['baseline', 'aldaba'] as const)
          : (['aldaba', 'baseline'] as const)) {
          const startedMs = performance.now()
          await tasks[name][side]()
          if (round > 0) measured[name][side].push(performance.now() - startedMs)
        }
    await rm(dataDir, { recursive: true })
  })
  return measured
}

async function prepare(
  blobs: Blobs,
  tenantId: string,
  directory: string,
): Promise<Record<Name, Record<'baseline' | 'aldaba', () => Promise<unknown>>>> {
  const folder = join(directory, 'plain')
  await mkdir(folder)
  const file = join(folder, 'file')
  await writeFile(file, randomBytes(fileBytes))
  const picture = await makePicture()
  const options = { bytesMax: fileBytes * 2, signal: AbortSignal.timeout(3_600_000) }
  const store = () => blobs.receive({ tenantId }, createUniqueContent(file), options)
  const { id } = await store()
  return {
    store: { baseline: () => hashAndWrite(createUniqueContent(file), folder), aldaba: store },
    read: {
      baseline: () => repeat(readsPerRound, () => drain(createReadStream(file))),
      aldaba: () => repeat(readsPerRound, async () => drain(await blobs.read(tenantId, id))),
    },
    pictures: {
      async baseline() {
        for (const width of widths) await sharp(picture).autoOrient().resize({ width }).jpeg(jpeg).toBuffer()
      },
      aldaba: () =>
        resizeImage({ tenantId }, async () => Readable.from([picture]), { widths, format: 'jpeg' }),
    },
  }
}

const jpeg = { quality: 82, progressive: true }

/** A large photo of a portal: 6,000 by 4,000 pixels with details. */
const makePicture = () => {
  const [width, height] = [6000, 4000]
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 }
  return sharp({ create: { width, height, channels: 3, noise, background: 'grey' } })
    .jpeg()
    .toBuffer()
}

/** The file with a unique prefix, because equal content would not be stored again. */
const createUniqueContent = (file: string): Readable =>
  Readable.from(
    (async function* () {
      yield randomBytes(16)
      yield* createReadStream(file)
    })(),
  )

async function hashAndWrite(source: Readable, folder: string): Promise<void> {
  const hash = createHash('sha256')
  const path = join(folder, 'incoming')
  const handle = await open(path, 'w')
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await handle.writeFile(chunk)
  }
  await handle.datasync()
  await handle.close()
  await rename(path, join(folder, hash.digest('hex')))
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < count; time++) await work()
}

async function drain(source: Readable): Promise<void> {
  for await (const _chunk of source) {
    // The content is not used.
  }
}
