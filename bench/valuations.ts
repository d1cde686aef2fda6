/**
 * How good estimates are, on real adverts and sales: each is valued without its price, from comparables among which there is no
 * advert of itself. Beside it what the ten nearest say, and what boosted trees say alone.
 */
import { Worker } from 'node:worker_threads'
import { type Accuracy, accuracyOf } from '../src/domain/valuation/accuracy.ts'
import { coverage } from '../src/domain/valuation/error-model.ts'
import { lawfulPrice, madeTown } from '../test/made-market.ts'
import type { Ratios } from './guard.ts'
import { priceSets } from './price-sets.ts'
import { descriptions, methods } from './valuation-methods.ts'
import type { TrialOrder, TrialResult } from './valuation-trial.ts'

const atOnce = 2
/** As many are learnt from in some seconds. */
const madeProperties = 600
/** As the licences of the sets want it, wherever figures made from them are shown. */
const attributions = [
  'Contains information from idealista18 (Barcelona, Valencia), which is made available under the ODbL 1.0:',
  'https://opendatacommons.org/licenses/odbl/1-0/. Rey-Blanco et al. (2024), https://doi.org/10.1177/23998083241242844.',
  'King County: recorded sales of the King County Department of Assessments. Polish cities: Apartment Prices in Poland,',
  'Krzysztof Jamroz, https://www.kaggle.com/datasets/krzysztofjamroz/apartment-prices-in-poland.',
]
const curve = [50, 500, 5000]

export async function run(): Promise<void> {
  console.log(
    '\nvaluations: median absolute error and its standard error, in percent, on the validation rows',
  )
  const results = await allTrials()
  const of = (order: TrialOrder) => results.get(nameOf(order))!
  const cell = ({ mdape, mdapeError }: Accuracy) => `${mdape.toFixed(1)} ± ${mdapeError.toFixed(1)}`
  print(
    ['set', '10 nearest', 'trees alone', 'usual prices', 'Aldaba', 'fit + try, s'],
    priceSets.map(set => {
      const ways = (['nearest', 'trees', 'usual', 'product'] as const).map(method =>
        of({ set, method, comparables: null }),
      )
      return [set, ...ways.map(({ accuracy }) => cell(accuracy.whole)), ways[3]!.seconds.toFixed(0)]
    }),
  )
  console.log('\nwhere less is said of what is valued: error (median ratio; coverage)')
  print(
    ['set', 'all', 'what the API asks', 'no floor, year', 'what it must know'],
    priceSets.map(set => {
      const { accuracy } = of({ set, method: 'product', comparables: null })
      return [
        set,
        ...(['whole', 'api', 'noFloorNorYear', 'least'] as const).map(name => {
          const { mdape, medianRatio, intervalCoverage } = accuracy[name]!
          return `${mdape.toFixed(1)} (${medianRatio.toFixed(3)}; ${(100 * intervalCoverage).toFixed(1)})`
        }),
      ]
    }),
  )
  console.log('\nmore of Aldaba, and the range of 80 % beside that of trees alone')
  print(
    [
      'set',
      'median ratio',
      'COD',
      'PRD',
      'within 10 %',
      'coverage, %',
      'half width, %',
      'of trees: coverage',
      'half width',
    ],
    priceSets.map(set => {
      const [product, trees] = (['product', 'trees'] as const).map(
        method => of({ set, method, comparables: null }).accuracy.whole,
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
    '\nwith as many comparables, spread over all of the set, however far: error in percent (coverage; refused)',
  )
  print(
    ['set', ...curve.map(String)],
    priceSets.map(set => [
      set,
      ...curve.map(comparables => {
        const result = of({ set, method: 'product', comparables })
        const { mdape, intervalCoverage } = result.accuracy.whole
        return `${mdape.toFixed(1)} (${(100 * intervalCoverage).toFixed(0)} %; ${result.refused})`
      }),
    ]),
  )
  console.log(`\n${attributions.join('\n')}`)
}

/**
 * In a made town, whose prices follow a law and chance: beside the law itself, which nothing can beat, and the ten nearest. The
 * same on every machine.
 */
export async function short(): Promise<Ratios> {
  const town = madeTown(madeProperties)
  const subjects = madeTown(500, { seed: 2 })
  const exact = subjects.map(subject => ({
    value: lawfulPrice(subject),
    low: 0,
    high: 0,
    price: subject.price,
  }))
  const law = accuracyOf(exact)!
  const nearest = accuracyOf(methods.nearest(town)(subjects))!
  const value = methods.product(town)
  const trials = value(subjects)
  const ours = accuracyOf(trials)!
  const least = accuracyOf(value(subjects.map(subject => ({ ...subject, ...descriptions.least }))))!
  return {
    'properties valued': trials.length / subjects.length,
    'error of the law': law.mdape / ours.mdape,
    'error of the law, little told': law.mdape / least.mdape,
    'error of the ten nearest': nearest.mdape / ours.mdape,
    'median ratio, nearness to 1': 1 - Math.abs(ours.medianRatio - 1),
    'range of 80 %, nearness of its coverage': 1 - Math.abs(ours.intervalCoverage - coverage) / coverage,
  }
}

function ordersOf(set: TrialOrder['set']): TrialOrder[] {
  return [
    ...(['product', 'nearest', 'trees', 'usual'] as const).map(method => ({
      set,
      method,
      comparables: null,
    })),
    ...curve.map(comparables => ({ set, method: 'product' as const, comparables })),
  ]
}

async function allTrials(): Promise<Map<string, TrialResult>> {
  const waiting = priceSets.flatMap(ordersOf)
  const results = new Map<string, TrialResult>()
  const work = async () => {
    for (let order = waiting.shift(); order; order = waiting.shift())
      results.set(nameOf(order), await inThread(order))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

function nameOf({ set, method, comparables }: TrialOrder): string {
  return [set, method, comparables].join(' ')
}

function inThread(workerData: TrialOrder): Promise<TrialResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./valuation-trial.ts', import.meta.url), { workerData })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

function print(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map(row => row[at]!.length)))
  for (const row of [headings, ...rows])
    console.log(
      `  ${row.map((text, at) => (at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))).join('   ')}`,
    )
}
