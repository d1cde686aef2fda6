/**
 * `npm run bench` runs every benchmark, or those named; `npm run bench -- guard` runs their short forms and compares
 * them with `ratios.json`.
 */
import { guard } from './guard.ts'

const benchmarks = [
  'startup',
  'drivers',
  'list-leads',
  'find-leads',
  'inbox',
  'export',
  'locations',
  'deduplication',
  'extraction',
  'large-extraction',
  'import',
  'comparables',
  'valuation-accuracy',
  'valuation-requests',
  'blobs',
  'sheets',
  'listing',
  'cards',
  'long-pages',
  'webhooks',
  'chat-inbound',
  'chat-outbound',
  'chat-memory',
  'chat-faults',
  'campaigns',
  'campaign-faults',
  'bookings',
  'booking-page',
  'faults',
  'hostile',
  'sequence',
  'slots',
  'widget',
  'ai-injections',
]

const [first, ...others] = process.argv.slice(2)
if (first === 'guard') await guard(benchmarks, others)
else for (const name of first ? [first, ...others] : benchmarks) await runBenchmark(name)

async function runBenchmark(name: string): Promise<void> {
  if (!benchmarks.includes(name))
    throw new Error(`There is no benchmark ${name}. There are: guard, ${benchmarks.join(', ')}.`)
  const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<void> }
  await run()
}
