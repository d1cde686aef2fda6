/** `npm run bench`: every benchmark, or those named. */
const benchmarks = [
  'startup',
  'drivers',
  'list-leads',
  'find-leads',
  'export',
  'locations',
  'identity',
  'extraction',
  'large-extraction',
  'import',
  'comparables',
  'valuations',
  'estimates',
  'webhooks',
  'faults',
  'hostile',
]

const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : benchmarks) {
  if (!benchmarks.includes(name))
    throw new Error(`There is no benchmark ${name}. There are: ${benchmarks.join(', ')}.`)
  const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<void> }
  await run()
}
