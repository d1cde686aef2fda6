/**
 * Accuracy of estimates on real listings and sales, beside two simpler methods: the ten nearest, and boosted trees alone.
 * One part of each set is for models and comparables; the properties of the other part are valued.
 */
import { Worker } from 'node:worker_threads'
import { type Accuracy, computeAccuracy } from '../src/domain/valuation/accuracy.ts'
import { coverage } from '../src/domain/valuation/error-model.ts'
import { makeTown, toModelPrice } from '../test/synthetic-market.ts'
import type { BacktestInput, BacktestSummary } from './backtest-thread.ts'
import type { Ratios } from './guard.ts'
import { priceSets } from './price-sets.ts'
import { descriptions, methods } from './valuation-methods.ts'

const concurrentThreads = 2
/** The size of the generated town: small enough to fit in a few seconds. */
const syntheticProperties = 600
/** The attribution that the licences of the sets require with derived figures. */
const attributions = [
  'Contains information from idealista18 (Barcelona, Valencia), which is made available under the ODbL 1.0:',
  'https://opendatacommons.org/licenses/odbl/1-0/. Rey-Blanco et al. (2024), https://doi.org/10.1177/23998083241242844.',
  'King County: recorded sales of the King County Department of Assessments. Polish cities: Apartment Prices in Poland,',
  'Krzysztof Jamroz, https://www.kaggle.com/datasets/krzysztofjamroz/apartment-prices-in-poland.',
]
/** Numbers of comparables of the learning curve. */
const curve = [50, 500, 5000]

export async function run(): Promise<void> {
  console.log(
    '\naccuracy of valuations: median absolute error and its standard error, in percent, on the validation rows',
  )
  const results = await runBacktests()
  const getResult = (input: BacktestInput) => results.get(toName(input))!
  const toCell = ({ mdape, mdapeError }: Accuracy) => `${mdape.toFixed(1)} ± ${mdapeError.toFixed(1)}`
  printTable(
    ['set', '10 nearest', 'trees alone', 'usual prices', 'Aldaba', 'fit + test, s'],
    priceSets.map(set => {
      const perMethod = (['nearest', 'trees', 'usual', 'product'] as const).map(method =>
        getResult({ set, method, comparables: null }),
      )
      return [
        set,
        ...perMethod.map(({ accuracy }) => toCell(accuracy.whole)),
        perMethod[3]!.seconds.toFixed(0),
      ]
    }),
  )
  console.log('\nwith fewer facts about the valued property: error (median ratio; coverage)')
  printTable(
    ['set', 'all', 'fields of the API', 'no floor, year', 'only required facts'],
    priceSets.map(set => {
      const { accuracy } = getResult({ set, method: 'product', comparables: null })
      return [
        set,
        ...(['whole', 'api', 'withoutFloorAndYear', 'minimal'] as const).map(name => {
          const { mdape, medianRatio, intervalCoverage } = accuracy[name]!
          return `${mdape.toFixed(1)} (${medianRatio.toFixed(3)}; ${(100 * intervalCoverage).toFixed(1)})`
        }),
      ]
    }),
  )
  console.log('\nfurther figures of Aldaba, and its range of 80 % compared with that of trees alone')
  printTable(
    [
      'set',
      'median ratio',
      'COD',
      'PRD',
      'within 10 %',
      'coverage, %',
      'half width, %',
      'trees: coverage',
      'trees: half width',
    ],
    priceSets.map(set => {
      const [product, trees] = (['product', 'trees'] as const).map(
        method => getResult({ set, method, comparables: null }).accuracy.whole,
      ) as [Accuracy, Accuracy]
      return [
        set,
        product.medianRatio.toFixed(3),
        product.cod.toFixed(1),
        product.prd.toFixed(3),
        (100 * product.within10).toFixed(0),
        (100 * product.intervalCoverage).toFixed(1),
        product.medianHalfWidth.toFixed(1),
        (100 * trees.intervalCoverage).toFixed(1),
        trees.medianHalfWidth.toFixed(1),
      ]
    }),
  )
  console.log(
    '\nwith this number of comparables, spread over the whole set at any distance: error in percent (coverage; refused)',
  )
  printTable(
    ['set', ...curve.map(String)],
    priceSets.map(set => [
      set,
      ...curve.map(comparables => {
        const result = getResult({ set, method: 'product', comparables })
        const { mdape, intervalCoverage } = result.accuracy.whole
        return `${mdape.toFixed(1)} (${(100 * intervalCoverage).toFixed(0)} %; ${result.refused})`
      }),
    ]),
  )
  console.log(`\n${attributions.join('\n')}`)
}

/**
 * Short form: a generated town whose prices follow a formula with noise, compared with the formula itself as the
 * optimum, and with the ten nearest. Deterministic.
 */
export async function short(): Promise<Ratios> {
  const town = makeTown(syntheticProperties)
  const subjects = makeTown(500, { seed: 2 })
  const modelEstimates = subjects.map(subject => ({
    value: toModelPrice(subject),
    low: 0,
    high: 0,
    price: subject.price,
  }))
  const modelAccuracy = computeAccuracy(modelEstimates)!
  const nearest = computeAccuracy(methods.nearest(town)(subjects))!
  const value = methods.product(town)
  const estimates = value(subjects)
  const quality = computeAccuracy(estimates)!
  const minimal = computeAccuracy(value(subjects.map(subject => ({ ...subject, ...descriptions.minimal }))))!
  return {
    'properties valued': estimates.length / subjects.length,
    'error of the formula': modelAccuracy.mdape / quality.mdape,
    'error of the formula, few facts known': modelAccuracy.mdape / minimal.mdape,
    'error of the ten nearest': nearest.mdape / quality.mdape,
    'median ratio, nearness to 1': 1 - Math.abs(quality.medianRatio - 1),
    'range of 80 %, nearness of its coverage': 1 - Math.abs(quality.intervalCoverage - coverage) / coverage,
  }
}

function toInputs(set: BacktestInput['set']): BacktestInput[] {
  return [
    ...(['product', 'nearest', 'trees', 'usual'] as const).map(method => ({
      set,
      method,
      comparables: null,
    })),
    ...curve.map(comparables => ({ set, method: 'product' as const, comparables })),
  ]
}

async function runBacktests(): Promise<Map<string, BacktestSummary>> {
  const waiting = priceSets.flatMap(toInputs)
  const results = new Map<string, BacktestSummary>()
  const runRemaining = async () => {
    for (let input = waiting.shift(); input; input = waiting.shift())
      results.set(toName(input), await runInThread(input))
  }
  await Promise.all(Array.from({ length: concurrentThreads }, runRemaining))
  return results
}

function toName({ set, method, comparables }: BacktestInput): string {
  return [set, method, comparables].join(' ')
}

function runInThread(workerData: BacktestInput): Promise<BacktestSummary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./backtest-thread.ts', import.meta.url), { workerData })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map(row => row[index]!.length)),
  )
  for (const row of [headings, ...rows])
    console.log(
      `  ${row.map((text, index) => (index === 0 ? text.padEnd(widths[index]!) : text.padStart(widths[index]!))).join('   ')}`,
    )
}
